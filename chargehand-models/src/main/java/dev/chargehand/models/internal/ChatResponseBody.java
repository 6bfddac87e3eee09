package dev.chargehand.models.internal;

import dev.chargehand.error.ModelException;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.provider.connection.Exchange;
import dev.chargehand.provider.fault.ProviderFaults;
import dev.chargehand.provider.fault.WireLimits;
import dev.chargehand.provider.stream.Chunk;
import dev.chargehand.provider.stream.ChunkReader;
import dev.chargehand.provider.stream.ResponseBuilder;
import dev.chargehand.provider.stream.SseReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.function.BooleanSupplier;
import tools.jackson.core.JacksonException;

/**
 * Reads the body of an answer, a stream of events or one document, from any bytes; it knows no connection.
 *
 * <p>Not thread-safe; one per answer.
 */
public final class ChatResponseBody {

    private final WireLimits limits;
    private final ProviderFaults faults;
    private final BooleanSupplier isCancelled;
    private final Chunk chunk = new Chunk();
    private final ChunkReader chunks;
    private final ResponseBuilder answer;
    private final ReasoningDetails details = new ReasoningDetails();
    private String keeper = "";

    /**
     * Make the reader of a body that comes from no connection, with the limits that every answer has.
     *
     * @param model the name that errors give the model
     */
    public ChatResponseBody(String model, ModelCall call) {
        this(call, WireLimits.DEFAULT, new ProviderFaults(model, ""), "", () -> false);
    }

    /**
     * Make the reader of a body.
     *
     * @param isCancelled whether the connection was closed from our side
     */
    ChatResponseBody(
            ModelCall call, WireLimits limits, ProviderFaults faults, String key, BooleanSupplier isCancelled) {
        this.limits = limits;
        this.faults = faults;
        this.isCancelled = isCancelled;
        this.chunks = new ChunkReader(chunk, key);
        this.answer = new ResponseBuilder(call, limits, faults);
    }

    /** Keep the blocks of reasoning for the next requests to a model; with an empty name, none are kept. */
    ChatResponseBody keepingFor(String model) {
        keeper = model;
        return this;
    }

    /**
     * Read the body and emit its deltas.
     *
     * @param mediaType the type the head says it has; empty if it says none
     * @throws ModelException if the provider reports an error, or the body is no answer
     * @throws IOException if the connection failed before the model was done
     */
    public ModelResponse read(InputStream body, String mediaType) throws IOException, InterruptedException {
        return switch (mediaType) {
            case "text/event-stream" -> stream(body);
            case "application/json", "text/plain", "application/octet-stream", "" -> streamOrDocument(body);
            default ->
                throw faults.protocol("the answer is not a stream of events but " + mediaType
                        + "; check that the base URL is the one of the provider's API");
        };
    }

    /** Go by the first character where the type says little: some servers mislabel their streams. */
    private ModelResponse streamOrDocument(InputStream body) throws IOException, InterruptedException {
        PushbackInputStream peeked = new PushbackInputStream(body);
        int first = peeked.read();
        while (first == ' ' || first == '\r' || first == '\n' || first == '\t') {
            first = peeked.read();
        }
        if (first >= 0) {
            peeked.unread(first);
        }
        return first == '{' ? document(peeked) : stream(peeked);
    }

    private ModelResponse stream(InputStream body) throws IOException, InterruptedException {
        try (SseReader events = new SseReader(body, limits, faults)) {
            while (events.next() && !events.isDone()) {
                Exchange.stopIfInterrupted();
                if (events.dataLength() > 0) {
                    accept(events);
                }
            }
        } catch (IOException e) {
            if (!answer.isFinished()
                    || isCancelled.getAsBoolean()
                    || Thread.currentThread().isInterrupted()) {
                throw e;
            }
        }
        return built();
    }

    private void accept(SseReader events) {
        try {
            chunks.read(events.buffer(), events.dataStart(), events.dataLength(), events.isError());
        } catch (JacksonException e) {
            if (events.isTerminated()) {
                throw faults.protocol("an event of the answer is not the JSON it should be");
            }
            // The stream ended in the middle of an event: what came before it is the answer, incomplete.
            return;
        }
        add();
    }

    private ModelResponse document(InputStream body) throws IOException {
        byte[] bytes = body.readNBytes(limits.documentBytes() + 1);
        if (bytes.length > limits.documentBytes()) {
            throw faults.tooLarge("the answer", limits.documentBytes(), "bytes");
        }
        try {
            chunks.read(bytes, 0, bytes.length, false);
        } catch (JacksonException e) {
            throw faults.protocol("the answer is not the JSON it should be");
        }
        add();
        return built();
    }

    private void add() {
        answer.accept(chunk);
        if (!keeper.isEmpty() && !chunk.reasoningDetails().isEmpty()) {
            details.add(chunk.reasoningDetails());
        }
    }

    private ModelResponse built() {
        return answer.build(details.state(keeper));
    }
}
