package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunId;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Readers of events that are slow, leave, and come back. A stream that does not end as it must fails the test by its time. */
@Timeout(120)
class EventsOverHttpTest extends ServerFixture {

    @TempDir
    private Path folder;

    /** Read the stream of a run until so many events with an id have come, then leave. */
    private List<String> cut(ChargehandServer server, String run, String after, int events) {
        List<String> ids = new ArrayList<>();
        HttpResponse<InputStream> response = open(server, run, after);
        if (response.statusCode() == 204) {
            return ids;
        }
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null && ids.size() < events; line = lines.readLine()) {
                if (line.startsWith("id: ")) {
                    ids.add(line.substring(4));
                }
            }
            return ids;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private HttpResponse<InputStream> open(ChargehandServer server, String run, String after) {
        try {
            var request =
                    request(server, "/api/v1/runs/" + run + "/events?until=end").header("Accept", "text/event-stream");
            return client.send(
                    (after.isEmpty() ? request : request.header("Last-Event-ID", after)).build(),
                    HttpResponse.BodyHandlers.ofInputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> stored(AgentRuntime runtime, String run) {
        return runtime.history(new RunId(run)).stream()
                .map(RunEvent::origin)
                .flatMap(origin -> origin.id().stream())
                .map(Object::toString)
                .toList();
    }

    private static List<String> positions(List<String> cursors) {
        return cursors.stream()
                .map(cursor -> cursor.split("\\."))
                .map(parts -> parts[parts.length - 2] + "." + parts[parts.length - 1])
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void aRunThatTheStoreHasForgottenIsAProblemAndNoFailure(HttpBinding binding) {
        for (int i = 0; i < 20; i++) {
            script.on("writer").says("Done.");
        }
        ChargehandServer server = serve(runtime(InMemoryStore.create()), builder -> builder.binding(binding));
        for (int i = 0; i < 20; i++) {
            HttpResponse<String> answer =
                    post(server, "/api/v1/agents/writer/runs", prompt("Write."), "Accept", "text/event-stream");
            assertThat(answer.statusCode()).as(answer.body()).isIn(200, 404);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aReaderThatIsCutAfterEveryEventGetsEachOnceInTwoProcesses(HttpBinding binding) {
        script.on("clerk")
                .delegates("writer", "Write.")
                .then()
                .calls("pay", Map.of("amount", 3))
                .then()
                .says("Paid.");
        script.on("writer").streams("A ", "letter.");
        JdbcStore first = JdbcStore.sqlite(folder.resolve(binding + ".db"));
        AgentRuntime one = runtime(first);
        AgentRuntime two = runtime(JdbcStore.sqlite(folder.resolve(binding + ".db")));
        List<ChargehandServer> servers = List.of(
                serve(one, builder -> builder.binding(binding)), serve(two, builder -> builder.binding(binding)));
        HttpResponse<String> started = post(servers.getFirst(), "/api/v1/agents/clerk/runs", prompt("Pay."));
        String run = at(started, "/runId");
        List<String> received = new ArrayList<>();
        for (int turn = 0; ; turn++) {
            List<String> next = cut(servers.get(turn % 2), run, received.isEmpty() ? "" : received.getLast(), 1);
            if (next.isEmpty()) {
                break;
            }
            received.addAll(next);
            HttpResponse<String> waiting = get(servers.getLast(), "/api/v1/approvals");
            String id = at(waiting, "/approvals/0/id");
            if (!id.isEmpty()) {
                String digest = at(waiting, "/approvals/0/digest");
                post(
                        servers.getLast(),
                        "/api/v1/approvals/" + id + "/answer",
                        Map.of("decision", "approve", "digest", digest));
            }
        }
        assertThat(positions(received)).isEqualTo(stored(one, run)).hasSizeGreaterThan(15);
        assertThat(received).allSatisfy(id -> assertThat(id.length()).isLessThan(100));
        assertThat(paid).containsExactly(3);
    }

    @ParameterizedTest
    @EnumSource
    void aSilentStreamSendsComments(HttpBinding binding) throws IOException {
        CountDownLatch end = new CountDownLatch(1);
        script.on("writer").waitsFor(end).and().says("Late.");
        ChargehandServer server = serve(runtime(InMemoryStore.keepingEndedRuns()), builder -> builder.binding(binding)
                .timeLimit(ServerTimeLimit.HEARTBEAT, Duration.ofMillis(50)));
        String run = at(post(server, "/api/v1/agents/writer/runs", prompt("Write.")), "/runId");
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(open(server, run, "").body(), StandardCharsets.UTF_8))) {
            List<String> all = new ArrayList<>();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                all.add(line);
                if (line.equals(": hb")) {
                    end.countDown();
                }
            }
            assertThat(all).startsWith("retry: 1000").contains(": hb", "event: run-finish");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aReaderThatStopsReadingDelaysNobodyAndIsClosed(HttpBinding binding) throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        String[] pieces = new String[9_000];
        // Six bytes a character in JSON: more than sockets hold for a reader that does not read.
        Arrays.fill(pieces, "\u0001".repeat(100));
        script.on("writer").waitsFor(start).and().streams(pieces);
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = serve(runtime, builder -> builder.binding(binding)
                .limit(ServerLimit.STREAMS_OF_RUN, 1)
                .timeLimit(ServerTimeLimit.WRITE, Duration.ofMillis(300)));
        String run = at(post(server, "/api/v1/agents/writer/runs", prompt("Write.")), "/runId");
        try (Socket lazy = new Socket()) {
            lazy.setReceiveBufferSize(4_096);
            lazy.connect(new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), server.uri().getPort()));
            lazy.getOutputStream()
                    .write(("GET /api/v1/runs/" + run
                                    + "/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(lazy.getInputStream().read())
                    .as("the response has started")
                    .isEqualTo('H');
            start.countDown();
            assertThat(runtime.handle(new RunId(run)).result().text()).hasSize(900_000);
            while (get(server, "/api/v1/runs/" + run + "/events").statusCode() == 429) {
                Thread.onSpinWait(); // its place is free again when the server has closed it
            }
            long bytes = 1;
            byte[] buffer = new byte[64 * 1024];
            try {
                for (int n = lazy.getInputStream().read(buffer);
                        n > 0;
                        n = lazy.getInputStream().read(buffer)) {
                    bytes += n;
                }
            } catch (IOException e) {
                // the connection was reset
            }
            assertThat(bytes).as("what the reader got before it was closed").isLessThan(5_000_000);
        }
        assertThat(get(server, "/healthz").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource
    void aServerThatIsStoppedEndsItsStreamsAndTheRunContinues(HttpBinding binding) throws IOException {
        CountDownLatch end = new CountDownLatch(1);
        script.on("writer").waitsFor(end).and().says("After.");
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = serve(runtime, builder -> builder.binding(binding));
        ChargehandServer other = serve(runtime, builder -> builder.binding(binding));
        String run = at(post(server, "/api/v1/agents/writer/runs", prompt("Write.")), "/runId");
        String last;
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(open(server, run, "").body(), StandardCharsets.UTF_8))) {
            List<String> all = new ArrayList<>();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                all.add(line);
                if (line.equals("event: run-start")) {
                    Thread.ofVirtual().start(server::close);
                }
            }
            assertThat(all).contains("event: server-draining");
            last = RunsOverHttpTest.ids(String.join("\n", all)).getLast();
        }
        end.countDown();
        assertThat(cut(other, run, last, 100)).isNotEmpty();
        assertThat(runtime.handle(new RunId(run)).result().text()).isEqualTo("After.");
    }

    @ParameterizedTest
    @EnumSource
    void aRequestThatWaitsForARunIsAnsweredWhenItsServerIsStopped(HttpBinding binding) throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        script.on("writer").waitsFor(end).and().says("After.");
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = serve(runtime, builder -> builder.binding(binding));
        ChargehandServer other = serve(runtime, builder -> builder.binding(binding));
        get(server, "/openapi.json"); // the description of its answers
        Thread stop = Thread.ofVirtual().start(() -> {
            while (runtime.runs(RunFilter.ROOTS).isEmpty()) {
                Thread.onSpinWait();
            }
            asked.countDown();
            server.close();
        });
        HttpResponse<String> answer = post(server, "/api/v1/agents/writer/runs", prompt("Write."), "Prefer", "wait=60");
        assertThat(asked.getCount()).isZero();
        assertThat(answer.statusCode()).isEqualTo(202);
        assertThat(at(answer, "/status")).isEqualTo("running");
        stop.join();
        end.countDown();
        String run = at(answer, "/runId");
        assertThat(runtime.handle(new RunId(run)).result().text()).isEqualTo("After.");
        assertThat(at(get(other, "/api/v1/runs/" + run + "/result"), "/text")).isEqualTo("After.");
    }

    @Test
    void moreStreamsThanAllowedAreRejected() throws IOException {
        script.on("writer").hangs();
        ChargehandServer server = serve(
                runtime(InMemoryStore.keepingEndedRuns()), builder -> builder.limit(ServerLimit.STREAMS_OF_RUN, 1));
        String run = at(post(server, "/api/v1/agents/writer/runs", prompt("Write.")), "/runId");
        try (InputStream body = open(server, run, "").body()) {
            body.read();
            HttpResponse<String> second = get(server, "/api/v1/runs/" + run + "/events");
            assertThat(second.statusCode()).isEqualTo(429);
            assertThat(second.headers().firstValue("Retry-After")).contains("1");
        }
    }

    @ParameterizedTest
    @EnumSource(HttpBinding.class)
    void aRunThatEndedBeforeItsStreamBeganIsStreamedThoughTheStoreHasForgottenIt(HttpBinding binding) {
        script.on("writer").says("Done").forever();
        ChargehandServer server = serve(runtime(InMemoryStore.create()), builder -> builder.binding(binding));
        for (int i = 0; i < 50; i++) {
            HttpResponse<String> answer = send(request(server, "/api/v1/agents/writer/runs")
                    .header("Accept", "text/event-stream")
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("{\"input\":\"Go.\"}"))
                    .build());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            assertThat(answer.body()).contains("event: run-start", "event: run-finish");
        }
    }
}
