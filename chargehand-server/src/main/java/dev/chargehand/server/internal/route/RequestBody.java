package dev.chargehand.server.internal.route;

import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.json.Json;
import dev.chargehand.server.ServerLimit;
import dev.chargehand.server.internal.http.Deadline;
import dev.chargehand.server.internal.http.Exchange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** Reads the body of a request: a JSON object within bounds. */
final class RequestBody {

    private RequestBody() {}

    /**
     * Read the body.
     *
     * @param time how long it may take to arrive
     * @return an empty object if there is none
     * @throws ProblemException if it is larger or deeper than allowed, or is not a JSON object
     * @throws IOException if the client is gone, or too slow
     */
    static Json read(Exchange exchange, ToLongFunction<ServerLimit> limits, Duration time) throws IOException {
        long mostBytes = limits.applyAsLong(ServerLimit.BODY_BYTES);
        byte[] bytes = bytes(exchange, (int) Math.min(Integer.MAX_VALUE - 8L, mostBytes + 1), time);
        if (bytes.length > mostBytes) {
            throw Problem.BODY_TOO_LARGE.of("The body may have at most " + mostBytes + " bytes.");
        }
        if (bytes.length == 0) {
            return Json.of(Map.of());
        }
        requireMediaType(exchange);
        long mostValues = limits.applyAsLong(ServerLimit.JSON_VALUES);
        if (values(bytes) > mostValues) {
            throw Problem.BAD_JSON.of(
                    "The body may have at most " + mostValues + " values, those in lists and objects included.");
        }
        Json json = parsed(bytes);
        if (!json.isObject()) {
            throw Problem.BAD_JSON.of("The body must be a JSON object.");
        }
        long mostDepth = limits.applyAsLong(ServerLimit.JSON_DEPTH);
        if (json.depth() > mostDepth) {
            throw Problem.BAD_JSON.of("The body may be nested at most " + mostDepth + " levels deep.");
        }
        return json;
    }

    /** Count the values of a JSON text before it is read. */
    private static long values(byte[] json) {
        long values = 1;
        boolean inText = false;
        int before = 0;
        for (int i = 0; i < json.length; i++) {
            int next = json[i];
            if (inText) {
                i += next == '\\' ? 1 : 0;
                inText = next != '"';
            } else if (next > ' ') {
                inText = next == '"';
                boolean opens = next == '[' || next == '{';
                boolean isEmpty = (next == ']' && before == '[') || (next == '}' && before == '{');
                values += opens || next == ',' ? 1 : isEmpty ? -1 : 0;
                before = next;
            }
        }
        return values;
    }

    private static Json parsed(byte[] bytes) {
        try {
            return Json.parse(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException e) {
            throw Problem.BAD_JSON.of("The body must be JSON in UTF-8.");
        } catch (InvalidJsonException e) {
            throw Problem.BAD_JSON.of("The body must be one JSON object. " + HttpWords.of(e));
        }
    }

    /** Read at most so many bytes; a body that arrives too slowly is given up. */
    private static byte[] bytes(Exchange exchange, int most, Duration time) throws IOException {
        Deadline deadline = Deadline.within(time);
        Optional<byte[]> bytes;
        try {
            bytes = Optional.of(exchange.body().readNBytes(most));
        } catch (IOException
                | RuntimeException e) { // a server of HTTP throws either if a connection or a chunk is broken
            bytes = Optional.empty();
        }
        if (!deadline.end()) {
            throw new IOException("The body did not arrive within " + time + ".");
        }
        return bytes.orElseThrow(() -> Problem.BAD_REQUEST
                .of("The body did not arrive as a whole: it ended too early, or is not in valid chunks.")
                .header("Connection", "close"));
    }

    private static void requireMediaType(Exchange exchange) {
        if (!exchange.headers("Content-Encoding").isEmpty()) {
            throw Problem.NOT_JSON.of("A body must be sent as it is, without the header 'Content-Encoding'.");
        }
        List<String> sent = exchange.headers("Content-Type").stream().distinct().toList();
        String[] type = (sent.size() == 1 ? sent.getFirst() : "")
                .toLowerCase(Locale.ROOT)
                .split(";", -1);
        if (!type[0].strip().equals("application/json")) {
            throw Problem.NOT_JSON.of("A body must be sent with the header 'Content-Type: application/json'.");
        }
        boolean otherCharset = Stream.of(type)
                .map(String::strip)
                .anyMatch(part -> part.startsWith("charset") && !part.matches("charset\\s*=\\s*\"?utf-8\"?"));
        if (otherCharset) {
            throw Problem.NOT_JSON.of("A body must be in UTF-8; name it as the charset, or name none.");
        }
    }
}
