package dev.chargehand.langchain4j.internal;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What Anthropic wants back with an answer: the blocks of its thinking with their signatures.
 *
 * <p>The words are in the answer's reasoning already: here stands how many characters of it belong to each block.
 */
final class Thoughts {

    private static final String MARK = "anthropic";

    private final ArrayNode blocks = Trees.MAPPER.createArrayNode();
    private int characters;
    private StringBuilder signature = new StringBuilder();

    /** Adds words to the block that is being written. */
    void words(String more) {
        characters += more.length();
    }

    /** Adds to the signature of the block that is being written. */
    void signature(String more) {
        signature.append(more);
    }

    /** Ends a block of thinking. */
    void endBlock() {
        if (!signature.isEmpty()) {
            blocks.addObject().put("length", characters).put("signature", signature.toString());
            signature = new StringBuilder();
        } else if (characters > 0) {
            blocks.addObject().put("length", characters);
        }
        characters = 0;
    }

    /** Adds a block whose words nobody is shown. */
    void redacted(String data) {
        blocks.addObject().put("data", data);
    }

    /** Returns what is to be kept; null if there is nothing. */
    @Nullable
    String state() {
        boolean needed = false;
        for (JsonNode block : blocks) {
            needed |= block.has("signature") || block.has("data");
        }
        return needed ? Trees.MAPPER.createObjectNode().set(MARK, blocks).toString() : null;
    }

    /** Returns the blocks of an earlier answer as they were; empty if there are none, or another provider's. */
    static List<ObjectNode> blocks(@Nullable String state, String reasoning) {
        List<ObjectNode> blocks = new ArrayList<>();
        int from = 0;
        for (JsonNode kept : kept(state)) {
            ObjectNode block = Trees.MAPPER.createObjectNode();
            if (kept.has("data")) {
                blocks.add(block.put("type", "redacted_thinking")
                        .put("data", kept.path("data").asString("")));
                continue;
            }
            int length = kept.path("length").asInt(0);
            if (from + length > reasoning.length()) {
                return List.of(); // somebody changed the reasoning: its signature is void
            }
            if (kept.has("signature")) {
                blocks.add(block.put("type", "thinking")
                        .put("thinking", reasoning.substring(from, from + length))
                        .put("signature", kept.path("signature").asString("")));
            }
            from += length;
        }
        return blocks;
    }

    private static JsonNode kept(@Nullable String state) {
        if (state == null) {
            return Trees.MAPPER.createArrayNode();
        }
        try {
            return Trees.MAPPER.readTree(state).path(MARK);
        } catch (JacksonException e) {
            return Trees.MAPPER.createArrayNode();
        }
    }
}
