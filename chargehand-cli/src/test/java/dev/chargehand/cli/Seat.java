package dev.chargehand.cli;

import dev.chargehand.cli.live.LiveTerminal;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.cli.shell.Signals;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.Terminal.Signal;
import org.jline.terminal.TerminalBuilder;
import org.jline.terminal.impl.ExternalTerminal;

/** A terminal whose keys are bytes, with somebody before it who types when the screen shows what they wait for. */
final class Seat implements AutoCloseable {

    /** What is written when lines begin to be edited. */
    private static final String READY = "\u001b[?2004h";

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition more = lock.newCondition();
    private final StringBuilder screen = new StringBuilder();
    private final StringWriter err = new StringWriter();
    private final PipedOutputStream keys = new PipedOutputStream();
    private final Signals signals = Signals.none();
    private final PipedInputStream in;
    private final Terminal terminal;
    private CompletableFuture<Integer> exitCode = new CompletableFuture<>();
    private int seen;

    Seat(int columns) {
        this(columns, (in, out) -> new ExternalTerminal("seat", "xterm", in, out, StandardCharsets.UTF_8));
    }

    private Seat(int columns, Opener opener) {
        try {
            in = new PipedInputStream(keys, 1 << 16);
            terminal = opener.open(in, new Written());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        terminal.setSize(new Size(columns, 50));
    }

    /** Makes the terminal one of the operating system, which changes some keys while no line is edited. */
    static Seat ofSystem(int columns) {
        return new Seat(columns, (in, out) -> TerminalBuilder.builder()
                .system(false)
                .providers(TerminalBuilder.PROP_PROVIDER_JNI)
                .type("xterm")
                .encoding(StandardCharsets.UTF_8)
                .streams(in, out)
                .build());
    }

    /** Opens a terminal between two streams. */
    @FunctionalInterface
    private interface Opener {
        Terminal open(InputStream keys, OutputStream screen) throws IOException;
    }

    /** Starts a command. */
    Seat starts(Path folder, Map<String, String> environment, String... arguments) {
        PrintWriter out = terminal.writer();
        dev.chargehand.cli.shell.Terminal asked = new dev.chargehand.cli.shell.Terminal(
                InputStream.nullInputStream(),
                StandardCharsets.UTF_8,
                out,
                () -> Optional.of(new LiveTerminal(terminal, out)));
        Shell shell = new Shell(
                InputStream.nullInputStream(),
                out,
                new PrintWriter(err),
                environment::get,
                folder,
                signals,
                asked,
                "tester");
        exitCode = CompletableFuture.supplyAsync(
                () -> Main.commandLine(shell).execute(arguments),
                task -> Thread.ofPlatform().daemon().start(task));
        var unused = exitCode.whenComplete((code, failure) -> wake());
        return this;
    }

    private void wake() {
        lock.lock();
        try {
            more.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until something is written after what was waited for before. */
    Seat awaits(String text) {
        String wanted = latin(text);
        long left = PATIENCE.toNanos();
        lock.lock();
        try {
            while (screen.indexOf(wanted, seen) < 0) {
                if (left <= 0 || exitCode.isDone()) {
                    throw new AssertionError("No '" + text + "' in: " + text(screen.substring(seen)) + "\n" + err);
                }
                left = more.awaitNanos(left);
            }
            seen = screen.indexOf(wanted, seen) + wanted.length();
            return this;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the next line is edited. */
    Seat awaitsPrompt() {
        return awaits(READY);
    }

    /** Presses keys. */
    Seat types(String text) {
        try {
            keys.write(text.getBytes(StandardCharsets.UTF_8));
            keys.flush();
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until the terminal has taken the keys that were pressed; a turn in progress reads none of them. */
    Seat awaitsTaken() {
        try {
            while (in.available() > 0) {
                Thread.onSpinWait();
            }
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes the window as wide. */
    Seat resizes(int columns) {
        terminal.setSize(new Size(columns, 50));
        terminal.raise(Signal.WINCH);
        return this;
    }

    /** Asks the process to terminate. */
    Seat terminates() {
        signals.end();
        return this;
    }

    /** Waits for the exit code. */
    int leaves() {
        return exitCode.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    }

    /** Returns all that was written. */
    String screen() {
        lock.lock();
        try {
            return text(screen.toString());
        } finally {
            lock.unlock();
        }
    }

    /** Returns what went to standard error. */
    String err() {
        return err.toString();
    }

    @Override
    public void close() throws IOException {
        keys.close();
        terminal.close();
    }

    /** A character may come in several pieces, so bytes are kept. */
    private static String latin(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    private static String text(String latin) {
        return new String(latin.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    private final class Written extends OutputStream {

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            lock.lock();
            try {
                screen.append(new String(bytes, from, length, StandardCharsets.ISO_8859_1));
                more.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }
}
