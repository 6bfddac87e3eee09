package dev.chargehand.langchain4j.internal;

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

    private final List<String> calls = new ArrayList<>();
    private String text = "";

    /** Reads what was kept; empty if it is nothing, or another provider's. */
    static Signatures of(@Nullable String state) {
        Signatures signatures = new Signatures();
        if (state == null) {
            return signatures;
        }
        try {
            JsonNode kept = Trees.MAPPER.readTree(state).path(MARK);
            kept.path("calls").forEach(call -> signatures.calls.add(call.asString("")));
            signatures.text = kept.path("text").asString("");
        } catch (JacksonException e) {
            // not ours
        }
        return signatures;
    }

    /** Adds a call's; empty if it has none. */
    void addCall(String signature) {
        calls.add(signature);
    }

    /** Sets that of the text. */
    void ofText(String signature) {
        text = signature;
    }

    String ofCall(int index) {
        return index < calls.size() ? calls.get(index) : "";
    }

    String ofText() {
        return text;
    }

    /** Returns what is to be kept; null if there is nothing. */
    @Nullable
    String state() {
        if (text.isEmpty() && calls.stream().allMatch(String::isEmpty)) {
            return null;
        }
        ObjectNode kept = Trees.MAPPER.createObjectNode();
        ArrayNode list = kept.putArray("calls");
        calls.forEach(list::add);
        if (!text.isEmpty()) {
            kept.put("text", text);
        }
        return Trees.MAPPER.createObjectNode().set(MARK, kept).toString();
    }
}
