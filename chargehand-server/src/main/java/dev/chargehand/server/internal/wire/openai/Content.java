package dev.chargehand.server.internal.wire.openai;

import dev.chargehand.server.internal.wire.Body;
import dev.chargehand.server.internal.wire.WireOptions;
import java.util.List;
import java.util.Set;

/** The content of messages of a protocol: texts, or parts that are texts. The names of parts of both protocols are read. Immutable. */
final class Content {

    /** That of chat completions. */
    static final Content CHAT = new Content("text", "text");

    /** That of responses. */
    static final Content RESPONSES = new Content("input_text", "output_text");

    private static final String REFUSAL = "refusal";

    private static final Set<String> TEXTS = Set.of("text", "input_text", "output_text");

    private static final Set<String> ANSWERS = Set.of("text", "output_text", "input_text", REFUSAL);

    private final List<String> asked;
    private final List<String> answered;

    private Content(String asked, String answered) {
        this.asked = List.of(asked);
        this.answered = List.of(answered, REFUSAL);
    }

    /** Return what an assistant has said: texts, or why it gave no answer. */
    String ofAssistant(Body message) {
        if (message.json("content").isEmpty()) {
            return message.text(REFUSAL).orElse("");
        }
        return WireOptions.text(message, "content", ANSWERS, answered);
    }

    /** Return the text of a message. */
    String text(Body message) {
        return WireOptions.text(message, "content", TEXTS, asked);
    }
}
