package dev.chargehand.event;

import dev.chargehand.annotation.Experimental;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The place of a reader among the events of several root runs, with which it can continue in any process.
 *
 * <p>{@link #toString()} returns it as a text that {@link #parse} reads. But for its version, the text has no meaning. It grows with
 * the runs that have not ended, and with those of the last five minutes.
 *
 * @param of names the runs that are read
 * @param from of the runs that started before it, those were read to their end that are not {@code open}
 * @param open the runs that were not read to their end, each with the last event that the reader has received, if any
 * @param ended the runs that started at {@code from} or later and were read to their end
 */
@Experimental
public record RunsCursor(String of, Instant from, Map<RunId, Optional<Cursor>> open, Set<RunId> ended) {

    private static final String VERSION = "1.";

    public RunsCursor {
        Objects.requireNonNull(of, "of");
        Objects.requireNonNull(from, "from");
        open = Map.copyOf(open);
        ended = Set.copyOf(ended);
    }

    /**
     * Read a cursor.
     *
     * @throws IllegalArgumentException if it is not one, or one of a later version
     */
    public static RunsCursor parse(String text) {
        if (!text.startsWith(VERSION)) {
            throw invalid(text, null);
        }
        try {
            byte[] form = Base64.getUrlDecoder().decode(text.substring(VERSION.length()));
            return ofForm(Json.parse(new String(form, StandardCharsets.UTF_8)));
        } catch (RuntimeException e) {
            throw invalid(text, e);
        }
    }

    private static RunsCursor ofForm(Json form) {
        Map<RunId, Optional<Cursor>> open = new LinkedHashMap<>();
        form.at("/open").orElseThrow().fields().forEach((run, last) -> {
            String cursor = last.string().orElseThrow();
            open.put(new RunId(run), cursor.isEmpty() ? Optional.empty() : Optional.of(Cursor.parse(cursor)));
        });
        Set<RunId> ended = new LinkedHashSet<>();
        form.at("/ended").orElseThrow().fields().keySet().forEach(run -> ended.add(new RunId(run)));
        return new RunsCursor(text(form, "/of"), Instant.parse(text(form, "/from")), open, ended);
    }

    private static String text(Json form, String pointer) {
        return form.at(pointer).flatMap(Json::string).orElseThrow();
    }

    private static IllegalArgumentException invalid(String text, @Nullable Throwable cause) {
        return new IllegalArgumentException(
                "'" + text
                        + "' is not a cursor of several runs; use the text of a cursor that a reader of a thread or of"
                        + " background tasks has returned.",
                cause);
    }

    @Override
    public String toString() {
        Map<String, String> last = new LinkedHashMap<>();
        open.forEach((run, cursor) ->
                last.put(run.value(), cursor.map(Cursor::toString).orElse("")));
        Map<String, Boolean> over = new LinkedHashMap<>();
        ended.forEach(run -> over.put(run.value(), true));
        String form = Json.of(Map.of("of", of, "from", from.toString(), "open", last, "ended", over))
                .canonical()
                .text();
        return VERSION + Base64.getUrlEncoder().withoutPadding().encodeToString(form.getBytes(StandardCharsets.UTF_8));
    }
}
