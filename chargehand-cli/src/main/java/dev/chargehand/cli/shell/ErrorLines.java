package dev.chargehand.cli.shell;

import dev.chargehand.RunReleasedException;
import dev.chargehand.cli.output.Visible;
import dev.chargehand.document.NameSuggestions;
import dev.chargehand.error.ChargehandException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says in one line what is wrong with a command line, and where to look. */
public final class ErrorLines {

    private static final int LONGEST = 500;

    private ErrorLines() {}

    public static String explain(ParameterException e) {
        CommandSpec spec = e.getCommandLine().getCommandSpec();
        return "chargehand: " + said(e, spec) + " '" + spec.qualifiedName() + " --help' lists what is available.";
    }

    /** Describe an error in one line. */
    public static String explain(ChargehandException e) {
        if (e instanceof RunReleasedException released && released.isStored()) {
            return "chargehand: stopped before run " + released.runId() + " had ended; it is stored, and"
                    + " 'chargehand resume' or 'chargehand recover' continues it.";
        }
        return "chargehand: "
                + Visible.line(Passwords.hidden(String.valueOf(e.getMessage())) + OptionHints.of(e), 2_000);
    }

    private static String said(ParameterException e, CommandSpec spec) {
        if (!(e instanceof UnmatchedArgumentException unmatched)
                || unmatched.getUnmatched().isEmpty()) {
            String message = Visible.line(Passwords.hidden(String.valueOf(e.getMessage())), LONGEST)
                    .replaceFirst("' is not an int$", "' is not a whole number up to " + Integer.MAX_VALUE);
            return message.endsWith(".") ? message : message + ".";
        }
        String wrong = Passwords.hidden(unmatched.getUnmatched().getFirst());
        String shown = Visible.line(wrong, LONGEST);
        if (unmatched.isUnknownOption()) {
            return "unknown option '" + shown + "'."
                    + (spec.name().equals("run") && wrong.indexOf(' ') > 0
                            ? " Put -- before a prompt that starts with a dash."
                            : NameSuggestions.meant(wrong, spec.optionsMap().keySet()));
        }
        return spec.subcommands().isEmpty()
                ? "'" + shown + "' is one word too many."
                        + (spec.name().equals("run") ? " Put a prompt of several words in quotes." : "")
                : "unknown command '" + shown + "'." + NameSuggestions.allowed("There are", wrong, commands(spec));
    }

    private static List<String> commands(CommandSpec spec) {
        return spec.subcommands().entrySet().stream()
                .filter(command ->
                        !command.getValue().getCommandSpec().usageMessage().hidden())
                .map(Map.Entry::getKey)
                .toList();
    }
}
