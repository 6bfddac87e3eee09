package dev.chargehand.verify.inbox;

import dev.chargehand.json.Json;
import dev.chargehand.verify.harness.OwnClassPath;
import dev.chargehand.verify.stores.StorePlace;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Another process on the same store that delivers decisions, data, the ends of sleeps, and messages. Used by one thread. */
final class Sender implements AutoCloseable {

    private final Process process;
    private final BufferedReader reader;
    private final Writer writer;

    private Sender(Process process) {
        this.process = process;
        this.reader = process.inputReader(StandardCharsets.UTF_8);
        this.writer = process.outputWriter(StandardCharsets.UTF_8);
    }

    /** Start it, and wait until it has opened the store. */
    static Sender start(StorePlace place, String name) throws IOException {
        Sender sender = new Sender(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        OwnClassPath.text(),
                        SenderMain.class.getName(),
                        place.address(),
                        name)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
        String ignored = sender.read();
        return sender;
    }

    /** Have it deliver what a line lists; returns at once. */
    void send(String line) throws IOException {
        writer.write(line + "\n");
        writer.flush();
    }

    /** Wait until the run is over for the process, and return what failed. */
    List<String> failures() throws IOException {
        return List.of(Json.parse(read()).as(String[].class));
    }

    /** Wait until a talk is over for the process, and return what it sent. */
    List<Talker.Sent> sent() throws IOException {
        return Stream.of(Json.parse(read()).as(Json[].class))
                .map(Talker.Sent::fromJson)
                .toList();
    }

    private String read() throws IOException {
        String line = reader.readLine();
        if (line == null) {
            throw new IOException("The other process has ended.");
        }
        return line;
    }

    @Override
    public void close() throws IOException {
        writer.close(); // it ends when there is nothing more to read
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }
}
