package dev.chargehand.cli;

import dev.chargehand.cli.shell.Shell;
import dev.chargehand.cli.shell.Signals;
import dev.chargehand.cli.shell.Terminal;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a command printed, and the code it exited with. */
record Ran(int exitCode, String out, String err) {

    /** The folder of this project: tests run in the folder of their module. */
    static final Path PROJECT = Path.of("").toAbsolutePath().getParent();

    /** The shell of a command that only shows help. */
    static Shell shell(Path folder) {
        PrintWriter nowhere = new PrintWriter(new StringWriter());
        return new Shell(
                InputStream.nullInputStream(), nowhere, nowhere, name -> null, folder, Signals.none(), null, "tester");
    }

    /** Runs a command in a folder, with nothing in the environment. */
    static Ran in(Path folder, String... arguments) {
        return in(folder, Map.of(), arguments);
    }

    static Ran in(Path folder, Map<String, String> environment, String... arguments) {
        return in(folder, environment, (Terminal) null, arguments);
    }

    /** Runs a command while somebody sits at the terminal. */
    static Ran in(Path folder, Typist typist, String... arguments) {
        return in(folder, Map.of(), typist.terminal(), arguments);
    }

    static Ran in(Path folder, Map<String, String> environment, Typist typist, String... arguments) {
        return in(folder, environment, typist.terminal(), arguments);
    }

    /** Runs a command that reads lines. */
    static Ran reading(Path folder, Map<String, String> environment, List<String> lines, String... arguments) {
        String text = lines.isEmpty() ? "" : String.join("\n", lines) + "\n";
        return reading(folder, environment, text.getBytes(StandardCharsets.UTF_8), arguments);
    }

    /** Runs a command that reads bytes. */
    static Ran reading(Path folder, Map<String, String> environment, byte[] bytes, String... arguments) {
        return in(folder, environment, new ByteArrayInputStream(bytes), null, arguments);
    }

    /** Runs a command that reads what arrives. */
    static Ran reading(Path folder, InputStream in, String... arguments) {
        return in(folder, Map.of(), in, null, arguments);
    }

    private static Ran in(
            Path folder, Map<String, String> environment, @Nullable Terminal terminal, String... arguments) {
        return in(folder, environment, InputStream.nullInputStream(), terminal, arguments);
    }

    private static Ran in(
            Path folder,
            Map<String, String> environment,
            InputStream in,
            @Nullable Terminal terminal,
            String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Shell shell = new Shell(
                in,
                new PrintWriter(out),
                new PrintWriter(err),
                environment::get,
                folder,
                Signals.none(),
                terminal,
                "tester");
        int exitCode = Main.commandLine(shell).execute(arguments);
        return new Ran(exitCode, out.toString(), err.toString());
    }
}
