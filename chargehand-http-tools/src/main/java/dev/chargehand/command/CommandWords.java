package dev.chargehand.command;

import dev.chargehand.command.CommandDefinition.Argument;
import dev.chargehand.json.Json;
import dev.chargehand.tool.ToolFailureException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Puts the arguments of a call into a command. One word of the command remains one word, regardless of the arguments.
 */
final class CommandWords {

    private static final Pattern PLACE = Pattern.compile("\\{([A-Za-z][A-Za-z0-9_]*)}");

    private final CommandDefinition entry;

    CommandWords(CommandDefinition entry) {
        this.entry = entry;
    }

    /**
     * Return the program and its arguments.
     *
     * @throws ToolFailureException if an argument would be something else to the program than what it says
     */
    List<String> with(Json arguments) {
        Map<String, String> values = new LinkedHashMap<>();
        entry.arguments().forEach((name, argument) -> values.put(name, value(name, argument, arguments)));
        List<String> words = new ArrayList<>();
        boolean options = true;
        for (String word : entry.command()) {
            options &= !word.equals("--");
            words.add(filled(word, values, options));
        }
        return words;
    }

    private String filled(String word, Map<String, String> values, boolean options) {
        Matcher place = PLACE.matcher(word);
        StringBuilder filled = new StringBuilder();
        List<String> first = new ArrayList<>(); // the arguments that stand before the first character, or have it
        int from = 0;
        while (place.find()) {
            filled.append(word, from, place.start());
            if (filled.isEmpty()) {
                first.add(place.group(1));
            }
            filled.append(values.getOrDefault(place.group(1), place.group()));
            from = place.end();
        }
        filled.append(word, from, word.length());
        if (options && filled.indexOf("-") == 0) {
            first.stream()
                    .filter(this::isFree)
                    .reduce((earlier, later) -> later)
                    .ifPresent(name -> refuse(name, values.getOrDefault(name, "")));
        }
        return filled.toString();
    }

    private static void refuse(String argument, String value) {
        throw new ToolFailureException("'" + argument + "' must not "
                + (value.isEmpty() ? "be empty: the rest of the word starts with '-', and" : "start with '-':")
                + " the program would take it for an option.");
    }

    /** A text that the model chose freely; listed values and numbers may start like an option. */
    private boolean isFree(String name) {
        Argument argument = entry.arguments().get(name);
        return argument != null
                && argument.type() == ArgumentType.TEXT
                && argument.values().isEmpty();
    }

    private static String value(String name, Argument argument, Json arguments) {
        Json given = arguments.fields().get(name);
        String byDefault = argument.byDefault();
        String value = given != null ? given.string().orElseGet(given::text) : byDefault == null ? "" : byDefault;
        if (value.indexOf('\0') >= 0) {
            throw new ToolFailureException("'" + name + "' must not contain a zero character.");
        }
        return value;
    }
}
