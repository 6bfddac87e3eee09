package dev.chargehand.testkit.provider.request;

import java.io.IOException;

/** The exception of bytes that are no request that this server reads, with the answer to them. */
public final class UnreadableRequestException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int status;

    UnreadableRequestException(int status, String message) {
        super(message);
        this.status = status;
    }

    public int status() {
        return status;
    }
}
