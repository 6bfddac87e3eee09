package dev.chargehand.provider.connection;

import dev.chargehand.error.ModelException;
import dev.chargehand.model.ModelCall;
import dev.chargehand.provider.fault.ErrorText;
import dev.chargehand.provider.fault.ProviderError;
import dev.chargehand.provider.fault.ProviderFaults;
import dev.chargehand.provider.fault.RetryAfter;
import dev.chargehand.provider.fault.WireLimits;
import dev.chargehand.provider.stream.Chunk;
import dev.chargehand.provider.stream.ChunkReader;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.InstantSource;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpEntity;
import tools.jackson.core.JacksonException;

/** Reads one answer, head and body, of any form. Not thread-safe; one per call. */
final class ResponseReader<T> {

    /** How long the rest of a body is waited for when nothing in it matters any more but the connection's reuse. */
    private static final Duration LAST_BYTES = Duration.ofSeconds(1);

    /** How long each piece of an error's body is waited for: the status alone says most. */
    private static final Duration ERROR_BODY = Duration.ofSeconds(5);

    private final ClassicHttpResponse response;
    private final ResponseHead head;
    private final Connections.CallContext context;
    private final WireLimits limits;
    private final ProviderFaults faults;
    private final InstantSource clock;
    private final String key;
    private final Exchange.Reading<T> body;
    private final ModelCall deltas;

    ResponseReader(
            ClassicHttpResponse response,
            Connections.CallContext context,
            WireLimits limits,
            ProviderFaults faults,
            String key,
            InstantSource clock,
            Exchange.Reading<T> body,
            ModelCall deltas) {
        this.response = response;
        this.head = new ResponseHead(response);
        this.context = context;
        this.limits = limits;
        this.faults = faults;
        this.clock = clock;
        this.key = key;
        this.body = body;
        this.deltas = deltas;
    }

    /**
     * Read the answer and emit its deltas.
     *
     * @throws ModelException if the provider reports an error, or the answer is not one
     * @throws IOException if the connection failed before the model was done
     */
    T read() throws IOException, InterruptedException {
        int status = response.getCode();
        if (status >= 400) {
            throw faults.status(status, reportedError(), RetryAfter.of(response, clock));
        }
        if (status >= 300) {
            throw faults.protocol("a redirect (" + status + ") to " + head.redirectOrigin()
                    + " was not followed; set the base URL to where the provider really is");
        }
        HttpEntity entity = response.getEntity();
        if (entity == null) {
            throw faults.empty();
        }
        InputStream raw = entity.getContent();
        T whole = body.read(decoded(raw), head.mediaType(), deltas, context::isCancelled);
        readOn(raw);
        return whole;
    }

    private InputStream decoded(InputStream raw) throws IOException {
        try {
            return head.decoded(raw);
        } catch (ResponseHead.UnknownEncodingException e) {
            throw faults.protocol(String.valueOf(e.getMessage()));
        }
    }

    private ProviderError reportedError() throws InterruptedException {
        context.limitReads(ERROR_BODY);
        HttpEntity entity = response.getEntity();
        if (entity == null) {
            return ProviderError.UNKNOWN;
        }
        try {
            InputStream raw = entity.getContent();
            byte[] bytes = head.decoded(raw).readNBytes(limits.errorBytes());
            readOn(raw);
            return wordsOf(bytes).explained(ErrorText.of(bytes), key);
        } catch (IOException | ModelException e) {
            // The status says enough.
            Exchange.stopIfInterrupted();
            return ProviderError.UNKNOWN;
        }
    }

    private ProviderError wordsOf(byte[] body) {
        Chunk chunk = new Chunk();
        int from = 0;
        int to = body.length;
        // Google's APIs send a list with one error where they were to send a stream.
        while (to > from && body[to - 1] <= ' ') {
            to--;
        }
        if (to - from > 1 && body[from] == '[' && body[to - 1] == ']') {
            from++;
            to--;
        }
        try {
            new ChunkReader(chunk, key).read(body, from, to - from, true);
        } catch (JacksonException e) {
            return ProviderError.UNKNOWN; // it is a page, or a text
        }
        return chunk.error == null ? ProviderError.UNKNOWN : chunk.error;
    }

    /** Read what little may be left, so that the connection can be used again; failing that, it is closed. */
    private void readOn(InputStream raw) {
        context.limitReads(LAST_BYTES);
        byte[] rest = new byte[256];
        try {
            int left = limits.errorBytes();
            int read = raw.read(rest);
            while (read >= 0 && left > 0) {
                left -= read;
                read = raw.read(rest);
            }
        } catch (IOException e) {
            context.giveUp();
        }
    }
}
