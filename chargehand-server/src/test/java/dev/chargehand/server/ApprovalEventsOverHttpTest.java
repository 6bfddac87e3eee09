package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.FaultyStore;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The stream of calls that start and cease to wait for an answer. A stream that misses a change fails the test by its time. */
@Timeout(120)
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

    /** Start a server whose streams read calls after changes only. */
    private ChargehandServer withoutHeartbeats(AgentRuntime runtime, HttpBinding binding) {
        return serve(
                runtime, builder -> builder.binding(binding).timeLimit(ServerTimeLimit.HEARTBEAT, Duration.ofHours(1)));
    }

    private static String text(Json json, String pointer) {
        return json.at(pointer).flatMap(Json::string).orElse("");
    }

    @ParameterizedTest
    @EnumSource
    void callsAreReportedWhenTheyStartToWaitAndWhenTheyAreAnswered(HttpBinding binding) throws Exception {
        script.on("clerk").calls("pay", Map.of("amount", 1)).then().says("Paid.");
        script.on("clerk").calls("pay", Map.of("amount", 2)).then().says("Paid again.");
        ChargehandServer server = withoutHeartbeats(runtime(InMemoryStore.keepingEndedRuns()), binding);
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

    @Test
    void aStreamReadsNoCallsBetweenItsHeartbeatsWhileNothingChanges() throws Exception {
        script.on("clerk").calls("pay", Map.of("amount", 1));
        FaultyStore store = FaultyStore.over(JdbcStore.sqlite(folder.resolve("calls.db")));
        AgentRuntime runtime = runtime(store);
        Duration apart = Duration.ofMillis(1_600); // three times as far as the reads of a store that changes
        ChargehandServer server = serve(runtime, builder -> builder.timeLimit(ServerTimeLimit.HEARTBEAT, apart));
        runtime.agent("clerk").generate("Pay.");
        try (BufferedReader events = open(server)) {
            next(events, "approval-waiting");
            heartbeat(events);
            long start = System.nanoTime();
            int reads = store.count(FaultyStore.Operation.WAITING);
            heartbeat(events);
            heartbeat(events);
            reads = store.count(FaultyStore.Operation.WAITING) - reads;
            long passed = System.nanoTime() - start;
            assertThat(reads).isBetween(2, (int) (1 + passed / apart.toNanos()));
        }
    }

    private static void heartbeat(BufferedReader events) throws IOException {
        for (String line = events.readLine(); !line.equals(": hb"); line = events.readLine()) {
            assertThat(line).doesNotStartWith("event: ");
        }
    }

    @ParameterizedTest
    @EnumSource
    void callsOfAnotherRuntimeOnTheStoreAreReported(HttpBinding binding) throws Exception {
        script.on("clerk").calls("pay", Map.of("amount", 1)).then().says("Paid.");
        Path file = folder.resolve("calls.db");
        ChargehandServer server = withoutHeartbeats(runtime(JdbcStore.sqlite(file)), binding);
        AgentRuntime other = runtime(JdbcStore.sqlite(file));
        try (BufferedReader events = open(server)) {
            RunResult result = other.agent("clerk").generate("Pay.");
            PendingApproval call = result.pendingApprovals().getFirst();
            Json waiting = next(events, "approval-waiting");
            assertThat(text(waiting, "/approval/callId")).isEqualTo(call.callId());
            RunHandle handle = other.approve(call, Approver.of("ann"));
            Json answered = next(events, "approval-answered");
            assertThat(text(answered, "/id")).isEqualTo(text(waiting, "/approval/id"));
            assertThat(text(answered, "/rootRunId")).isEqualTo(handle.runId().value());
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
