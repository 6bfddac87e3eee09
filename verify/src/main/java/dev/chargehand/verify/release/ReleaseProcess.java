package dev.chargehand.verify.release;

import dev.chargehand.verify.harness.OwnClassPath;
import dev.chargehand.verify.stores.StorePlace;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Consumer;

/** A process of a round, as its parent sees it: every line that it prints is passed on at once. */
final class ReleaseProcess implements AutoCloseable {

    private final Process process;
    private final Thread reader;

    private ReleaseProcess(Process process, Consumer<String> lines) {
        this.process = process;
        this.reader = Thread.ofPlatform().daemon().name("lines").start(() -> read(lines));
    }

    /** Start it; it starts so many runs, or resumes those of others if there are none to start. */
    static ReleaseProcess start(StorePlace place, int runs, Consumer<String> lines) throws IOException {
        return new ReleaseProcess(
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                OwnClassPath.text(),
                                ReleaseChild.class.getName(),
                                place.address(),
                                String.valueOf(runs))
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
    void terminate() throws InterruptedException {
        boolean ignored = process.toHandle().destroy();
        awaitEnd();
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
