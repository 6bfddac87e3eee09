package dev.chargehand.command;

import dev.chargehand.command.CommandDefinition.Argument;
import dev.chargehand.command.CommandTool.ArgumentOptions;
import dev.chargehand.document.Mistakes;
import dev.chargehand.document.NameSuggestions;
import dev.chargehand.document.Section;
import dev.chargehand.httptools.ToolOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The options of a builder, and their checks. */
final class CommandOptions {

    /** What stands for an argument in a command. */
    private static final Pattern PLACE = Pattern.compile("\\{([^{}]*)}");

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,63}");
    private static final int MAX_OUTPUT = 16_384;

    final ToolOptions common;
    final String description;
    final Map<String, ArgumentOptions> arguments = new LinkedHashMap<>();
    List<String> command = List.of();
    List<String> environment = List.of();

    @Nullable
    Path folder;

    boolean approval = true;
    boolean repeatable;
    boolean polling;

    CommandOptions(String name, String description) {
        this.common = new ToolOptions(name, MAX_OUTPUT, Integer.MAX_VALUE);
        this.description = description;
    }

    /** Return what is described; wrong parts of it are noted. */
    CommandDefinition checked(Mistakes mistakes) {
        common.check(mistakes);
        if (description.isBlank()) {
            mistakes.add(
                    common.place("description"),
                    common.what() + " needs 'description': the model decides by it when to call the tool.");
        }
        checkCommand(mistakes);
        if (folder != null && !Files.isDirectory(folder)) {
            mistakes.add(
                    common.place("folder"),
                    "there is no folder '" + folder + "', in which the " + common.what()
                            + " is to run. Create it, or set another 'folder'.");
        }
        Map<String, Argument> checked = new LinkedHashMap<>();
        arguments.forEach((name, argument) -> checked.put(name, checked(name, argument, mistakes)));
        return new CommandDefinition(
                common.name(),
                description,
                command,
                checked,
                approval,
                repeatable,
                polling,
                common.timeout(),
                common.maxOutput(),
                folder == null ? Path.of("").toAbsolutePath() : folder,
                environment,
                common.place("command.0", "command"));
    }

    private void checkCommand(Mistakes mistakes) {
        String what = common.what();
        if (command.isEmpty()) {
            mistakes.add(
                    common.place("command"),
                    what + " needs 'command', a program and its arguments, such as wc, -w, {file}.");
            return;
        }
        if (PLACE.matcher(command.getFirst()).find()) {
            mistakes.add(
                    common.place("command.0", "command"),
                    "'command' of " + what + " must start with a program, which no argument can choose.");
        }
        Set<String> used = new LinkedHashSet<>();
        for (int i = 0; i < command.size(); i++) {
            Matcher place = PLACE.matcher(command.get(i));
            while (place.find()) {
                String name = place.group(1);
                used.add(name);
                if (!arguments.containsKey(name)) {
                    mistakes.add(
                            common.place("command." + i, "command"),
                            "'{" + Section.shown(name) + "}' in 'command' of " + what + " is not one of its arguments."
                                    + NameSuggestions.allowed("There are", name, arguments.keySet()));
                }
            }
        }
        for (String name : arguments.keySet()) {
            if (!used.contains(name)) {
                mistakes.add(
                        common.place("command"),
                        "argument '" + Section.shown(name) + "' of " + what + " stands nowhere in its command. Put '{"
                                + Section.shown(name) + "}' where it belongs, or leave it out.");
            }
        }
    }

    private Argument checked(String name, ArgumentOptions argument, Mistakes mistakes) {
        String option = "arguments." + name;
        String its = "argument '" + Section.shown(name) + "' of " + common.what();
        if (!NAME.matcher(name).matches()) {
            mistakes.add(
                    common.place(option),
                    its + " has a name that cannot be used. Allowed are letters, digits and '_', a letter first.");
        }
        if (argument.description.isBlank()) {
            mistakes.add(
                    common.place(option + ".description", option),
                    its + " needs 'description': the model has to know what it is.");
        }
        if (!argument.values.isEmpty() && argument.type != ArgumentType.TEXT) {
            mistakes.add(
                    common.place(option + ".values", option), "'values' of " + its + " are texts; leave 'type' out.");
        }
        String byDefault = argument.defaultValue;
        if (byDefault != null && !fits(byDefault, argument)) {
            mistakes.add(
                    common.place(option + ".default", option),
                    "'default' of " + its + " is not what the argument may be, but '" + Section.shown(byDefault) + "'."
                            + (argument.values.isEmpty()
                                    ? ""
                                    : NameSuggestions.allowed("Allowed", byDefault, argument.values)));
        }
        return new Argument(argument.description, argument.type, argument.values, byDefault);
    }

    private static boolean fits(String text, ArgumentOptions argument) {
        return switch (argument.type) {
            case TEXT -> argument.values.isEmpty() || argument.values.contains(text);
            case INTEGER -> text.matches("-?\\d{1,18}");
            case NUMBER -> text.matches("-?\\d{1,18}(\\.\\d{1,18})?");
            case BOOLEAN -> text.equals("true") || text.equals("false");
        };
    }
}
