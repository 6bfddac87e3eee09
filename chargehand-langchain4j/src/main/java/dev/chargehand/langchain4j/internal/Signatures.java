package dev.chargehand.langchain4j.internal;

import dev.chargehand.langchain4j.internal.wire.Trees;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What Gemini wants back with an answer: the signatures of its parts, each with the part that it came with. */
final class Signatures {

    private static final String MARK = "gemini";

    private static final String HASH = "textHash";

    private final List<String> calls = new ArrayList<>();
    private String text = "";
    private int hash;
    private boolean isBound = true;

    /** Read what was kept; empty if it is nothing, or another provider's. */
    static Signatures of(@Nullable String state) {
        Signatures signatures = new Signatures();
        if (state == null) {
            return signatures;
        }
        try {
            JsonNode kept = Trees.MAPPER.readTree(state).path(MARK);
            kept.path("calls").forEach(call -> signatures.calls.add(call.asString("")));
            signatures.text = kept.path("text").asString("");
            signatures.isBound = kept.has(HASH);
            signatures.hash = kept.path(HASH).asInt(0);
        } catch (JacksonException e) {
            // not ours
        }
        return signatures;
    }

    /** Add a call's; empty if it has none. */
    void addCall(String signature) {
        calls.add(signature);
    }

    /** Add a piece of the text. */
    void addText(String more) {
        for (int i = 0; i < more.length(); i++) {
            hash = 31 * hash + more.charAt(i);
        }
    }

    /** Set that of the text. */
    void signText(String signature) {
        text = signature;
    }

    /** Return a call's; empty if it has none, or there were others when they were signed. */
    String ofCall(int index, int count) {
        return count == calls.size() ? calls.get(index) : "";
    }

    /** Return that of a text; empty if it has none, or it was another text that was signed. */
    String ofText(String said) {
        return isBound && hash != said.hashCode() ? "" : text;
    }

    /** Return what is to be kept; null if there is nothing. */
    @Nullable
    String state() {
        if (text.isEmpty() && calls.stream().allMatch(String::isEmpty)) {
            return null;
        }
        ObjectNode kept = Trees.MAPPER.createObjectNode();
        ArrayNode list = kept.putArray("calls");
        calls.forEach(list::add);
        if (!text.isEmpty()) {
            kept.put("text", text).put(HASH, hash);
        }
        return Trees.MAPPER.createObjectNode().set(MARK, kept).toString();
    }
}
