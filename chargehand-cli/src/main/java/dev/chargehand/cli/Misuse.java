package dev.chargehand.cli;

import dev.chargehand.cli.config.Names;
import dev.chargehand.cli.output.Visible;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says in one line what is wrong with a command line, and where to look. */
final class Misuse {

    private static final int LONGEST = 500;

    private Misuse() {}

    static String explain(ParameterException e) {
        CommandSpec spec = e.getCommandLine().getCommandSpec();
        return "chargehand: " + said(e, spec) + " '" + spec.qualifiedName() + " --help' says what there is.";
    }

    private static String said(ParameterException e, CommandSpec spec) {
        if (!(e instanceof UnmatchedArgumentException unmatched)
                || unmatched.getUnmatched().isEmpty()) {
            String message = Visible.line(Passwords.hidden(String.valueOf(e.getMessage())), LONGEST);
            return message.endsWith(".") ? message : message + ".";
        }
        String wrong = Passwords.hidden(unmatched.getUnmatched().getFirst());
        String shown = Visible.line(wrong, LONGEST);
        if (unmatched.isUnknownOption()) {
            return "unknown option '" + shown + "'."
                    + Names.meant(wrong, spec.optionsMap().keySet());
        }
        return spec.subcommands().isEmpty()
                ? "'" + shown + "' is one word too many."
                        + (spec.name().equals("run") ? " Put a prompt of several words in quotes." : "")
                : "unknown command '" + shown + "'." + Names.allowed("There are", wrong, commands(spec));
    }

    private static List<String> commands(CommandSpec spec) {
        return spec.subcommands().entrySet().stream()
                .filter(command ->
                        !command.getValue().getCommandSpec().usageMessage().hidden())
                .map(Map.Entry::getKey)
                .toList();
    }
}
