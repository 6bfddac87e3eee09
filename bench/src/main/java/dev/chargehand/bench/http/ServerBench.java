package dev.chargehand.bench.http;

import com.sun.management.OperatingSystemMXBean;
import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.event.RunEvent;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Usage;
import dev.chargehand.server.ChargehandServer;
import dev.chargehand.server.ServerLimit;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Measures the processor time that the server adds to a run of one step and to a streamed delta. The cost of the run without a server and
 * that of a bare handler of Helidon that writes the same bytes are subtracted. The client, a plain socket, is in the same process in
 * both cases. The three take turns.
 */
public final class ServerBench {

    private static final int DELTAS = 2_000;
    private static final int WARM_UP = 12;
    private static final int BLOCKS = 9;
    private static final int RUNS = 3_000;
    private static final int STREAMS = 50;

    private static final int PART = 16_000;

    private ServerBench() {}

    /** Answers at once; the streamer does so in many deltas. */
    private record Instant(String name) implements Model {

        @Override
        public ModelResponse ask(ModelRequest request, ModelCall call) {
            if (name.equals("bench/streamer")) {
                StringBuilder text = new StringBuilder();
                for (int i = 0; i < DELTAS; i++) {
                    String part = "word " + i + " ";
                    text.append(part);
                    call.delta(new ModelDelta.Text(part));
                }
                return ModelResponse.text(text.toString(), Usage.of(10, DELTAS));
            }
            return ModelResponse.text("done", Usage.of(10, 5));
        }
    }

    private static Agent agent(String id) {
        return Agent.builder(id).model(new Instant("bench/" + id)).build();
    }

    /** Measure, and print a table. */
    public static void main(List<String> arguments) throws IOException {
        boolean isShort = arguments.contains("--short");
        double run = served(
                InMemoryStore.create(),
                (runtime, client) -> added(
                        "run",
                        isShort ? RUNS / 10 : RUNS,
                        () -> runtime.agent("answerer").generate("Go").text(),
                        client,
                        RawClient.start("answerer", "Prefer: wait=60")));
        double stream = served(
                InMemoryStore.keepingEndedRuns(), // events of a run that has ended can be read
                (runtime, client) -> added(
                        "stream",
                        isShort ? 2 : STREAMS,
                        () -> read(runtime),
                        client,
                        RawClient.start("streamer", "Accept: text/event-stream")));
        System.out.printf(Locale.ROOT, "server: run_added_us=%.1f delta_added_us=%.2f%n", run, stream / DELTAS);
    }

    /** What is measured with a server. */
    @FunctionalInterface
    private interface Measured {
        double measure(AgentRuntime runtime, RawClient client) throws IOException;
    }

    private static double served(Store store, Measured measured) throws IOException {
        try (AgentRuntime runtime = AgentRuntime.builder()
                        .store(store)
                        .wakeups(Wakeups.off())
                        .providers()
                        .agents(agent("answerer"), agent("streamer"))
                        .build();
                ChargehandServer server = ChargehandServer.builder(runtime)
                        .port(0)
                        .limit(ServerLimit.REQUESTS_PER_SECOND, 1_000_000)
                        .limit(ServerLimit.REQUEST_BURST, 1_000_000)
                        .limit(ServerLimit.STARTS_PER_SECOND, 1_000_000)
                        .limit(ServerLimit.START_BURST, 1_000_000)
                        .start();
                RawClient client = RawClient.of(server.uri().getPort())) {
            return measured.measure(runtime, client);
        }
    }

    private static void read(AgentRuntime runtime) {
        long deltas = 0;
        try (var events = runtime.agent("streamer").start("Go").events()) {
            for (RunEvent event : events) {
                deltas += event instanceof RunEvent.TextDelta ? 1 : 0;
            }
        }
        if (deltas == 0) {
            throw new IllegalStateException("The stream had no delta.");
        }
    }

    /** Return how many microseconds of processor time the server adds to what is done once. */
    private static double added(String what, int times, Runnable alone, RawClient client, String request)
            throws IOException {
        byte[] answer = client.exchange(request);
        double[] differences = new double[BLOCKS];
        WebServer bare = bare(answer);
        try (RawClient bareClient = RawClient.of(bare.port())) {
            System.out.printf(
                    Locale.ROOT, "%8s %14s %14s %14s %10s%n", what, "alone µs", "server µs", "bare µs", "added µs");
            for (int i = -WARM_UP; i < BLOCKS; i++) {
                double without = micros(times, alone::run);
                double with = micros(times, () -> client.exchange(request));
                double handler = micros(times, () -> bareClient.exchange(request));
                if (i >= 0) {
                    differences[i] = with - without - handler;
                    System.out.printf(
                            Locale.ROOT,
                            "%8d %14.1f %14.1f %14.1f %10.1f%n",
                            i + 1,
                            without,
                            with,
                            handler,
                            differences[i]);
                }
            }
        } finally {
            bare.stop();
        }
        Arrays.sort(differences);
        return differences[BLOCKS / 2];
    }

    /** Something to measure. */
    @FunctionalInterface
    private interface Work {
        void run() throws IOException;
    }

    private static double micros(int times, Work work) throws IOException {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long before = system.getProcessCpuTime();
        for (int i = 0; i < times; i++) {
            work.run();
        }
        return (system.getProcessCpuTime() - before) / 1_000.0 / times;
    }

    /** A server that reads a request and writes a body that is known; a stream in parts, as if the server were never waiting for an event. */
    private static WebServer bare(byte[] body) {
        String text = new String(body, StandardCharsets.UTF_8);
        boolean isStream = text.startsWith("retry:");
        List<byte[]> parts = new ArrayList<>();
        for (int from = 0; from < body.length; from += PART) {
            parts.add(Arrays.copyOfRange(body, from, Math.min(body.length, from + PART)));
        }
        return WebServer.builder()
                .host("127.0.0.1")
                .port(0)
                .routing(routing -> routing.any((request, response) -> {
                    byte[] read = request.content().as(byte[].class);
                    if (read.length == 0) {
                        throw new IllegalStateException("The request had no body.");
                    }
                    write(response, isStream, parts);
                }))
                .build()
                .start();
    }

    private static void write(ServerResponse response, boolean isStream, List<byte[]> parts) throws IOException {
        if (!isStream) {
            response.send(parts.getFirst());
            return;
        }
        response.header(io.helidon.http.HeaderNames.CONTENT_TYPE, "text/event-stream");
        try (OutputStream out = response.outputStream()) {
            for (byte[] part : parts) {
                out.write(part);
                out.flush();
            }
        }
    }
}
