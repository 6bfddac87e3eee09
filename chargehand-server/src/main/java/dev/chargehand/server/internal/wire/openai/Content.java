package dev.chargehand.server.internal.wire.openai;

import dev.chargehand.server.internal.wire.Body;
import dev.chargehand.server.internal.wire.WireOptions;
import java.util.Set;

/** The content of a message: a text, or parts that are texts. */
final class Content {

    private static final Set<String> TEXTS = Set.of("text", "input_text", "output_text");

    private Content() {}

    /** Return the text of a message. */
    static String text(Body message) {
        return WireOptions.text(message, "content", TEXTS);
    }
}
