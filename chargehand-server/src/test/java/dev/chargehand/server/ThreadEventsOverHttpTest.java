package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.store.InMemoryStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The stream of a conversation. A stream that does not continue as it must fails the test by its time. */
@Timeout(120)
class ThreadEventsOverHttpTest extends ServerFixture {

    private static final String EVENTS = "/api/v1/threads/t/events";

    @TempDir
    private Path folder;

    private record Received(String cursor, String run, String type) {}

    /** Read the next event that has an id. */
    private static Received next(BufferedReader lines) throws IOException {
        String cursor = "";
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("id: ")) {
                cursor = line.substring(4);
            } else if (line.startsWith("data: ") && !cursor.isEmpty()) {
                Json data = Json.parse(line.substring(6));
                return new Received(cursor, text(data, "/runId"), text(data, "/type"));
            }
        }
        throw new AssertionError("The stream has ended.");
    }

    private static String text(Json json, String pointer) {
        return json.at(pointer).flatMap(Json::string).orElse("");
    }

    private BufferedReader open(ChargehandServer server, String after) throws Exception {
        HttpRequest.Builder request = request(server, EVENTS);
        HttpResponse<InputStream> answer = client.send(
                (after.isEmpty() ? request : request.header("Last-Event-ID", after)).build(),
                HttpResponse.BodyHandlers.ofInputStream());
        assertThat(answer.statusCode()).isEqualTo(200);
        return new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
    }

    private String run(ChargehandServer server) {
        return at(
                post(
                        server,
                        "/api/v1/agents/writer/runs",
                        Map.of("input", "Write.", "thread", "t"),
                        "Prefer",
                        "wait=60"),
                "/runId");
    }

    private static List<String> stored(AgentRuntime runtime, String run) {
        return runtime.history(new RunId(run)).stream()
                .filter(event -> event.origin().id().isPresent())
                .map(RunEvent::type)
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void aStreamHasTheRunsThatWereAndTheOnesThatFollow(HttpBinding binding) throws Exception {
        script.on("writer").says("One.");
        script.on("writer").says("Two.");
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = serve(runtime, builder -> builder.binding(binding));
        String first = run(server);
        try (BufferedReader events = open(server, "")) {
            assertThat(whole(events, first)).isEqualTo(stored(runtime, first));
            String second = run(server);
            assertThat(whole(events, second)).isEqualTo(stored(runtime, second));
        }
    }

    /** Read the types of the events of a run to its end; no event is of another run. */
    private static List<String> whole(BufferedReader events, String run) throws IOException {
        List<String> types = new ArrayList<>();
        do {
            Received received = next(events);
            assertThat(received.run()).isEqualTo(run);
            types.add(received.type());
        } while (!types.getLast().equals("run-finish"));
        return types;
    }

    @ParameterizedTest
    @EnumSource
    void aReaderThatIsCutAfterEveryEventContinuesInAnotherProcess(HttpBinding binding) throws Exception {
        script.on("writer").says("One.");
        script.on("writer").says("Two.");
        Path file = folder.resolve(binding + ".db");
        AgentRuntime one = runtime(JdbcStore.sqlite(file));
        List<ChargehandServer> servers = List.of(
                serve(one, builder -> builder.binding(binding)),
                serve(runtime(JdbcStore.sqlite(file)), builder -> builder.binding(binding)));
        String first = run(servers.getFirst());
        String second = run(servers.getFirst());
        List<String> expected = new ArrayList<>(stored(one, first));
        expected.addAll(stored(one, second));
        List<String> received = new ArrayList<>();
        String cursor = "";
        while (received.size() < expected.size()) {
            try (BufferedReader events = open(servers.get(received.size() % 2), cursor)) {
                Received next = next(events);
                cursor = next.cursor();
                received.add(next.type());
            }
        }
        assertThat(received).isEqualTo(expected);
    }

    @Test
    void whatCannotBeReadIsAProblem() throws Exception {
        script.on("writer").says("One.");
        ChargehandServer server = serve(HttpBinding.JDK);
        assertThat(at(get(server, EVENTS), "/code")).isEqualTo("thread-unknown");
        run(server);
        for (String cursor : List.of("x", "1.run_1.1.1.1", "1.e30")) {
            assertThat(at(get(server, EVENTS + "?from=" + cursor), "/code")).isEqualTo("bad-cursor");
        }
        script.on("writer").says("One.");
        ChargehandServer forgets = serve(runtime(InMemoryStore.create()), builder -> builder);
        run(forgets);
        assertThat(at(get(forgets, EVENTS), "/code")).isEqualTo("not-available");
    }

    @ParameterizedTest
    @EnumSource
    void aStreamEndsWhenTheServerIsStopped(HttpBinding binding) throws Exception {
        script.on("writer").says("One.");
        ChargehandServer server = serve(binding);
        String run = run(server);
        try (BufferedReader events = open(server, "")) {
            whole(events, run);
            Thread stop = Thread.ofVirtual().start(server::close);
            assertThat(events.lines().filter(line -> line.startsWith("event: ")).toList())
                    .containsExactly("event: server-draining");
            stop.join();
        }
    }
}
