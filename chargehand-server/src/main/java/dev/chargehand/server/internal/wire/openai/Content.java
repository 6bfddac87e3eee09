package dev.chargehand.server.internal.wire.openai;

import dev.chargehand.server.internal.wire.Body;
import dev.chargehand.server.internal.wire.WireOptions;
import java.util.Set;

/** The content of a message: a text, or parts that are texts. */
final class Content {

    private static final Set<String> TEXTS = Set.of("text", "input_text", "output_text");

    private static final Set<String> ANSWERS = Set.of("text", "output_text", "input_text", "refusal");

    private Content() {}

    /** Return what an assistant has said: texts, or why it gave no answer. */
    static String ofAssistant(Body message) {
        if (message.json("content").isEmpty()) {
            return message.text("refusal").orElse("");
        }
        return WireOptions.text(message, "content", ANSWERS);
    }

    /** Return the text of a message. */
    static String text(Body message) {
        return WireOptions.text(message, "content", TEXTS);
    }
}
