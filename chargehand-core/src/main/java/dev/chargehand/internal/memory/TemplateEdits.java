package dev.chargehand.internal.memory;

import dev.chargehand.json.Json;
import dev.chargehand.tool.ToolFailureException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Edits of a text: each replaces something that occurs in it once, or adds to its end. */
final class TemplateEdits {

    private record Edit(String find, String write) {}

    private final List<Edit> edits;

    private TemplateEdits(List<Edit> edits) {
        this.edits = edits;
    }

    /** Read the edits of a call, whose arguments fit the tool's schema. */
    static TemplateEdits of(Json arguments) {
        List<Edit> edits = new ArrayList<>();
        int index = 0;
        while (arguments.at("/edits/" + index).isPresent()) {
            edits.add(new Edit(
                    text(arguments, "/edits/" + index + "/find"), text(arguments, "/edits/" + index + "/write")));
            index++;
        }
        return new TemplateEdits(edits);
    }

    private static String text(Json arguments, String pointer) {
        return arguments.at(pointer).flatMap(Json::string).orElse("");
    }

    /**
     * Return a text with all edits.
     *
     * @throws ToolFailureException if one of them does not fit; the message is for the model
     */
    String appliedTo(String text) {
        String edited = text;
        for (Edit edit : edits) {
            edited = applied(edit, edited);
        }
        return edited;
    }

    private static String applied(Edit edit, String text) {
        if (edit.find().isEmpty()) {
            return text.isEmpty() || text.endsWith("\n") ? text + edit.write() : text + "\n" + edit.write();
        }
        int at = text.indexOf(edit.find());
        if (at < 0) {
            throw new ToolFailureException("Nothing was changed: '" + edit.find()
                    + "' does not occur in the working memory. The nearest line is: '" + nearestLine(edit.find(), text)
                    + "'. Give a text that occurs exactly once, or an empty one to add at the end.");
        }
        if (text.indexOf(edit.find(), at + 1) >= 0) {
            throw new ToolFailureException("Nothing was changed: '" + edit.find()
                    + "' occurs more than once in the working memory. Give more of the text around it.");
        }
        return text.substring(0, at)
                + edit.write()
                + text.substring(at + edit.find().length());
    }

    /** Return the line that shares the most words with a text. */
    private static String nearestLine(String find, String text) {
        List<String> words = List.of(find.toLowerCase(Locale.ROOT).split("\\W+"));
        String nearest = "";
        long most = -1;
        for (String line : text.lines().toList()) {
            String lower = line.toLowerCase(Locale.ROOT);
            long shared = words.stream()
                    .filter(word -> !word.isEmpty() && lower.contains(word))
                    .count();
            if (shared > most) {
                most = shared;
                nearest = line;
            }
        }
        return nearest;
    }
}
