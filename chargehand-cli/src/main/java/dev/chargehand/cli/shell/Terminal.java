package dev.chargehand.cli.shell;

import dev.chargehand.cli.live.LiveTerminal;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A terminal with a user: shows output, and reads typed lines. Used by one thread. */
public final class Terminal implements Questioner {

    private final BufferedReader in;
    private final PrintWriter out;
    private final Charset charset;

    private final Supplier<Optional<LiveTerminal>> opens;
    private @Nullable LiveTerminal live;
    private boolean opened;

    public Terminal(InputStream in, Charset charset, PrintWriter out) {
        this(in, charset, out, Optional::empty);
    }

    /** Make a terminal; {@code opens} makes it one that can be painted on, if it can be. */
    public Terminal(InputStream in, Charset charset, PrintWriter out, Supplier<Optional<LiveTerminal>> opens) {
        this.opens = opens;
        this.charset = charset;
        this.in = new BufferedReader(new InputStreamReader(in, charset));
        this.out = out;
    }

    /**
     * Return the process's own terminal, or null if standard input or output is something else. The text of a question
     * goes to standard output, which must be a terminal, so that the user sees the question.
     */
    @SuppressWarnings("SystemConsoleNull") // it is null where it should be, with the property or before JDK 22
    public static @Nullable Terminal ofProcess(PrintWriter out) {
        if (System.getProperty("jdk.console") == null) {
            System.setProperty("jdk.console", "java.base"); // others call a file a console, and change the terminal
        }
        Console console = System.console();
        return console == null || !isTerminal(console)
                ? null
                : new Terminal(System.in, console.charset(), out, () -> LiveTerminal.ofProcess(out));
    }

    /** Ask the console itself, which it can be since JDK 22. */
    private static boolean isTerminal(Console console) {
        try {
            return Boolean.TRUE.equals(Console.class.getMethod("isTerminal").invoke(console));
        } catch (NoSuchMethodException e) {
            return true; // before, there was no console without a terminal
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }

    /** Return it as one that can be painted on, if it can be. */
    public Optional<LiveTerminal> live() {
        if (!opened) {
            live = opens.get().orElse(null);
            opened = true;
        }
        return Optional.ofNullable(live);
    }

    /** Return in which characters it is written to. */
    public Charset charset() {
        return charset;
    }

    @Override
    public int columns() {
        return live().map(painted -> painted.screen().columns()).orElse(Integer.MAX_VALUE);
    }

    @Override
    public void print(String line) {
        out.println(line);
        out.flush();
    }

    @Override
    public Optional<String> ask(String question) {
        try {
            while (in.ready() && in.read() >= 0) {
                // typed before the question was there, so it is no answer to it
            }
            return read(question);
        } catch (IOException e) {
            throw new UncheckedIOException("The terminal cannot be read.", e);
        }
    }

    /** Return the next line, which may have been typed before; nothing if the input has ended. */
    public Optional<String> read(String prompt) {
        try {
            out.print(prompt);
            out.flush();
            Optional<String> line = Optional.ofNullable(in.readLine());
            if (line.isEmpty()) {
                out.println();
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException("The terminal cannot be read.", e);
        }
    }
}
