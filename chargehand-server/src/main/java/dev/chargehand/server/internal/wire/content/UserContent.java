package dev.chargehand.server.internal.wire.content;

import dev.chargehand.json.Json;
import dev.chargehand.message.Part;
import dev.chargehand.server.internal.wire.Body;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads what a user sends in a message: a text, or parts that are texts and images. A wire says how it names them. Immutable. */
public final class UserContent {

    private final Set<String> texts;
    private final List<String> named;
    private final Images images;

    /** Finds the image of a part. */
    public interface Images {

        /** Return the image of a part; empty if it has another type. */
        Optional<Part.Image> of(Body part);
    }

    /**
     * Make it.
     *
     * @param texts the types of parts that are texts
     * @param named the types that a problem names: those that the protocol has at this place
     */
    public UserContent(Set<String> texts, List<String> named, Images images) {
        this.texts = Set.copyOf(texts);
        this.named = List.copyOf(named);
        this.images = images;
    }

    /** Return what a message has in a field. */
    public List<Part> of(Body message, String field) {
        return message.json(field).flatMap(Json::string).isPresent()
                ? List.of(new Part.Text(message.text(field).orElseThrow()))
                : of(message.objects(field));
    }

    /** Return what parts have; texts that follow each other are one. */
    public List<Part> of(List<Body> parts) {
        List<Part> read = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        for (Body part : parts) {
            Optional<Part.Image> image = images.of(part);
            if (image.isPresent()) {
                addText(text, read);
                read.add(image.get());
            } else if (texts.contains(part.text("type").orElse(""))) {
                text.append(part.text("text").orElse(""));
            } else {
                throw part.problem(
                        "type", "must be '" + String.join("' or '", named) + "': other parts are not offered");
            }
        }
        addText(text, read);
        return read;
    }

    private static void addText(StringBuilder text, List<Part> read) {
        if (!text.isEmpty()) {
            read.add(new Part.Text(text.toString()));
            text.setLength(0);
        }
    }
}
