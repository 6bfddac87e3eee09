package dev.chargehand.verify.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A Java process, as its parent sees it: every line that it prints is passed on at once. */
public final class LineProcess implements AutoCloseable {

    private final Process process;
    private final Thread reader;
    private final Writer writer;

    private LineProcess(Process process, Consumer<String> lines) {
        this.process = process;
        this.writer = process.outputWriter(StandardCharsets.UTF_8);
        this.reader = Thread.ofPlatform().daemon().name("lines").start(() -> read(lines));
    }

    /** Start the main method of a class of this class path. */
    public static LineProcess start(Class<?> main, Consumer<String> lines, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                OwnClassPath.text(),
                main.getName()));
        command.addAll(List.of(arguments));
        return new LineProcess(
                new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start(),
                lines);
    }

    private void read(Consumer<String> lines) {
        try (BufferedReader input = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                lines.accept(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Send SIGTERM and wait until the process is gone and all its lines are read. */
    public void terminate() throws InterruptedException {
        boolean ignored = process.toHandle().destroy();
        awaitEnd();
    }

    /** Send SIGKILL and wait until the process is gone and all its lines are read. */
    public void kill() throws InterruptedException {
        boolean ignored = process.toHandle().destroyForcibly();
        awaitEnd();
    }

    /** Write a line to the input of the process; nothing if it is gone. */
    public void send(String line) {
        try {
            writer.write(line + "\n");
            writer.flush();
        } catch (IOException e) {
            // It was killed meanwhile.
        }
    }

    /** Send SIGSTOP: the process stays where it is until {@link #proceed}. */
    public void stop() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** Send SIGCONT. */
    public void proceed() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        List<String> command = List.of("sh", "-c", "kill -" + name + " " + process.pid());
        int code = new ProcessBuilder(command).start().waitFor();
        if (code != 0) {
            throw new IOException(command + " ended with " + code);
        }
    }

    /** Return whether the process ends within a time, and all its lines are read then. */
    public boolean endsWithin(Duration time) throws InterruptedException {
        boolean ended = process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
        if (ended) {
            reader.join();
        }
        return ended;
    }

    /** Return the id of the process. */
    public long id() {
        return process.pid();
    }

    private void awaitEnd() throws InterruptedException {
        process.waitFor();
        reader.join();
    }

    @Override
    public void close() {
        boolean ignored = process.toHandle().destroyForcibly();
    }
}
