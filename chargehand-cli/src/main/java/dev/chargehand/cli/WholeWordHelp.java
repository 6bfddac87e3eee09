package dev.chargehand.cli;

import dev.chargehand.cli.live.BrokenLines;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.function.IntSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Help whose lines end at spaces only. Picocli also ends one behind the dot of {@code chargehand.yaml} or a slash, as
 * the rules for running text allow. So such characters are letters until the lines are made. On a terminal for which
 * picocli makes too wide lines, they are broken here.
 */
final class WholeWordHelp extends Help {

    /** Before the letters that stand for ASCII, which no text of ours has: Latin Extended-A. */
    private static final char LETTERS = '\u0100';

    /** Picocli makes no lines of fewer than 55 columns, and some of ours have 60. */
    private static final int LEAST_OF_PICOCLI = 60;

    /** So wide that picocli breaks no line. */
    private static final int UNBROKEN = 10_000;

    private static final int INDENT = 6;

    /** A name, and what is said about it in the second column. */
    private static final Pattern NAMED = Pattern.compile("( {1,6}\\S.*?)( {2,})(\\S.*)");

    /** The second column behind a name that is too long for the first. */
    private static final Pattern SECOND = Pattern.compile(" {12,}(\\S.*)");

    private WholeWordHelp(CommandSpec spec, ColorScheme colours) {
        super(spec, colours);
    }

    /** Let a command with all its subcommands show such help. */
    static CommandLine in(IntSupplier columns, CommandLine command) {
        command.setHelpFactory((spec, colours) -> {
            if (isNarrow(columns.getAsInt())) {
                spec.usageMessage().autoWidth(false).width(UNBROKEN);
                return new WholeWordHelp(spec, defaultColorScheme(Ansi.OFF)); // escapes have no width
            }
            return new WholeWordHelp(spec, colours);
        });
        protect(columns, command);
        return command;
    }

    private static boolean isNarrow(int columns) {
        return columns > 0 && columns < LEAST_OF_PICOCLI - 1; // the last column stays empty
    }

    private static void protect(IntSupplier columns, CommandLine command) {
        UsageMessageSpec usage = command.getCommandSpec().usageMessage();
        usage.description(protectedAll(usage.description()));
        usage.footer(protectedAll(usage.footer()));
        LinkedHashMap<String, String> codes = new LinkedHashMap<>();
        usage.exitCodeList().forEach((code, meaning) -> codes.put(code, whole(meaning)));
        usage.exitCodeList(codes);
        command.getHelpSectionMap().replaceAll((section, renderer) -> help -> {
            String text = restored(renderer.render(help));
            int most = columns.getAsInt();
            return isNarrow(most) ? narrow(text, most) : text;
        });
        command.getSubcommands().values().forEach(each -> protect(columns, each));
    }

    /** Break lines, and put the description of a long name in the next line. */
    private static String narrow(String text, int columns) {
        return text.lines()
                .flatMap(line -> apart(line, columns))
                .flatMap(line -> BrokenLines.of(line, columns).stream())
                .map(line -> line + System.lineSeparator())
                .collect(Collectors.joining());
    }

    private static Stream<String> apart(String line, int columns) {
        Matcher named = NAMED.matcher(line);
        if (named.matches()) {
            return named.start(3) <= columns / 2
                    ? Stream.of(line)
                    : Stream.of(named.group(1), " ".repeat(INDENT) + named.group(3));
        }
        Matcher second = SECOND.matcher(line);
        return Stream.of(second.matches() ? " ".repeat(INDENT) + second.group(1) : line);
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
