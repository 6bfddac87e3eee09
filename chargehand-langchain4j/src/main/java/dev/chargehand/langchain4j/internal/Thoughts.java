package dev.chargehand.langchain4j.internal;

import dev.chargehand.langchain4j.internal.wire.Trees;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * What providers of Anthropic's models want back with an answer: the blocks of its thinking with their signatures. Not
 * thread-safe.
 *
 * <p>The words are in the answer's reasoning already: here stands how many characters of it belong to each block.
 */
public final class Thoughts {

    private final String mark;
    private final ArrayNode blocks = Trees.MAPPER.createArrayNode();
    private int characters;
    private StringBuilder signature = new StringBuilder();

    /** Create an empty collector; {@code mark} names the provider, since no other provider accepts them. */
    public Thoughts(String mark) {
        this.mark = mark;
    }

    /**
     * A block of thinking.
     *
     * @param words its text; empty if it is hidden
     * @param signature its signature; empty if the text is hidden
     * @param data the replacement of hidden text; else empty
     */
    public record Block(String words, String signature, String data) {}

    /** Add words to the block that is being written. */
    public void words(String more) {
        characters += more.length();
    }

    /** Add to the signature of the block that is being written. */
    public void signature(String more) {
        signature.append(more);
    }

    /** End a block of thinking. */
    public void endBlock() {
        if (!signature.isEmpty()) {
            blocks.addObject().put("length", characters).put("signature", signature.toString());
            signature = new StringBuilder();
        } else if (characters > 0) {
            blocks.addObject().put("length", characters);
        }
        characters = 0;
    }

    /** Add a block with hidden text. */
    public void redacted(String data) {
        blocks.addObject().put("data", data);
    }

    /** Return what is to be kept; null if there is nothing. */
    public @Nullable String state() {
        boolean needed = false;
        for (JsonNode block : blocks) {
            needed |= block.has("signature") || block.has("data");
        }
        return needed ? Trees.MAPPER.createObjectNode().set(mark, blocks).toString() : null;
    }

    /** Return the blocks of an earlier answer as they were; empty if there are none, or another provider's. */
    public static List<Block> blocks(String mark, Conversation.Said said) {
        String reasoning = said.reasoning();
        List<Block> blocks = new ArrayList<>();
        int from = 0;
        for (JsonNode kept : kept(mark, said.providerState())) {
            if (kept.has("data")) {
                blocks.add(new Block("", "", kept.path("data").asString("")));
                continue;
            }
            int length = kept.path("length").asInt(0);
            if (from + length > reasoning.length()) {
                return List.of(); // somebody changed the reasoning: its signature is void
            }
            if (kept.has("signature")) {
                blocks.add(new Block(
                        reasoning.substring(from, from + length),
                        kept.path("signature").asString(""),
                        ""));
            }
            from += length;
        }
        return blocks;
    }

    private static JsonNode kept(String mark, @Nullable String state) {
        if (state == null) {
            return Trees.MAPPER.createArrayNode();
        }
        try {
            return Trees.MAPPER.readTree(state).path(mark);
        } catch (JacksonException e) {
            return Trees.MAPPER.createArrayNode();
        }
    }
}
