package dev.chargehand.server.internal.binding;

import dev.chargehand.server.internal.http.Arrival;
import io.helidon.http.Headers;
import io.helidon.http.HttpPrologue;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1ConnectionListener;
import java.time.Duration;

/**
 * Closes connections of Helidon on which the headers of a request take too long after its first line: Helidon has no limit for that, and its
 * time limit for reads is not used by its server. A connection has a virtual thread of its own. Thread-safe.
 */
record SlowHeads(Duration time) implements Http1ConnectionListener {

    private static final ThreadLocal<Arrival> HEAD = new ThreadLocal<>();

    @Override
    public void prologue(ConnectionContext connection, HttpPrologue prologue) {
        HEAD.set(Arrival.within(time));
    }

    @Override
    public void headers(ConnectionContext connection, Headers headers) {
        Arrival head = HEAD.get();
        if (head != null) { // also called for what follows a body
            boolean ignored = head.end();
            HEAD.remove();
        }
    }
}
