package dev.chargehand.langchain4j.internal.wire;

import dev.chargehand.provider.stream.TokenCount;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** JSON as trees, nesting capped. */
public final class Trees {

    /** The limit of a run (64 levels), and the envelope around it. */
    private static final int MAX_NESTING = 80;

    /** Pictures are in requests as text. */
    private static final int MAX_TEXT = 256 << 20;

    /** Reads and writes them. */
    public static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_NESTING)
                            .maxStringLength(MAX_TEXT)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private Trees() {}

    /** Return a count of tokens; what there is already if the field is missing or no number. */
    public static long count(JsonNode usage, String field, long otherwise) {
        JsonNode count = usage.path(field);
        return count.isNumber() ? TokenCount.of(count.asString()) : otherwise;
    }

    /** Return the elements of a list that are objects and have a field of a value; empty if it is not a list. */
    public static List<ObjectNode> with(JsonNode list, String field, String value) {
        List<ObjectNode> found = new ArrayList<>();
        for (JsonNode each : list) {
            if (each instanceof ObjectNode object
                    && object.path(field).asString("").equals(value)) {
                found.add(object);
            }
        }
        return found;
    }
}
