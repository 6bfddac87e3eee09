package dev.chargehand.server.internal.wire.openai;

import dev.chargehand.json.Json;
import dev.chargehand.server.internal.wire.Body;
import java.util.Optional;
import java.util.Set;

/** The content of a message: a text, or parts that are texts. */
final class Content {

    private static final Set<String> TEXTS = Set.of("text", "input_text", "output_text");

    private Content() {}

    /** Return the text of a message. */
    static String text(Body message) {
        Optional<Json> content = message.json("content");
        if (content.flatMap(Json::string).isPresent()) {
            return message.text("content").orElseThrow();
        }
        StringBuilder text = new StringBuilder();
        for (Body part : message.objects("content")) {
            if (!TEXTS.contains(part.text("type").orElse(""))) {
                throw part.problem("type", "must be 'text': other parts are not offered");
            }
            text.append(part.text("text").orElse(""));
        }
        return text.toString();
    }
}
