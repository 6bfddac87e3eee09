package dev.chargehand.server;

import dev.chargehand.AgentRuntime;
import dev.chargehand.server.internal.api.ServerState;
import dev.chargehand.server.internal.binding.Listener;
import java.net.URI;

/**
 * A server that makes the agents of a runtime reachable over HTTP: it starts runs, streams their events, and takes answers to calls that wait
 * for a human. It holds no state of runs and can be stopped at any time.
 *
 * <pre>{@code
 * AgentRuntime runtime = AgentRuntime.builder().store(store).agents(supervisor).wakeups(Wakeups.all()).build();
 * try (ChargehandServer server = ChargehandServer.builder(runtime).start()) {
 *     System.out.println("Listening on " + server.uri());
 *     Thread.currentThread().join();
 * }
 * }</pre>
 *
 * <p>Give the runtime {@code Wakeups.all()}: then runs of processes that have died, and calls whose time to answer is over, continue without
 * a request. Thread-safe.
 */
public final class ChargehandServer implements AutoCloseable {

    private final ServerState state;
    private final Listener listener;
    private final URI uri;

    ChargehandServer(ServerState state, Listener listener, URI uri) {
        this.state = state;
        this.listener = listener;
        this.uri = uri;
    }

    /**
     * Return a builder of a server.
     *
     * @param runtime executes the runs; the server does not close it
     */
    public static ServerBuilder builder(AgentRuntime runtime) {
        return new ServerBuilder(runtime);
    }

    /** Return the address at which it listens. */
    public URI uri() {
        return uri;
    }

    /**
     * Stop the server: it starts no runs any more, ends its streams, whose readers can continue with their cursors at another process, and
     * waits for other requests in progress. Runs continue; close the runtime to release them.
     */
    @Override
    public void close() {
        state.drain();
        listener.stop();
    }
}
