package dev.chargehand.cli.shell;

import dev.chargehand.cli.live.BrokenLines;
import dev.chargehand.cli.live.LiveTerminal;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What the command was started in.
 *
 * @param in standard input
 * @param out standard output
 * @param err standard error
 * @param environment the environment variables, null for one that is not set
 * @param folder the working directory
 * @param signals what asks the command to stop
 * @param terminal the user's terminal, or null if there is none
 * @param user who started it, or empty if that is not known
 */
public record Shell(
        InputStream in,
        PrintWriter out,
        PrintWriter err,
        Function<String, @Nullable String> environment,
        Path folder,
        Signals signals,
        @Nullable Terminal terminal,
        String user) {

    /**
     * Run a command in the process's own, and return its exit code. Output is UTF-8 regardless of the locale: JSON has
     * to be, and answers quote documents.
     */
    public static int ofProcess(ToIntFunction<Shell> command) {
        Output out = Output.standard();
        Shell shell = ofProcess(out);
        int code = command.applyAsInt(shell);
        return Output.isFile() ? out.exitCode(code, shell.err()) : code;
    }

    private static Shell ofProcess(PrintWriter out) {
        return new Shell(
                System.in,
                out,
                new PrintWriter(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
                System::getenv,
                Path.of("").toAbsolutePath(),
                Signals.install(),
                Terminal.ofProcess(out),
                System.getProperty("user.name", ""));
    }

    /** Return the same in another working directory. */
    public Shell in(Path other) {
        return new Shell(in, out, err, environment, other, signals, terminal, user);
    }

    /** Print a line about the command itself to standard error. */
    public void note(String line) {
        broken(line, LiveTerminal::showsErrors).forEach(err::println);
        err.flush();
    }

    /** Print a line for people to standard output: on a terminal it is broken where words end. */
    public void say(String line) {
        broken(line, live -> true).forEach(out::println);
        out.flush();
    }

    /** A command stays in one line, in which it can be copied. */
    private List<String> broken(String line, Predicate<LiveTerminal> shows) {
        return terminal == null || line.stripLeading().startsWith("chargehand ")
                ? List.of(line)
                : terminal.live()
                        .filter(shows)
                        .map(live -> BrokenLines.of(line, live.screen().columns()))
                        .orElse(List.of(line));
    }
}
