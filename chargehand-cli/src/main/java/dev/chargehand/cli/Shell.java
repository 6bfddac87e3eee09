package dev.chargehand.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the command was started in.
 *
 * @param out standard output
 * @param err standard error
 * @param environment the environment variables, null for one that is not set
 * @param folder the working directory
 * @param signals what asks the command to stop
 */
record Shell(
        PrintWriter out,
        PrintWriter err,
        Function<String, @Nullable String> environment,
        Path folder,
        Signals signals) {

    /** The process's own. Output is UTF-8 whatever the locale: JSON has to be, and answers quote documents. */
    static Shell ofProcess() {
        return new Shell(
                writer(FileDescriptor.out),
                writer(FileDescriptor.err),
                System::getenv,
                Path.of("").toAbsolutePath(),
                Signals.install());
    }

    private static PrintWriter writer(FileDescriptor to) {
        return new PrintWriter(new FileOutputStream(to), true, StandardCharsets.UTF_8);
    }

    /** Prints a line about the command itself to standard error. */
    void note(String line) {
        err.println(line);
        err.flush();
    }
}
