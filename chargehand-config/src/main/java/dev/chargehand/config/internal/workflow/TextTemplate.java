package dev.chargehand.config.internal.workflow;

import dev.chargehand.document.Mistakes;
import dev.chargehand.document.Setting;
import dev.chargehand.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text in which a JSON Pointer in braces, such as <code>{/input/name}</code>, stands for a value of the run. A value is inserted as it is:
 * a placeholder in it is text. Other braces are text, and a brace before a placeholder makes it text. Immutable.
 */
public final class TextTemplate {

    private static final Pattern PLACE = Pattern.compile("\\{(\\{/)|\\{(/[^{}\\s]*)}");

    private final List<Part> parts;

    private sealed interface Part {}

    private record Plain(String text) implements Part {}

    private record Place(ValuePointer pointer) implements Part {}

    private TextTemplate(List<Part> parts) {
        this.parts = List.copyOf(parts);
    }

    /**
     * Read a template; wrong pointers are noted.
     *
     * @param kept the outputs that exist at its place
     */
    static TextTemplate of(Setting setting, KeptOutputs kept, Mistakes mistakes) {
        List<Part> parts = new ArrayList<>();
        String text = setting.text();
        Matcher place = PLACE.matcher(text);
        int end = 0;
        while (place.find()) {
            parts.add(new Plain(text.substring(end, place.start())));
            end = place.end();
            if (place.group(1) != null) {
                parts.add(new Plain(place.group(1)));
                continue;
            }
            ValuePointer.Parsed parsed = ValuePointer.parse(setting.at(), place.group(2), kept);
            if (parsed.pointer() == null) {
                mistakes.add(setting.at(), "placeholder " + parsed.mistake());
            } else {
                parts.add(new Place(parsed.pointer()));
            }
        }
        parts.add(new Plain(text.substring(end)));
        return new TextTemplate(parts.stream()
                .filter(part -> !(part instanceof Plain plain && plain.text().isEmpty()))
                .toList());
    }

    /** Return the text with the values of a run: texts as they are, others as JSON. */
    public String text(RunValues values) {
        StringBuilder text = new StringBuilder();
        for (Part part : parts) {
            switch (part) {
                case Plain plain -> text.append(plain.text());
                case Place place -> {
                    Json value = place.pointer().get(values);
                    text.append(value.string().orElseGet(value::text));
                }
            }
        }
        return text.toString();
    }

    /** Return the value of the only placeholder, if it is all of the text; else the text. */
    Json value(RunValues values) {
        Optional<Part> only = parts.size() == 1 ? Optional.of(parts.getFirst()) : Optional.empty();
        return only.isPresent() && only.get() instanceof Place place
                ? place.pointer().get(values)
                : Json.of(text(values));
    }
}
