package dev.chargehand.langchain4j.internal;

import dev.chargehand.langchain4j.internal.wire.Trees;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What providers of Anthropic's models want back with an answer: the blocks of its thinking with their signatures. Not
 * thread-safe.
 *
 * <p>The words are in the answer's reasoning already: here stands how many characters of it belong to each block. Where
 * thinking comes after text or calls, its place among them is kept too: a signature holds only there.
 */
public final class Thoughts {

    private static final String ORDER = "order";
    private static final String THOUGHT = "t";
    private static final String CALL = "c";
    private static final String TEXT = "x";
    private static final Pattern TEXT_LENGTH = Pattern.compile(TEXT + "[0-9]{1,9}");

    private final String mark;
    private final List<String> order = new ArrayList<>();
    private int textCharacters;
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
            place(THOUGHT);
            signature = new StringBuilder();
        } else if (characters > 0) {
            blocks.addObject().put("length", characters);
        }
        characters = 0;
    }

    /** Add a block with hidden text. */
    public void redacted(String data) {
        blocks.addObject().put("data", data);
        place(THOUGHT);
    }

    /** Note text of the answer between the blocks. */
    public void text(String more) {
        textCharacters += more.length();
    }

    /** Note a call between the blocks. */
    public void call() {
        place(CALL);
    }

    private void place(String what) {
        if (textCharacters > 0) {
            order.add(TEXT + textCharacters);
            textCharacters = 0;
        }
        order.add(what);
    }

    /** Return what is to be kept; null if there is nothing. */
    public @Nullable String state() {
        boolean needed = false;
        for (JsonNode block : blocks) {
            needed |= block.has("signature") || block.has("data");
        }
        if (!needed) {
            return null;
        }
        ObjectNode state = Trees.MAPPER.createObjectNode();
        state.set(mark, blocks);
        if (order.lastIndexOf(THOUGHT) >= Collections.frequency(order, THOUGHT)) {
            place(TEXT);
            state.put(ORDER, String.join(" ", order.subList(0, order.size() - 1)));
        }
        return state.toString();
    }

    /**
     * Put the blocks of an earlier answer where they were among its text and its calls, if they were not all in front.
     *
     * @param content the blocks, then the text if there is any, then the calls
     * @param thoughts how many blocks of thinking there are
     */
    public static void arrange(ArrayNode content, int thoughts, Conversation.Said said) {
        String kept = kept(ORDER, said.providerState()).asString("");
        List<JsonNode> left = new ArrayList<>();
        content.forEach(left::add);
        List<JsonNode> thinking = left.subList(0, thoughts);
        boolean hasText = left.size() > thoughts && left.get(thoughts).has("text");
        String text = hasText ? left.get(thoughts).path("text").asString("") : "";
        List<JsonNode> calls = left.subList(thoughts + (hasText ? 1 : 0), left.size());
        ArrayNode arranged = Trees.MAPPER.createArrayNode();
        int thought = 0;
        int call = 0;
        int from = 0;
        for (String each : kept.split(" ", -1)) {
            if (each.equals(THOUGHT) && thought < thinking.size()) {
                arranged.add(thinking.get(thought++));
            } else if (each.equals(CALL) && call < calls.size()) {
                arranged.add(calls.get(call++));
            } else if (TEXT_LENGTH.matcher(each).matches()) {
                int to = Math.min(text.length(), from + Integer.parseInt(each.substring(1)));
                if (!text.substring(from, to).isBlank()) {
                    arranged.add(((ObjectNode) left.get(thoughts).deepCopy()).put("text", text.substring(from, to)));
                }
                from = to;
            }
        }
        // Somebody changed the answer: then the blocks stay in front.
        if (thought == thinking.size() && call == calls.size() && from == text.length() && thought > 0) {
            content.removeAll();
            content.addAll(arranged);
        }
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
