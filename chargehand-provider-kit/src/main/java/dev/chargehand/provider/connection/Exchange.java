package dev.chargehand.provider.connection;

import dev.chargehand.error.ModelException;
import dev.chargehand.model.ModelCall;
import dev.chargehand.provider.fault.ProviderFaults;
import dev.chargehand.provider.fault.WireLimits;
import java.io.IOException;
import java.io.InputStream;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpHost;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a request of one model and reads its answer, on the calling thread, for any protocol.
 *
 * <p>Thread-safe.
 */
public final class Exchange {

    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

    private final Connections connections;
    private final WireLimits limits;
    private final InstantSource clock;
    private final ProviderFaults faults;

    /** A reader of the body of a successful answer. */
    public interface Reading<T> {

        /**
         * Read it.
         *
         * @param body the body, decoded
         * @param mediaType the type the head says it has; empty if it says none
         * @param deltas takes the deltas; all that came with one read from the network are passed on together, before the next
         * @param isCancelled whether the connection was closed from our side
         * @throws ModelException if the provider reports an error, or the body is no answer
         * @throws IOException if the connection failed before the answer was whole
         */
        T read(InputStream body, String mediaType, ModelCall deltas, BooleanSupplier isCancelled)
                throws IOException, InterruptedException;
    }

    /** Make exchanges with the limits that every answer has; opens nothing. */
    public Exchange(Connections connections, ProviderFaults faults) {
        this(connections, WireLimits.DEFAULT, InstantSource.system(), faults);
    }

    public Exchange(Connections connections, WireLimits limits, InstantSource clock, ProviderFaults faults) {
        this.connections = connections;
        this.limits = limits;
        this.clock = clock;
        this.faults = faults;
    }

    /**
     * Send a request and read its answer.
     *
     * <p>A kept connection that turns out to be dead is no failed attempt: the request goes out again on another.
     *
     * @param post makes the request; for each connection anew
     * @param key the secret that must not appear in errors; empty if there is none
     * @throws ModelException if that failed
     * @throws InterruptedException if the thread was interrupted; the connection is closed then
     */
    public <T> T send(HttpHost host, Supplier<HttpPost> post, ModelCall call, String key, Reading<T> reading)
            throws InterruptedException {
        while (true) {
            try {
                return sendOnce(host, post.get(), call, key, reading);
            } catch (Connections.DeadConnectionException e) {
                // Each is taken out of the pool, so that this ends with a new connection at the latest.
                LOG.debug("{}: a kept connection was dead", faults.model());
            }
        }
    }

    private <T> T sendOnce(HttpHost host, HttpPost post, ModelCall call, String key, Reading<T> reading)
            throws InterruptedException, Connections.DeadConnectionException {
        post.setConfig(Connections.config(call.connectTimeout()));
        Connections.CallContext context = new Connections.CallContext(post);
        call.onCancel(context::giveUp);
        GatheredDeltas deltas = new GatheredDeltas(call);
        context.beforeReads = deltas::passOn;
        try {
            stopIfInterrupted();
            ClassicHttpResponse response = connections.execute(host, context);
            LOG.debug("{}: status {}", faults.model(), response.getCode());
            return new ResponseReader<>(response, context, limits, faults, key, clock, reading, deltas).read();
        } catch (Connections.DeadConnectionException e) {
            throw e;
        } catch (IOException e) {
            stopIfInterrupted();
            throw failure(e, host, context.isCancelled());
        } finally {
            context.forgetReads();
            try {
                deltas.passLast();
            } finally {
                // Closes the connection unless it went back to the pool after the last byte.
                context.giveUp();
                connections.sweep();
            }
        }
    }

    private ModelException failure(IOException e, HttpHost host, boolean cancelled) {
        if (cancelled) {
            return faults.connection("the call was cancelled", false, null);
        }
        if (connections.isClosed()) {
            return faults.connection("its provider was closed", false, null);
        }
        LOG.debug("{}: failed with {}", faults.model(), e.getClass().getName());
        return ConnectionFaults.of(e, host, faults);
    }

    /** Throw if the thread was interrupted. */
    public static void stopIfInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("The thread was interrupted while it asked a model.");
        }
    }
}
