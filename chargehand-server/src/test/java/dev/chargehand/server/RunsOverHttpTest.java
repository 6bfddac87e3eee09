package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import dev.chargehand.store.InMemoryStore;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs that are started, read, answered and cancelled over HTTP. */
class RunsOverHttpTest extends ServerFixture {

    @ParameterizedTest
    @EnumSource
    void aRunIsStartedAndItsResultIsWaitedFor(HttpBinding binding) {
        script.on("writer").says("Done.");
        ChargehandServer server = serve(binding);
        HttpResponse<String> result = post(server, "/api/v1/agents/writer/runs", prompt("Write."), "Prefer", "wait=30");
        assertThat(result.statusCode()).isEqualTo(200);
        assertThat(at(result, "/text")).isEqualTo("Done.");
        assertThat(at(result, "/status")).isEqualTo("completed");
        HttpResponse<String> record = get(server, path(result).toString());
        assertThat(at(record, "/agent")).isEqualTo("writer");
        assertThat(at(get(server, path(result) + "/result"), "/text")).isEqualTo("Done.");
        assertThat(at(get(server, "/api/v1/runs?agent=writer&status=completed"), "/runs/0/runId"))
                .isEqualTo(at(result, "/runId"));
    }

    @ParameterizedTest
    @EnumSource
    void theEventsOfAStartAreStreamedAndEndWithTheRun(HttpBinding binding) {
        script.on("writer").streams("One ", "two.");
        ChargehandServer server = serve(binding);
        HttpResponse<String> events =
                post(server, "/api/v1/agents/writer/runs", prompt("Write."), "Accept", "text/event-stream");
        assertThat(events.statusCode()).isEqualTo(200);
        List<String> types = types(events.body());
        assertThat(types).startsWith("run-start").endsWith("run-finish").contains("text-delta");
        String run = events.headers().firstValue("X-Run-Id").orElseThrow();
        String last = lastId(events.body());
        HttpResponse<String> again = send(request(server, "/api/v1/runs/" + run + "/events")
                .header("Accept", "text/event-stream")
                .header("Last-Event-ID", last)
                .build());
        assertThat(again.statusCode()).as("nothing follows the last event").isEqualTo(204);
        String first = ids(events.body()).getFirst();
        HttpResponse<String> rest = send(request(server, "/api/v1/runs/" + run + "/events?from=" + first)
                .header("Accept", "text/event-stream")
                .build());
        assertThat(ids(rest.body()))
                .isEqualTo(ids(events.body()).subList(1, ids(events.body()).size()));
    }

    @ParameterizedTest
    @EnumSource
    void aWaitingCallIsAnsweredOnceWithTheDigestThatWasShown(HttpBinding binding) {
        script.on("clerk").calls("pay", Map.of("amount", 7)).then().says("Paid.");
        ChargehandServer server = serve(binding);
        HttpResponse<String> started = post(server, "/api/v1/agents/clerk/runs", prompt("Pay."), "Prefer", "wait=30");
        assertThat(started.statusCode()).isEqualTo(202);
        assertThat(at(started, "/status")).isEqualTo("suspended");
        HttpResponse<String> waiting = get(server, "/api/v1/approvals");
        String id = at(waiting, "/approvals/0/id");
        String digest = at(waiting, "/approvals/0/digest");
        assertThat(at(get(server, "/api/v1/approvals/" + id), "/toolName")).isEqualTo("pay");
        Map<String, String> approve = Map.of("decision", "approve", "digest", digest);

        HttpResponse<String> forged =
                post(server, "/api/v1/approvals/" + id + "/answer", Map.of("decision", "approve", "digest", "forged"));
        assertThat(forged.statusCode()).isEqualTo(409);
        assertThat(at(forged, "/code")).isEqualTo("approval-arguments-changed");
        assertThat(paid).isEmpty();

        assertThat(post(server, "/api/v1/approvals/" + id + "/answer", approve).statusCode())
                .isEqualTo(200);
        String events = get(server, path(started) + "/events?until=end").body();
        assertThat(types(events)).endsWith("run-finish");
        assertThat(paid).containsExactly(7);
        assertThat(post(server, "/api/v1/approvals/" + id + "/answer", approve).statusCode())
                .as("the same answer again")
                .isEqualTo(200);
        HttpResponse<String> other =
                post(server, "/api/v1/approvals/" + id + "/answer", Map.of("decision", "decline", "digest", digest));
        assertThat(at(other, "/code")).isEqualTo("approval-already-decided");
        assertThat(paid).containsExactly(7);
    }

    @ParameterizedTest
    @EnumSource
    void aRunIsCancelled(HttpBinding binding) {
        script.on("writer").hangs();
        ChargehandServer server = serve(binding);
        HttpResponse<String> started = post(server, "/api/v1/agents/writer/runs", prompt("Write."));
        assertThat(started.statusCode()).isEqualTo(202);
        assertThat(at(get(server, path(started) + "/result"), "/code")).isEqualTo("not-ended");
        assertThat(post(server, path(started) + "/cancel", Map.of()).statusCode())
                .isEqualTo(202);
        assertThat(types(get(server, path(started) + "/events").body())).endsWith("abort", "run-finish");
        assertThat(at(get(server, path(started) + "/result"), "/status")).isEqualTo("aborted");
        assertThat(at(post(server, path(started) + "/messages", prompt("More.")), "/code"))
                .isEqualTo("ended");
    }

    @ParameterizedTest
    @EnumSource
    void aCancelHasAReason(HttpBinding binding) {
        script.on("writer").hangs();
        ChargehandServer server = serve(binding);
        HttpResponse<String> started = post(server, "/api/v1/agents/writer/runs", prompt("Write."));
        String cancel = path(started) + "/cancel";

        assertThat(at(post(server, cancel, Map.of("why", "No")), "/detail")).contains("why", "known are reason");
        assertThat(post(server, cancel, Map.of("reason", " ")).statusCode()).isEqualTo(400);
        assertThat(at(post(server, cancel, Map.of("reason", "Withdrawn")), "/cancelled"))
                .isEqualTo("true");
        assertThat(get(server, path(started) + "/events").body()).contains("\"reason\":\"Withdrawn\"");
        assertThat(at(get(server, path(started) + "/result"), "/cancelled/reason"))
                .isEqualTo("Withdrawn");
        String run = "/api/v1/runs/" + at(started, "/runId");
        assertThat(at(get(server, run), "/cancelled/reason") + at(get(server, run), "/cancelled/by"))
                .isEqualTo("Withdrawncaller");
    }

    @ParameterizedTest
    @EnumSource
    void aMessageThatIsSentAgainWithItsKeyIsDeliveredOnce(HttpBinding binding) {
        script.on("writer").hangs();
        ChargehandServer server = serve(binding);
        HttpResponse<String> started = post(server, "/api/v1/agents/writer/runs", prompt("Write."));
        String messages = path(started) + "/messages";
        Map<String, Object> more = Map.of("input", "More.", "key", "m-1");

        HttpResponse<String> first = post(server, messages, more);
        assertThat(first.statusCode()).isEqualTo(202);
        assertThat(post(server, messages, more).body()).isEqualTo(first.body());
        assertThat(at(post(server, messages, Map.of("input", "Less.", "key", "m-1")), "/code"))
                .isEqualTo("idempotency-mismatch");
        assertThat(at(post(server, messages, Map.of("input", "More.", "key", "two words")), "/detail"))
                .contains("must have 1 to 255 visible ASCII characters");
        assertThat(post(server, path(started) + "/cancel", Map.of()).statusCode())
                .isEqualTo(202);
        assertThat(types(get(server, path(started) + "/events").body())).endsWith("run-finish");
        assertThat(post(server, messages, more).body()).isEqualTo(first.body());
        assertThat(at(post(server, messages, Map.of("input", "More.", "key", "m-2")), "/code"))
                .isEqualTo("ended");
    }

    @ParameterizedTest
    @EnumSource
    void aFailedRunHasAResultLikeOthers(HttpBinding binding) {
        ChargehandServer server = serve(binding); // the script has no turn for the writer
        HttpResponse<String> failed = post(server, "/api/v1/agents/writer/runs", prompt("Write."), "Prefer", "wait=30");
        assertThat(failed.statusCode()).isEqualTo(200);
        assertThat(at(failed, "/status")).isEqualTo("failed");
        HttpResponse<String> result = get(server, path(failed) + "/result");
        assertThat(result.statusCode()).isEqualTo(200);
        assertThat(result.body()).isEqualTo(failed.body()).doesNotContain("Exception");
    }

    @ParameterizedTest
    @EnumSource
    void aRepeatedStartWithAKeyIsTheSameRun(HttpBinding binding) {
        CountDownLatch end = new CountDownLatch(1);
        script.on("writer").waitsFor(end).and().says("Once.");
        ChargehandServer server = serve(binding);
        String[] key = {"Idempotency-Key", "order-1"};
        HttpResponse<String> first = post(server, "/api/v1/agents/writer/runs", prompt("Write."), key);
        HttpResponse<String> again = post(server, "/api/v1/agents/writer/runs", prompt("Write."), key);
        HttpResponse<String> other = post(server, "/api/v1/agents/writer/runs", prompt("Other."), key);
        assertThat(at(again, "/runId")).isEqualTo(at(first, "/runId"));
        assertThat(other.statusCode()).isEqualTo(422);
        assertThat(at(other, "/code")).isEqualTo("idempotency-mismatch");
        end.countDown();
        assertThat(types(get(server, path(first) + "/events").body())).endsWith("run-finish");
    }

    @ParameterizedTest
    @EnumSource
    void aConversationIsContinuedAndRead(HttpBinding binding) {
        script.on("writer").says("First.").then().says("Second.");
        ChargehandServer server = serve(binding);
        for (String prompt : List.of("One", "Two")) {
            Map<String, String> body = Map.of("input", prompt, "thread", "t1", "resource", "ann");
            assertThat(post(server, "/api/v1/agents/writer/runs", body, "Prefer", "wait=30")
                            .statusCode())
                    .isEqualTo(200);
        }
        HttpResponse<String> messages = get(server, "/api/v1/threads/t1/messages?resource=ann");
        assertThat(Json.parse(messages.body()).at("/messages/3/text").flatMap(Json::string))
                .contains("Second.");
        assertThat(get(server, "/api/v1/threads/t1/messages?resource=bob").statusCode())
                .as("the id names another thread for another resource")
                .isEqualTo(404);
        assertThat(at(get(server, "/api/v1/threads?resource=ann"), "/threads/0/messages"))
                .isEqualTo("4");
    }

    @ParameterizedTest
    @EnumSource
    void aRunForWhichThereIsNoPlaceIsStoredAndExecutedLater(HttpBinding binding) {
        CountDownLatch end = new CountDownLatch(1);
        script.on("writer").waitsFor(end).and().says("First.").then().says("Second.");
        ChargehandServer server = serve(runtime(InMemoryStore.keepingEndedRuns()), builder -> builder.binding(binding)
                .limit(ServerLimit.RUNS_OF_TENANT, 1));
        HttpResponse<String> first = post(server, "/api/v1/agents/writer/runs", Map.of("input", "1", "thread", "t"));
        HttpResponse<String> second = post(server, "/api/v1/agents/writer/runs", Map.of("input", "2", "thread", "t"));
        assertThat(at(second, "/status")).isEqualTo("pending");
        end.countDown();
        assertThat(types(get(server, path(second) + "/events").body())).endsWith("run-finish");
        assertThat(at(get(server, path(first) + "/result"), "/text")).isEqualTo("First.");
        assertThat(at(get(server, path(second) + "/result"), "/text")).isEqualTo("Second.");
    }

    @ParameterizedTest
    @EnumSource
    void aWorkflowIsDescribedAndRun(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        assertThat(at(get(server, "/api/v1/workflows"), "/workflows/0/id")).isEqualTo("pricing");
        assertThat(at(get(server, "/api/v1/workflows/pricing"), "/mermaid"))
                .startsWith("flowchart")
                .contains("price");
        Map<String, Object> input = Map.of("input", Map.of("amount", 3));
        HttpResponse<String> result = post(server, "/api/v1/workflows/pricing/runs", input, "Prefer", "wait=30");
        assertThat(result.statusCode()).isEqualTo(200);
        assertThat(at(result, "/object")).isEqualTo("300");
        HttpResponse<String> wrong =
                post(server, "/api/v1/workflows/pricing/runs", Map.of("input", Map.of("amount", "many")));
        assertThat(wrong.statusCode()).isEqualTo(400);
        assertThat(at(post(server, "/api/v1/workflows/none/runs", input), "/code"))
                .isEqualTo("workflow-unknown");
    }

    @ParameterizedTest
    @EnumSource
    void theTasksOfARunAreListed(HttpBinding binding) {
        script.on("lead")
                .calls("agent-writer", Map.of("prompt", "Write.", "background", true))
                .then()
                .says("It has started.");
        script.on("writer").says("A letter.");
        ChargehandServer server = serve(binding);
        HttpResponse<String> result = post(
                server,
                "/api/v1/agents/lead/runs",
                Map.of("input", "Write.", "thread", "t", "resource", "ann"),
                "Prefer",
                "wait=30");
        assertThat(at(result, "/text")).isEqualTo("It has started.");
        HttpResponse<String> tasks = get(server, "/api/v1/tasks?run=" + at(result, "/runId"));
        String task = at(tasks, "/tasks/0/id");
        assertThat(types(get(server, "/api/v1/runs/" + task + "/events").body()))
                .endsWith("run-finish");
        assertThat(at(get(server, "/api/v1/runs/" + task + "/result"), "/text")).isEqualTo("A letter.");
        assertThat(at(get(server, "/api/v1/tasks?thread=t&resource=ann"), "/tasks/0/status"))
                .isEqualTo("completed");
        assertThat(at(get(server, "/api/v1/tasks"), "/tasks/0/id")).isEqualTo(task);
    }

    static List<String> types(String events) {
        return events.lines()
                .filter(line -> line.startsWith("event: "))
                .map(line -> line.substring(7))
                .toList();
    }

    static List<String> ids(String events) {
        return Arrays.stream(events.split("\n"))
                .filter(line -> line.startsWith("id: "))
                .map(line -> line.substring(4))
                .toList();
    }

    private static String lastId(String events) {
        return ids(events).getLast();
    }
}
