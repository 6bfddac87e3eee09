package dev.chargehand.verify.races;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.verify.harness.OwnClassPath;
import dev.chargehand.verify.stores.StorePlace;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Starts another process on the same store and speaks to it by pipes, a line of JSON each way. Used by one thread. */
final class PeerProcess implements Peer {

    private final Process process;
    private final BufferedReader reader;
    private final Writer writer;

    private PeerProcess(Process process) {
        this.process = process;
        this.reader = process.inputReader(StandardCharsets.UTF_8);
        this.writer = process.outputWriter(StandardCharsets.UTF_8);
    }

    /** Start it, and wait until it has opened the store. */
    static PeerProcess start(StorePlace place) throws IOException {
        PeerProcess peer = new PeerProcess(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        OwnClassPath.text(),
                        PeerMain.class.getName(),
                        place.address())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
        peer.read();
        return peer;
    }

    @Override
    public void prepare(RunId run, List<PendingApproval> approvals, List<Contender> contenders) throws IOException {
        Map<String, Object> order = new LinkedHashMap<>();
        order.put("run", run.value());
        order.put("approvals", approvals.stream().map(PendingApproval::toJson).toList());
        order.put("contenders", contenders);
        write(Json.of(order).text());
        read();
    }

    @Override
    public void start() throws IOException {
        write("go");
    }

    @Override
    public List<Outcome> outcomes() throws IOException {
        return List.of(read().as(Outcome[].class));
    }

    @Override
    public int[] effects(RaceCase race) throws IOException {
        write("effects " + race.task());
        return read().as(int[].class);
    }

    private void write(String line) throws IOException {
        writer.write(line + "\n");
        writer.flush();
    }

    private Json read() throws IOException {
        String line = reader.readLine();
        if (line == null) {
            throw new IOException("The other process has ended.");
        }
        return Json.parse(line);
    }

    @Override
    public void close() throws IOException {
        List<IOException> failures = new ArrayList<>();
        try {
            writer.close(); // it ends when there is nothing more to read
        } catch (IOException e) {
            failures.add(e);
        }
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
        if (!failures.isEmpty()) {
            throw failures.getFirst();
        }
    }
}
