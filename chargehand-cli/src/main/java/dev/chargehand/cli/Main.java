package dev.chargehand.cli;

import dev.chargehand.cli.chat.ChatCommand;
import dev.chargehand.cli.memory.MemoryCommand;
import dev.chargehand.cli.runs.ApproveCommand;
import dev.chargehand.cli.runs.CancelCommand;
import dev.chargehand.cli.runs.DeclineCommand;
import dev.chargehand.cli.runs.ProvideCommand;
import dev.chargehand.cli.runs.RecoverCommand;
import dev.chargehand.cli.runs.ResumeCommand;
import dev.chargehand.cli.runs.RunCommand;
import dev.chargehand.cli.runs.RunsCommand;
import dev.chargehand.cli.runs.ShowCommand;
import dev.chargehand.cli.serve.KeysCommand;
import dev.chargehand.cli.serve.ServeCommand;
import dev.chargehand.cli.shell.ErrorLines;
import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.MistakeLines;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.cli.threads.ThreadsCommand;
import dev.chargehand.cli.versions.VersionsCommand;
import dev.chargehand.cli.workflow.WorkflowCommand;
import dev.chargehand.document.DocumentException;
import dev.chargehand.error.ChargehandException;
import java.util.function.IntSupplier;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Starts the {@code chargehand} command. */
public final class Main {

    private Main() {}

    /** Run the command and end the process with its exit code. */
    public static void main(String[] args) {
        System.exit(Shell.ofProcess(shell -> commandLine(shell).execute(args)));
    }

    /** Make the command as a shell starts it. */
    static CommandLine commandLine(Shell shell) {
        return WholeWordHelp.in(
                columns(shell),
                new CommandLine(new RootCommand())
                        .addSubcommand(new InitCommand(shell))
                        .addSubcommand(new CheckCommand(shell))
                        .addSubcommand(new AgentsCommand(shell))
                        .addSubcommand(new RunCommand(shell))
                        .addSubcommand(new ChatCommand(shell))
                        .addSubcommand(WorkflowCommand.of(shell))
                        .addSubcommand(new RunsCommand(shell))
                        .addSubcommand(new ShowCommand(shell))
                        .addSubcommand(new ApproveCommand(shell))
                        .addSubcommand(new DeclineCommand(shell))
                        .addSubcommand(new ProvideCommand(shell))
                        .addSubcommand(new ResumeCommand(shell))
                        .addSubcommand(new CancelCommand(shell))
                        .addSubcommand(new RecoverCommand(shell))
                        .addSubcommand(new PruneCommand(shell))
                        .addSubcommand(ThreadsCommand.of(shell))
                        .addSubcommand(MemoryCommand.of(shell))
                        .addSubcommand(VersionsCommand.of(shell))
                        .addSubcommand(new ServeCommand(shell))
                        .addSubcommand(KeysCommand.of(shell))
                        .addSubcommand(new SchemaCommand(shell))
                        .addSubcommand(new ShellCompletionCommand(shell))
                        .addSubcommand(new RehearseCommand(shell))
                        .setOut(shell.out())
                        .setErr(shell.err())
                        .setInterpolateVariables(false)
                        .setExpandAtFiles(false)
                        .setUsageHelpWidth(100) // where there is no terminal
                        .setUsageHelpAutoWidth(true)
                        .setParameterExceptionHandler((e, args) -> misused(e, shell))
                        .setExecutionExceptionHandler((e, command, result) -> failed(e, shell)));
    }

    /** How wide the terminal is; 0 where there is none that can be asked. */
    private static IntSupplier columns(Shell shell) {
        return () -> shell.terminal() == null
                ? 0
                : shell.terminal().live().map(live -> live.screen().columns()).orElse(0);
    }

    private static int misused(ParameterException e, Shell shell) {
        shell.note(ErrorLines.explain(e));
        return ExitCode.USAGE;
    }

    private static int failed(Exception e, Shell shell) {
        if (e instanceof DocumentException mistaken) {
            MistakeLines.of(mistaken.mistakes()).forEach(shell::note);
            return ExitCode.of(mistaken);
        }
        if (e instanceof ChargehandException known) {
            shell.note(ErrorLines.explain(known));
            return ExitCode.of(known);
        }
        shell.note("chargehand: broke, which is a mistake in Chargehand; please report this:");
        e.printStackTrace(shell.err());
        shell.err().flush();
        return ExitCode.FAILED;
    }
}
