package dev.chargehand.cli;

import dev.chargehand.cli.config.AgentsFileException;
import dev.chargehand.cli.output.Visible;
import dev.chargehand.error.ChargehandException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Starts the {@code chargehand} command. */
public final class Main {

    private Main() {}

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] args) {
        System.exit(commandLine(Shell.ofProcess()).execute(args));
    }

    /** Makes the command as a shell starts it. */
    static CommandLine commandLine(Shell shell) {
        return new CommandLine(new RootCommand())
                .addSubcommand(new InitCommand(shell))
                .addSubcommand(new CheckCommand(shell))
                .addSubcommand(new AgentsCommand(shell))
                .addSubcommand(new RunCommand(shell))
                .addSubcommand(new ChatCommand(shell))
                .addSubcommand(new RunsCommand(shell))
                .addSubcommand(new ShowCommand(shell))
                .addSubcommand(new ApproveCommand(shell))
                .addSubcommand(new DeclineCommand(shell))
                .addSubcommand(new ResumeCommand(shell))
                .addSubcommand(new CancelCommand(shell))
                .addSubcommand(new RecoverCommand(shell))
                .addSubcommand(ThreadsCommand.of(shell))
                .addSubcommand(new SchemaCommand(shell))
                .addSubcommand(new RehearseCommand(shell))
                .setOut(shell.out())
                .setErr(shell.err())
                .setInterpolateVariables(false)
                .setExpandAtFiles(false)
                .setUsageHelpWidth(100)
                .setParameterExceptionHandler((e, args) -> misused(e, shell))
                .setExecutionExceptionHandler((e, command, result) -> failed(e, shell));
    }

    private static int misused(ParameterException e, Shell shell) {
        shell.note(Misuse.explain(e));
        return ExitCode.USAGE;
    }

    private static int failed(Exception e, Shell shell) {
        if (e instanceof AgentsFileException mistaken) {
            MistakeLines.of(mistaken.mistakes()).forEach(shell::note);
            return ExitCode.of(mistaken);
        }
        if (e instanceof ChargehandException known) {
            shell.note(explain(known));
            return ExitCode.of(known);
        }
        shell.note("chargehand: broke, which is a mistake in Chargehand; please report this:");
        e.printStackTrace(shell.err());
        shell.err().flush();
        return ExitCode.FAILED;
    }

    /** Says in one line what kept something from being done. */
    static String explain(ChargehandException e) {
        return "chargehand: " + Visible.line(Passwords.hidden(String.valueOf(e.getMessage())), 2_000);
    }
}
