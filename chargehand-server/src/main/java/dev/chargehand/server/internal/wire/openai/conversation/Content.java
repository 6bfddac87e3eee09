package dev.chargehand.server.internal.wire.openai.conversation;

import dev.chargehand.json.Json;
import dev.chargehand.message.Part;
import dev.chargehand.server.internal.wire.Body;
import dev.chargehand.server.internal.wire.WireOptions;
import dev.chargehand.server.internal.wire.content.SentImage;
import dev.chargehand.server.internal.wire.content.UserContent;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The content of messages of a protocol: texts, or parts that are texts, and images of users. The names of parts of both protocols are read. Immutable. */
public final class Content {

    private static final String REFUSAL = "refusal";

    private static final Set<String> TEXTS = Set.of("text", "input_text", "output_text");

    private static final Set<String> ANSWERS = Set.of("text", "output_text", "input_text", REFUSAL);

    private static final Set<String> IMAGES = Set.of("image_url", "input_image");

    /** That of chat completions. */
    public static final Content CHAT = new Content("text", "image_url", "text");

    /** That of responses. */
    public static final Content RESPONSES = new Content("input_text", "input_image", "output_text");

    private final List<String> asked;
    private final List<String> answered;
    private final UserContent user;

    private Content(String asked, String image, String answered) {
        this.asked = List.of(asked);
        this.answered = List.of(answered, REFUSAL);
        this.user = new UserContent(TEXTS, List.of(asked, image), Content::image);
    }

    /** Return the image of a part, whose URL is a text in responses and in an object in chat completions. */
    private static Optional<Part.Image> image(Body part) {
        if (part.text("type").filter(IMAGES::contains).isEmpty()) {
            return Optional.empty();
        }
        if (part.json("image_url").filter(Json::isObject).isPresent()) {
            Body at = part.object("image_url").orElseThrow();
            return Optional.of(SentImage.of(at, "url", at));
        }
        if (part.json("image_url").isEmpty() && part.json("file_id").isPresent()) {
            throw part.problem("file_id", "is not offered: send the image in 'image_url'");
        }
        return Optional.of(SentImage.of(part, "image_url", part));
    }

    /** Return a part of a message of a user, as an item of a response or of a conversation has it. */
    public static Optional<Map<String, Object>> shown(Part part) {
        return switch (part) {
            case Part.Text text -> Optional.of(Map.of("type", "input_text", "text", text.text()));
            case Part.Image image ->
                Optional.of(Map.of("type", "input_image", "image_url", image.url(), "detail", "auto"));
            default -> Optional.empty(); // users send no others
        };
    }

    /** Return what a user says and shows. */
    public List<Part> ofUser(Body message) {
        return user.of(message, "content");
    }

    /** Return what an assistant has said: texts, or why it gave no answer. */
    public String ofAssistant(Body message) {
        if (message.json("content").isEmpty()) {
            return message.text(REFUSAL).orElse("");
        }
        return WireOptions.text(message, "content", ANSWERS, answered);
    }

    /** Return the text of a message. */
    public String text(Body message) {
        return WireOptions.text(message, "content", TEXTS, asked);
    }
}
