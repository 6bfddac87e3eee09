package dev.chargehand.langchain4j.internal.wire;

import dev.chargehand.error.ModelException;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.provider.connection.Exchange;
import dev.chargehand.provider.fault.ProviderFaults;
import dev.chargehand.provider.fault.WireLimits;
import dev.chargehand.provider.stream.ResponseBuilder;
import dev.chargehand.provider.stream.SseReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import java.util.function.BooleanSupplier;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Reads the body of an answer, server-sent events or lines of JSON. Not thread-safe; one per answer. */
public final class EventBody {

    private static final Set<String> UNTYPED = Set.of("", "text/plain", "application/octet-stream");

    private final boolean isLines;
    private final AnswerEvents events;
    private final ResponseBuilder answer;
    private final Errors errors;
    private final BooleanSupplier isCancelled;

    public EventBody(
            boolean isLines, AnswerEvents events, ResponseBuilder answer, Errors errors, BooleanSupplier isCancelled) {
        this.isLines = isLines;
        this.events = events;
        this.answer = answer;
        this.errors = errors;
        this.isCancelled = isCancelled;
    }

    /**
     * Read the body and emit its deltas.
     *
     * @throws ModelException if the provider reports an error, or the body is no answer
     * @throws IOException if the connection failed before the model was done
     */
    public ModelResponse read(InputStream body, String mediaType) throws IOException, InterruptedException {
        boolean expected = isLines
                ? mediaType.equals("application/x-ndjson") || mediaType.equals("application/json")
                : mediaType.equals("text/event-stream");
        if (!expected && !UNTYPED.contains(mediaType)) {
            throw other(body, mediaType);
        }
        try {
            if (isLines) {
                lines(new LineReader(body, errors.faults()));
            } else {
                sse(body);
            }
        } catch (IOException e) {
            if (!answer.isFinished()
                    || isCancelled.getAsBoolean()
                    || Thread.currentThread().isInterrupted()) {
                throw e;
            }
        }
        return answer.build(events.state());
    }

    private void sse(InputStream body) throws IOException, InterruptedException {
        try (SseReader stream = new SseReader(body, errors.faults())) {
            while (stream.next() && !stream.isDone()) {
                Exchange.stopIfInterrupted();
                boolean more = stream.dataLength() == 0
                        || accept(stream.buffer(), stream.dataStart(), stream.dataLength(), stream.isTerminated());
                if (!more) {
                    return;
                }
            }
        }
    }

    private void lines(LineReader stream) throws IOException, InterruptedException {
        while (stream.next()) {
            Exchange.stopIfInterrupted();
            if (!accept(stream.buffer(), stream.start(), stream.length(), stream.isTerminated())) {
                return;
            }
        }
    }

    private boolean accept(byte[] bytes, int from, int length, boolean isWhole) {
        JsonNode event;
        try {
            event = Trees.MAPPER.readTree(bytes, from, length);
        } catch (JacksonException e) {
            if (isWhole) {
                throw notJson();
            }
            // The stream ended in the middle of an event: what came before it is the answer, incomplete.
            return false;
        }
        if (!event.isObject()) {
            throw notJson();
        }
        if (event.path("error").isObject() || event.path("error").isString()) {
            throw errors.reported(event.path("error"));
        }
        return events.accept(event);
    }

    private ModelException notJson() {
        return errors.faults().protocol("an event of the answer is not the JSON it should be");
    }

    /** A document instead of a requested stream may report an error. */
    private ModelException other(InputStream body, String mediaType) throws IOException {
        ProviderFaults faults = errors.faults();
        if (mediaType.equals("application/json")) {
            byte[] bytes = body.readNBytes(WireLimits.DEFAULT.errorBytes());
            try {
                JsonNode document = Trees.MAPPER.readTree(bytes);
                if (document.has("error")) {
                    return errors.reported(document.path("error"));
                }
            } catch (JacksonException e) {
                // It is no stream either way.
            }
        }
        return faults.protocol("the answer is not a stream of events but " + mediaType
                + "; check that the base URL is the one of the provider's API");
    }
}
