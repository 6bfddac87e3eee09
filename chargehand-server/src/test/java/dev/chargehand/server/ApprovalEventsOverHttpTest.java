package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import dev.chargehand.store.InMemoryStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The stream of calls that start and cease to wait for an answer. */
class ApprovalEventsOverHttpTest extends ServerFixture {

    private static final String EVENTS = "/api/v1/approvals/events";

    @TempDir
    private Path folder;

    /** Return the data of the next event of a type, which is read from now on. */
    private static Json next(BufferedReader events, String type) throws IOException {
        for (String line = events.readLine(); line != null; line = events.readLine()) {
            if (line.equals("event: " + type)) {
                return Json.parse(events.readLine().substring("data: ".length()));
            }
        }
        throw new AssertionError("The stream has ended without an event " + type + ".");
    }

    private BufferedReader open(ChargehandServer server, String... headers) throws Exception {
        HttpRequest.Builder request = request(server, EVENTS);
        var answer = client.send(
                (headers.length == 0 ? request : request.headers(headers)).build(),
                HttpResponse.BodyHandlers.ofInputStream());
        assertThat(answer.statusCode()).isEqualTo(200);
        return new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
    }

    private static String text(Json json, String pointer) {
        return json.at(pointer).flatMap(Json::string).orElse("");
    }

    @ParameterizedTest
    @EnumSource
    void callsAreReportedWhenTheyStartToWaitAndWhenTheyAreAnswered(HttpBinding binding) throws Exception {
        script.on("clerk").calls("pay", Map.of("amount", 1)).then().says("Paid.");
        script.on("clerk").calls("pay", Map.of("amount", 2)).then().says("Paid again.");
        ChargehandServer server = serve(binding);
        try (BufferedReader early = open(server)) {
            post(server, "/api/v1/agents/clerk/runs", prompt("Pay."));
            Json waiting = next(early, "approval-waiting");
            String id = text(waiting, "/approval/id");
            try (BufferedReader late = open(server)) {
                assertThat(text(next(late, "approval-waiting"), "/approval/id"))
                        .as("a stream begins with what waits")
                        .isEqualTo(id);
                post(
                        server,
                        "/api/v1/approvals/" + id + "/answer",
                        Map.of("decision", "approve", "digest", text(waiting, "/approval/digest")));
                assertThat(text(next(late, "approval-answered"), "/id")).isEqualTo(id);
            }
            assertThat(text(next(early, "approval-answered"), "/id")).isEqualTo(id);
            post(server, "/api/v1/agents/clerk/runs", prompt("Pay again."));
            assertThat(text(next(early, "approval-waiting"), "/approval/id")).isNotEqualTo(id);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aReaderSeesTheCallsOfItsOwnResourceOnly(HttpBinding binding) throws Exception {
        ApiKeys keys = ApiKeys.of(folder.resolve("keys.json"));
        script.on("clerk").calls("pay", Map.of("amount", 1)).then().says("Paid.");
        script.on("clerk").calls("pay", Map.of("amount", 2)).then().says("Paid.");
        String[] ann = {"Authorization", "Bearer " + add(keys, "ann", "local")};
        String[] bob = {"Authorization", "Bearer " + add(keys, "bob", "local")};
        String[] other = {"Authorization", "Bearer " + add(keys, "ann", "other")};
        ChargehandServer server = serve(runtime(InMemoryStore.keepingEndedRuns()), builder -> builder.binding(binding)
                .addPrincipals(keys)
                .timeLimit(ServerTimeLimit.STREAM, Duration.ofMillis(1_500)));
        String theirs = at(post(server, "/api/v1/agents/clerk/runs", prompt("Pay."), ann), "/runId");
        try (BufferedReader own = open(server, ann)) {
            assertThat(text(next(own, "approval-waiting"), "/approval/rootRunId"))
                    .isEqualTo(theirs);
        }
        for (String[] foreign : new String[][] {bob, other}) {
            try (BufferedReader events = open(server, foreign)) {
                assertThat(String.join("\n", events.lines().toList())).doesNotContain("approval-");
            }
        }
    }

    private static String add(ApiKeys keys, String resource, String tenant) {
        Principal principal = new Principal(
                resource + "-" + tenant,
                tenant,
                Optional.of(resource),
                EnumSet.complementOf(EnumSet.of(Scope.RESOURCES_ANY)));
        return keys.add(new ApiKey(resource + "-" + tenant, principal, Optional.empty()));
    }

    @ParameterizedTest
    @EnumSource
    void aStreamEndsWhenTheServerIsStopped(HttpBinding binding) throws Exception {
        ChargehandServer server = serve(binding);
        try (BufferedReader events = open(server)) {
            Thread stop = Thread.ofVirtual().start(server::close);
            assertThat(text(next(events, "server-draining"), "/type")).isEqualTo("server-draining");
            assertThat(events.lines().filter(line -> !line.isEmpty())).isEmpty();
            stop.join();
        }
    }
}
