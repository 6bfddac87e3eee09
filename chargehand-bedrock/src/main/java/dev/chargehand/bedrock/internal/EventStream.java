package dev.chargehand.bedrock.internal;

import dev.chargehand.error.ModelException;
import dev.chargehand.langchain4j.internal.wire.Trees;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.provider.connection.Exchange;
import dev.chargehand.provider.fault.ProviderFaults;
import dev.chargehand.provider.fault.WireLimits;
import dev.chargehand.provider.stream.ResponseBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import software.amazon.eventstream.HeaderValue;
import software.amazon.eventstream.Message;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Reads the body of an answer: frames with a length, headers, JSON and checksums. Not thread-safe; one per answer.
 *
 * <p>The library has the checksums and the headers; how long a frame may be is seen before it is kept.
 */
final class EventStream {

    static final String MEDIA_TYPE = "application/vnd.amazon.eventstream";

    /** The lengths of a frame and of its headers, and the checksum of both. */
    private static final int PRELUDE = 12;

    private static final int LEAST = 16;
    private static final Set<String> UNTYPED = Set.of("", "application/octet-stream");

    private final ConverseEvents events;
    private final ResponseBuilder answer;
    private final ProviderFaults faults;
    private final BooleanSupplier isCancelled;

    EventStream(ConverseEvents events, ResponseBuilder answer, ProviderFaults faults, BooleanSupplier isCancelled) {
        this.events = events;
        this.answer = answer;
        this.faults = faults;
        this.isCancelled = isCancelled;
    }

    /**
     * Read the body and emit its deltas.
     *
     * @throws ModelException if Bedrock reports an error, or the body is no answer
     * @throws IOException if the connection failed before the model was done
     */
    ModelResponse read(InputStream body, String mediaType) throws IOException, InterruptedException {
        if (!mediaType.equals(MEDIA_TYPE) && !UNTYPED.contains(mediaType)) {
            throw faults.protocol("the answer is not a stream of events but " + mediaType
                    + "; check that the base URL is the one of the provider's API");
        }
        try {
            byte[] frame = frame(body);
            while (frame != null && accept(frame)) {
                Exchange.stopIfInterrupted();
                frame = frame(body);
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

    /** Return the next frame; null if the body ended, perhaps in the middle of one: what came before is the answer. */
    private byte @Nullable [] frame(InputStream body) throws IOException {
        byte[] prelude = body.readNBytes(PRELUDE);
        if (prelude.length < PRELUDE) {
            return null;
        }
        int length = ByteBuffer.wrap(prelude).getInt();
        int limit = WireLimits.DEFAULT.eventBytes();
        if (length > limit) {
            throw faults.tooLarge("an event of the answer", limit, "bytes");
        }
        if (length < LEAST) {
            throw broken();
        }
        byte[] frame = Arrays.copyOf(prelude, length);
        int read = body.readNBytes(frame, PRELUDE, length - PRELUDE);
        return read < length - PRELUDE ? null : frame;
    }

    private boolean accept(byte[] frame) {
        Message message;
        try {
            message = Message.decode(ByteBuffer.wrap(frame));
        } catch (RuntimeException e) { // of whatever kind it makes of bytes that are none of a frame
            throw broken();
        }
        Map<String, HeaderValue> headers = message.getHeaders();
        String kind = text(headers, ":message-type");
        if (kind.equals("exception") || kind.equals("error")) {
            throw kind.equals("error")
                    ? faults.reported(Errors.of(text(headers, ":error-code"), text(headers, ":error-message")))
                    : faults.reported(Errors.of(text(headers, ":exception-type"), explanation(message.getPayload())));
        }
        return events.accept(text(headers, ":event-type"), event(message.getPayload()));
    }

    private static String explanation(byte[] payload) {
        try {
            return Trees.MAPPER.readTree(payload).path("message").asString("");
        } catch (JacksonException e) {
            return "";
        }
    }

    private JsonNode event(byte[] payload) {
        try {
            JsonNode event = Trees.MAPPER.readTree(payload);
            if (event.isObject()) {
                return event;
            }
        } catch (JacksonException e) {
            // It is none.
        }
        throw faults.protocol("an event of the answer is not the JSON it should be");
    }

    private static String text(Map<String, HeaderValue> headers, String name) {
        HeaderValue value = headers.get(name);
        try {
            return value == null ? "" : value.getString();
        } catch (RuntimeException e) { // it is no text, which cannot be asked for
            return "";
        }
    }

    private ModelException broken() {
        return faults.protocol("the answer has bytes that are no frame of an event stream");
    }
}
