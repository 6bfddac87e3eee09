package dev.chargehand.server.internal.http;

import java.io.IOException;

/** What the server does with a request. Thread-safe. */
@FunctionalInterface
public interface ExchangeHandler {

    /**
     * Answer a request.
     *
     * @throws IOException if the client is gone
     */
    void handle(Exchange exchange) throws IOException;
}
