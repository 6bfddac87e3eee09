package dev.chargehand.cli.command;

import dev.chargehand.cli.config.CommandEntry;
import dev.chargehand.cli.config.CommandEntry.Argument;
import dev.chargehand.cli.config.Setting;
import dev.chargehand.json.Json;
import dev.chargehand.tool.ToolFailure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Puts the arguments of a call into a command. What was one word of the command stays one, whatever is put into it. */
final class Words {

    private static final Pattern PLACE = Pattern.compile("\\{([A-Za-z][A-Za-z0-9_]*)}");

    private final CommandEntry entry;

    Words(CommandEntry entry) {
        this.entry = entry;
    }

    /**
     * Returns the program and its arguments.
     *
     * @throws ToolFailure if an argument would be something else to the program than what it says
     */
    List<String> with(Json arguments) {
        Map<String, String> values = new LinkedHashMap<>();
        entry.arguments().forEach((name, argument) -> values.put(name, value(name, argument, arguments)));
        List<String> words = new ArrayList<>();
        boolean options = true;
        for (Setting word : entry.command()) {
            options &= !word.text().equals("--");
            words.add(filled(word.text(), values, options));
        }
        return words;
    }

    private String filled(String word, Map<String, String> values, boolean options) {
        Matcher place = PLACE.matcher(word);
        StringBuilder filled = new StringBuilder();
        int from = 0;
        while (place.find()) {
            String value = values.getOrDefault(place.group(1), place.group());
            if (options && place.start() == 0 && mayBeOption(place.group(1), value)) {
                throw new ToolFailure("'" + place.group(1)
                        + "' must not begin with '-': the program would take it for an" + " option.");
            }
            filled.append(word, from, place.start()).append(value);
            from = place.end();
        }
        return filled.append(word, from, word.length()).toString();
    }

    /** A text that the model chose freely; what the file lists or a number can be meant to begin so. */
    private boolean mayBeOption(String name, String value) {
        Argument argument = entry.arguments().get(name);
        return argument != null
                && argument.type() == CommandEntry.Type.TEXT
                && argument.values().isEmpty()
                && value.startsWith("-");
    }

    private static String value(String name, Argument argument, Json arguments) {
        Json given = arguments.fields().get(name);
        String byDefault = argument.byDefault();
        String value = given != null ? given.string().orElseGet(given::text) : byDefault == null ? "" : byDefault;
        if (value.indexOf('\0') >= 0) {
            throw new ToolFailure("'" + name + "' must not contain a zero character.");
        }
        return value;
    }
}
