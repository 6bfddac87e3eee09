package dev.chargehand.config;

import dev.chargehand.command.CommandDefinition;
import dev.chargehand.command.CommandDefinition.Argument;
import dev.chargehand.document.Mistakes;
import dev.chargehand.document.NameSuggestions;
import dev.chargehand.document.Position;
import dev.chargehand.document.Section;
import dev.chargehand.document.Setting;
import dev.chargehand.document.ValueKind;
import dev.chargehand.openapi.ToolNames;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the tools that run programs. */
final class CommandReader {

    /** What stands for an argument in a command. */
    private static final Pattern PLACE = Pattern.compile("\\{([^{}]*)}");

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,63}");
    private static final Map<String, CommandDefinition.Type> TYPES = Map.of(
            "text",
            CommandDefinition.Type.TEXT,
            "integer",
            CommandDefinition.Type.INTEGER,
            "number",
            CommandDefinition.Type.NUMBER,
            "boolean",
            CommandDefinition.Type.BOOLEAN);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int MAX_OUTPUT = 16_384;

    private final Mistakes mistakes;

    private CommandReader(Mistakes mistakes) {
        this.mistakes = mistakes;
    }

    static Map<String, CommandDefinition> all(Section file, Collection<String> taken) {
        CommandReader reader = new CommandReader(file.mistakes());
        Section section = file.section("tools", "'tools'");
        Map<String, CommandDefinition> commands = new LinkedHashMap<>();
        for (String name : section.keys()) {
            if (taken.contains(name)) {
                reader.mistakes.add(
                        section.at(name),
                        "tool '" + Section.shown(name)
                                + "' is there already, without a definition. Give yours another name.");
            }
            if (!section.isSection(name) || !OpenApiReader.isMeant(section.section(name, ""))) {
                commands.put(name, reader.command(name, section));
            }
        }
        return commands;
    }

    private CommandDefinition command(String name, Section listed) {
        Position at = listed.at(name);
        String what = "tool '" + Section.shown(name) + "'";
        ToolNames.require(name, what, at, mistakes);
        Section section = listed.section(name, what).allowing(Keys.COMMAND);
        if (!section.has("description")) {
            mistakes.add(at, what + " needs 'description': the model decides by it when to call the tool.");
        }
        if (!section.has("command")) {
            mistakes.add(at, what + " needs 'command', such as command: [wc, -w, \"{file}\"].");
        }
        Map<String, Argument> arguments = arguments(section, what);
        List<Setting> command = command(section, what, arguments);
        Boolean approval = section.flag("approval");
        Duration timeout = section.value("timeout", ValueKind.TIME);
        Integer maxOutput = section.value("maxOutput", ValueKind.from(1));
        return new CommandDefinition(
                name,
                at,
                section.textOr("description", ""),
                command,
                arguments,
                approval == null || approval,
                Boolean.TRUE.equals(section.flag("repeatable")),
                Boolean.TRUE.equals(section.flag("polling")),
                timeout == null ? TIMEOUT : timeout,
                maxOutput == null ? MAX_OUTPUT : maxOutput,
                section.text("folder"),
                section.texts("environment"));
    }

    private List<Setting> command(Section section, String what, Map<String, Argument> arguments) {
        if (!section.has("command")) {
            return List.of();
        }
        List<Setting> command = section.list("command");
        if (command.isEmpty()) {
            if (section.isList("command")) {
                mistakes.add(section.at("command"), "'command' of " + what + " is empty. The program comes first.");
            }
            return List.of();
        }
        if (PLACE.matcher(command.getFirst().text()).find()) {
            mistakes.add(
                    command.getFirst().at(),
                    "'command' of " + what + " must begin with a program, which no argument can choose.");
        }
        Set<String> used = new LinkedHashSet<>();
        for (Setting word : command) {
            Matcher place = PLACE.matcher(word.text());
            while (place.find()) {
                String name = place.group(1);
                used.add(name);
                if (!arguments.containsKey(name)) {
                    mistakes.add(
                            word.at(),
                            "'{" + Section.shown(name) + "}' in 'command' of " + what + " is none of its arguments."
                                    + NameSuggestions.allowed("There are", name, arguments.keySet()));
                }
            }
        }
        for (String name : arguments.keySet()) {
            if (!used.contains(name)) {
                mistakes.add(
                        section.at("command"),
                        "argument '" + name + "' of " + what + " stands nowhere in its command. Put '{" + name
                                + "}' where it belongs, or leave it out.");
            }
        }
        return command;
    }

    private Map<String, Argument> arguments(Section section, String what) {
        Section listed = section.section("arguments", "'arguments' of " + what);
        Map<String, Argument> arguments = new LinkedHashMap<>();
        for (String name : listed.keys()) {
            String its = "argument '" + Section.shown(name) + "' of " + what;
            if (!NAME.matcher(name).matches()) {
                mistakes.add(
                        listed.at(name),
                        its + " has a name that cannot be used. Allowed are letters, digits and '_', a letter first.");
            }
            arguments.put(name, argument(listed.section(name, its).allowing(Keys.ARGUMENT), its));
        }
        return Collections.unmodifiableMap(arguments);
    }

    private Argument argument(Section section, String its) {
        if (!section.has("description")) {
            mistakes.add(section.at(), its + " needs 'description': the model has to know what it is.");
        }
        CommandDefinition.Type type = section.choice("type", TYPES);
        List<String> values =
                section.texts("values").stream().map(Setting::text).toList();
        if (!values.isEmpty() && type != null && type != CommandDefinition.Type.TEXT) {
            mistakes.add(section.at("values"), "'values' of " + its + " are texts; leave 'type' out.");
        }
        Setting byDefault = section.text("default");
        CommandDefinition.Type kept = type == null ? CommandDefinition.Type.TEXT : type;
        if (byDefault != null && !fits(byDefault.text(), kept, values)) {
            mistakes.add(
                    byDefault.at(),
                    "'default' of " + its + " is not what the argument may be, but '" + Section.shown(byDefault.text())
                            + "'."
                            + (values.isEmpty() ? "" : NameSuggestions.allowed("Allowed", byDefault.text(), values)));
        }
        return new Argument(
                section.textOr("description", ""), kept, values, byDefault == null ? null : byDefault.text());
    }

    private static boolean fits(String text, CommandDefinition.Type type, List<String> values) {
        return switch (type) {
            case TEXT -> values.isEmpty() || values.contains(text);
            case INTEGER -> text.matches("-?\\d{1,18}");
            case NUMBER -> text.matches("-?\\d{1,18}(\\.\\d{1,18})?");
            case BOOLEAN -> text.equals("true") || text.equals("false");
        };
    }
}
