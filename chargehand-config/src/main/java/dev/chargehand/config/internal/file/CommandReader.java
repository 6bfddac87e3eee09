package dev.chargehand.config.internal.file;

import dev.chargehand.command.CommandTool;
import dev.chargehand.command.CommandTool.ArgumentOptions;
import dev.chargehand.config.internal.key.CommandKeys;
import dev.chargehand.document.Mistakes;
import dev.chargehand.document.Section;
import dev.chargehand.document.Setting;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the tools that run programs. */
final class CommandReader {

    private final Mistakes mistakes;
    private final Path folder;

    private CommandReader(Mistakes mistakes, Path folder) {
        this.mistakes = mistakes;
        this.folder = folder;
    }

    /**
     * Read them all.
     *
     * @param folder the folder of the agents' file
     * @param taken the names of tools without a definition
     */
    static Map<String, CommandTool> all(Section file, Path folder, Collection<String> taken) {
        CommandReader reader = new CommandReader(file.mistakes(), folder);
        Section section = file.section("tools", "'tools'");
        Map<String, CommandTool> commands = new LinkedHashMap<>();
        for (String name : section.keys()) {
            if (taken.contains(name)) {
                reader.mistakes.add(
                        section.at(name),
                        "tool '" + Section.shown(name)
                                + "' exists already, without a definition. Give yours another name.");
            }
            if (!section.isSection(name) || !OpenApiReader.isMeant(section.section(name, ""))) {
                commands.put(name, reader.command(name, section));
            }
        }
        return commands;
    }

    private CommandTool command(String name, Section listed) {
        String what = "tool '" + Section.shown(name) + "'";
        Section section = listed.section(name, what).allowing(CommandKeys.SECTION.names());
        CommandTool.Builder tool = CommandTool.builder(name, section.textOr("description", ""))
                .at("", listed.at(name))
                .at("description", section.valueAt("description"))
                .folder(folder);
        words(section, tool);
        Section arguments = section.section("arguments", "'arguments' of " + what);
        for (String argument : arguments.keys()) {
            tool.at("arguments." + argument, arguments.at(argument));
            String its = "argument '" + Section.shown(argument) + "' of " + what;
            argument(argument, arguments.section(argument, its).allowing(CommandKeys.Argument.SECTION.names()), tool);
        }
        SectionValues.pass(CommandKeys.APPROVAL.in(section), tool::approval);
        SectionValues.pass(CommandKeys.REPEATABLE.in(section), tool::repeatable);
        SectionValues.pass(CommandKeys.POLLING.in(section), tool::polling);
        SectionValues.pass(CommandKeys.TIMEOUT.in(section), tool::timeout);
        SectionValues.pass(CommandKeys.MAX_OUTPUT.in(section), tool::maxOutput);
        SectionValues.pass(section.text("folder"), named -> folder(named, what, tool));
        return tool.environment(SectionValues.texts(section.texts("environment")))
                .build(mistakes);
    }

    private static void words(Section section, CommandTool.Builder tool) {
        List<Setting> words = section.list("command");
        tool.at("command", SectionValues.placeOfList(section, "command"));
        for (int i = 0; i < words.size(); i++) {
            tool.at("command." + i, words.get(i).at());
        }
        tool.command(SectionValues.texts(words));
    }

    private static void argument(String name, Section section, CommandTool.Builder tool) {
        String option = "arguments." + name;
        tool.at(option + ".description", section.valueAt("description")).at(option + ".values", section.at("values"));
        SectionValues.pass(section.text("default"), byDefault -> tool.at(option + ".default", byDefault.at()));
        tool.addArgument(name, section.textOr("description", ""), argument -> options(section, argument));
    }

    private static void options(Section section, ArgumentOptions argument) {
        SectionValues.pass(CommandKeys.Argument.TYPE.in(section), argument::type);
        List<Setting> values = section.texts("values");
        if (values.isEmpty() && section.isList("values")) {
            section.mistakes()
                    .add(
                            section.at("values"),
                            "'values' of an argument lists none. Name the allowed texts, or leave it out.");
        }
        argument.values(SectionValues.texts(values));
        SectionValues.pass(section.text("default"), byDefault -> argument.defaultValue(byDefault.text()));
    }

    private void folder(Setting named, String what, CommandTool.Builder tool) {
        try {
            tool.at("folder", named.at()).folder(folder.resolve(named.text()));
        } catch (InvalidPathException e) {
            mistakes.add(
                    named.at(),
                    "'folder' of " + what + " is no path of a folder, but '" + Section.shown(named.text()) + "'.");
        }
    }
}
