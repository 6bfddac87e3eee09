package dev.chargehand.server.internal.wire.openai.conversation;

import dev.chargehand.server.internal.route.ReservedNames;
import dev.chargehand.server.internal.wire.Body;
import java.util.Map;

/** Reads the metadata that a request sets. */
public final class Metadata {

    private static final int METADATA = 16;
    private static final int METADATA_LENGTH = 512;

    private Metadata() {}

    /** Return the metadata of a request; none if it has none. */
    public static Map<String, String> of(Body body) {
        Map<String, String> values = body.object("metadata").map(Body::texts).orElse(Map.of());
        boolean fits = values.size() <= METADATA
                && values.entrySet().stream()
                        .allMatch(each -> each.getKey().length() <= METADATA_LENGTH
                                && each.getValue().length() <= METADATA_LENGTH);
        if (!fits) {
            throw body.problem(
                    "metadata",
                    "may have at most " + METADATA + " texts of at most " + METADATA_LENGTH + " characters");
        }
        if (ReservedNames.isAmong(values.keySet())) {
            throw body.problem("metadata", ReservedNames.MESSAGE);
        }
        return values;
    }
}
