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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
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

    /** Only this thread reads, so that a question can end before its line does. */
    private final ExecutorService reader = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("terminal-input").factory());

    /** The line that is still being read for a question which ended without it, or null. */
    private @Nullable Future<Optional<String>> unfinished;

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
    public Optional<String> ask(String question, BooleanSupplier over) {
        if (unfinished == null || unfinished.isDone()) {
            unfinished = null;
            Optional<String> ignored = finished(reader.submit(this::forgetWhatWasTyped), () -> false);
        }
        return next(question, over);
    }

    /** What was typed before a question is no answer to it. */
    private Optional<String> forgetWhatWasTyped() throws IOException {
        while (in.ready() && in.read() >= 0) {
            // up to what comes next
        }
        return Optional.empty();
    }

    /** Return the next line, which may have been typed before; nothing if the input has ended. */
    public Optional<String> read(String prompt) {
        return next(prompt, () -> false);
    }

    private Optional<String> next(String prompt, BooleanSupplier over) {
        out.print(prompt);
        out.flush();
        Future<Optional<String>> line =
                unfinished == null ? reader.submit(() -> Optional.ofNullable(in.readLine())) : unfinished;
        Optional<String> typed = finished(line, over);
        unfinished = line.isDone() ? null : line;
        if (typed.isEmpty()) {
            out.println();
            out.flush();
        }
        return typed;
    }

    private static Optional<String> finished(Future<Optional<String>> line, BooleanSupplier over) {
        do {
            try {
                return line.get(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                // asked further
            } catch (ExecutionException e) {
                throw new UncheckedIOException("The terminal cannot be read.", new IOException(e.getCause()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Optional.empty();
            }
        } while (!over.getAsBoolean());
        return Optional.empty();
    }
}
