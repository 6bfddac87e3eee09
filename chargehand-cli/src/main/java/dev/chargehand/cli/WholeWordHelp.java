package dev.chargehand.cli;

import java.util.Arrays;
import java.util.LinkedHashMap;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Help whose lines end at spaces only. Picocli also ends one behind the dot of {@code chargehand.yaml} or a slash, as
 * the rules for running text allow. So such characters are letters until the lines are made.
 */
final class WholeWordHelp extends Help {

    /** Before the letters that stand for ASCII, which no text of ours has: Latin Extended-A. */
    private static final char LETTERS = '\u0100';

    private WholeWordHelp(CommandSpec spec, ColorScheme colours) {
        super(spec, colours);
    }

    /** Let a command with all its subcommands show such help. */
    static CommandLine in(CommandLine command) {
        command.setHelpFactory(WholeWordHelp::new);
        protect(command);
        return command;
    }

    private static void protect(CommandLine command) {
        UsageMessageSpec usage = command.getCommandSpec().usageMessage();
        usage.description(protectedAll(usage.description()));
        usage.footer(protectedAll(usage.footer()));
        LinkedHashMap<String, String> codes = new LinkedHashMap<>();
        usage.exitCodeList().forEach((code, meaning) -> codes.put(code, whole(meaning)));
        usage.exitCodeList(codes);
        command.getHelpSectionMap().replaceAll((section, renderer) -> help -> restored(renderer.render(help)));
        command.getSubcommands().values().forEach(WholeWordHelp::protect);
    }

    private static String[] protectedAll(String[] texts) {
        return Arrays.stream(texts).map(WholeWordHelp::whole).toArray(String[]::new);
    }

    @Override
    public IOptionRenderer createDefaultOptionRenderer() {
        IOptionRenderer renderer = super.createDefaultOptionRenderer();
        return (option, label, colours) -> described(renderer.render(option, label, colours), colours);
    }

    @Override
    public IParameterRenderer createDefaultParameterRenderer() {
        IParameterRenderer renderer = super.createDefaultParameterRenderer();
        return (parameter, label, colours) -> described(renderer.render(parameter, label, colours), colours);
    }

    /** The description is the last column. */
    private static Text[][] described(Text[][] rows, ColorScheme colours) {
        for (Text[] row : rows) {
            int last = row.length - 1;
            row[last] = colours.text(whole(row[last].plainString()));
        }
        return rows;
    }

    private static String whole(String text) {
        StringBuilder whole = new StringBuilder(text);
        for (int i = 0; i + 1 < text.length(); i++) {
            char c = text.charAt(i);
            if ("./:|=?!,;'\"(){}$%".indexOf(c) >= 0 && !Character.isWhitespace(text.charAt(i + 1))) {
                whole.setCharAt(i, (char) (LETTERS + c));
            }
        }
        return whole.toString();
    }

    private static String restored(String text) {
        return text.chars()
                .map(c -> c > LETTERS && c < LETTERS + 128 ? c - LETTERS : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
