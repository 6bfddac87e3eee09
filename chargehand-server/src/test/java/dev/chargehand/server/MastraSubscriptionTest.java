package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a client of Mastra that follows a thread receives. A stream that does not continue as it must fails the test by its time. */
@Timeout(120)
class MastraSubscriptionTest extends MastraSubscriptionFixture {

    private static final Map<String, Object> ASK =
            Map.of("messages", "Please.", "memory", Map.of("thread", "t", "resource", "ann"));

    @TempDir
    private Path folder;

    private ChargehandServer signedIn(HttpBinding binding) {
        return serve(runtime(InMemoryStore.keepingEndedRuns()), builder -> builder.binding(binding)
                .addPrincipals(token -> {
                    EnumSet<Scope> scopes = EnumSet.allOf(Scope.class);
                    scopes.remove(Scope.RESOURCES_ANY);
                    scopes.removeIf(scope -> token.equals("without " + scope.text()));
                    return Optional.of(new Principal(token, Store.LOCAL, Optional.of(token), scopes));
                }));
    }

    @ParameterizedTest
    @EnumSource
    void theRunsOfAThreadArriveAsTheyStart(HttpBinding binding) throws Exception {
        script.on("writer").says("One.").then().says("Two.").then().says("Three.");
        ChargehandServer server = serve(binding);
        try (Subscription thread = open(server)) { // before the thread exists
            String first = say(server, SEND, "Go.");
            List<Json> chunks = thread.until("finish");
            assertThat(said(chunks, first)).isEqualTo("One.");
            assertThat(text(chunks.getFirst(), "/type")).isEqualTo("start");
            assertThat(chunks)
                    .allSatisfy(chunk -> assertThat(text(chunk, "/runId")).isEqualTo(first));
            assertThat(text(chunks.getLast(), "/payload/stepResult/reason")).isEqualTo("stop");
            String second = say(server, SEND, "On.");
            assertThat(said(thread.until("finish"), second)).isEqualTo("Two.");
            assertThat(second).isNotEqualTo(first);
            String third = at(post(server, "/api/agents/writer/generate", ASK), "/runId");
            assertThat(said(thread.until("finish"), third)).isEqualTo("Three.");
        }
        HttpResponse<String> found = get(server, "/api/memory/threads/t?resourceId=ann");
        assertThat(at(found, "/id")).as(found.body()).isEqualTo("t");
        assertThat(at(get(server, "/api/memory/threads/t/messages?resourceId=ann"), "/total"))
                .isEqualTo("6");
    }

    @ParameterizedTest
    @EnumSource
    void aLaterClientGetsTheRunThatIsExecutedAndNoneThatHasEnded(HttpBinding binding) throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        script.on("writer")
                .says("One.")
                .then()
                .streams("Half ")
                .and()
                .waitsFor(go)
                .and()
                .says("whole.");
        AgentRuntime runtime = runtime(JdbcStore.sqlite(folder.resolve(binding + ".db")));
        ChargehandServer server = serve(runtime, builder -> builder.binding(binding));
        post(server, "/api/agents/writer/generate", ASK);
        try (Subscription thread = open(server)) {
            String second = say(server, SEND, "On.");
            assertThat(text(thread.until("text-delta").getFirst(), "/runId")).isEqualTo(second);
            try (Subscription later = open(server)) {
                go.countDown();
                List<Json> chunks = later.until("finish");
                assertThat(chunks)
                        .allSatisfy(chunk -> assertThat(text(chunk, "/runId")).isEqualTo(second));
                assertThat(said(chunks, second)).isEqualTo("Half whole.");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void theChunksOfASubAgentAndOfANetworkAreThoseOfTheirStreams(HttpBinding binding) throws Exception {
        script.on("clerk").delegates("writer", "Write.").then().says("Done.");
        script.on("writer").says("Text.");
        ChargehandServer server = serve(binding);
        try (Subscription thread = open(server)) {
            String run = say(server, "/api/agents/clerk/send-message", "Go.");
            List<Json> chunks = thread.until("finish");
            assertThat(said(chunks, run)).isEqualTo("Done.");
            assertThat(chunks).anySatisfy(chunk -> assertThat(text(chunk, "/payload/output/payload/text"))
                    .isEqualTo("Text."));
            script.on("clerk")
                    .says(
                            "{\"primitiveId\":\"none\",\"primitiveType\":\"none\",\"prompt\":\"Hello.\",\"selectionReason\":\"It fits.\"}")
                    .then()
                    .says("{\"isComplete\":true,\"completionReason\":\"Done.\",\"finalResult\":\"\"}");
            post(server, "/api/agents/clerk/network", ASK);
            assertThat(thread.until("network-execution-event-step-finish"))
                    .anySatisfy(
                            chunk -> assertThat(text(chunk, "/payload/task")).isEqualTo("Please."));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRunContinuesInTheSameStreamAfterAnApproval(HttpBinding binding) throws Exception {
        script.on("clerk").calls("pay", Map.of("amount", 7)).then().says("Paid.");
        ChargehandServer server = serve(binding);
        try (Subscription thread = open(server)) {
            String run = say(server, "/api/agents/clerk/send-message", "Pay.");
            String call = text(thread.until("tool-call-approval").getLast(), "/payload/toolCallId");
            String path = "/api/agents/clerk/send-tool-approval";
            Map<String, Object> yes =
                    Map.of("threadId", "t", "resourceId", "ann", "toolCallId", call, "approved", true);
            HttpResponse<String> answer = post(server, path, yes); // the run may not wait yet
            assertThat(at(answer, "/accepted")).isEqualTo("true");
            assertThat(at(answer, "/runId")).isEqualTo(run);
            assertThat(said(thread.until("finish"), run)).isEqualTo("Paid.");
            assertThat(paid).containsExactly(7);
            assertThat(post(server, path, yes).statusCode()).isEqualTo(409);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aClientToolIsExecutedByTheClientThatFollows(HttpBinding binding) throws Exception {
        script.on("helper").calls("locate", Map.of("amount", 1)).then().says("Found.");
        ChargehandServer server = serve(binding);
        try (Subscription thread = open(server)) {
            String run = say(server, "/api/agents/helper/send-message", "Where?");
            List<Json> chunks = thread.until("finish");
            assertThat(text(chunks.getLast(), "/payload/stepResult/reason")).isEqualTo("tool-calls");
            String call = chunks.stream()
                    .filter(chunk -> text(chunk, "/type").equals("tool-call"))
                    .map(chunk -> text(chunk, "/payload/toolCallId"))
                    .findFirst()
                    .orElseThrow();
            Map<String, Object> sent = results(call, call, "Here.");
            assertThat(post(server, "/api/agents/helper/send-tool-approval", sent)
                            .statusCode())
                    .isEqualTo(200);
            assertThat(said(thread.until("finish"), run)).isEqualTo("Found.");
            assertThat(script.requestsOf("helper")
                            .getLast()
                            .messages()
                            .getLast()
                            .toString())
                    .contains("Here.");
        }
    }

    /** Return what a client sends by itself when it has executed a call: it names the first call of the run, and approves it. */
    private static Map<String, Object> results(String first, String call, String value) {
        Map<String, Object> result =
                Map.of("type", "tool-result", "toolCallId", call, "output", Map.of("type", "json", "value", value));
        return Map.of(
                "threadId",
                "t",
                "resourceId",
                "ann",
                "toolCallId",
                first,
                "approved",
                true,
                "messages",
                List.of(Map.of("role", "assistant", "content", List.of(result))));
    }

    private static List<String> ends(List<Json> chunks) {
        return chunks.stream()
                .filter(chunk -> text(chunk, "/type").equals("finish"))
                .map(chunk -> text(chunk, "/payload/stepResult/reason"))
                .toList();
    }

    private static Map<String, String> callsOf(List<Json> chunks) {
        return chunks.stream()
                .filter(chunk -> text(chunk, "/type").equals("tool-call"))
                .collect(Collectors.toMap(
                        chunk -> text(chunk, "/payload/toolName"), chunk -> text(chunk, "/payload/toolCallId")));
    }

    @ParameterizedTest
    @EnumSource
    void aResultOfAClientToolApprovesNoOtherCall(HttpBinding binding) throws Exception {
        script.on("helper")
                .calls("pay", Map.of("amount", 9))
                .and()
                .calls("locate", Map.of("amount", 1))
                .then()
                .says("Done.");
        ChargehandServer server = serve(binding);
        String path = "/api/agents/helper/send-tool-approval";
        try (Subscription thread = open(server)) {
            String run = say(server, "/api/agents/helper/send-message", "Go.");
            Map<String, String> calls = callsOf(thread.until("finish"));
            Map<String, Object> sent = results(calls.get("pay"), calls.get("locate"), "Here.");
            assertThat(post(server, path, sent).statusCode()).isEqualTo(200);
            assertThat(post(server, path, sent).statusCode()).isEqualTo(409); // also when a second client sends it
            Map<String, Object> no =
                    Map.of("threadId", "t", "resourceId", "ann", "toolCallId", calls.get("pay"), "approved", false);
            assertThat(post(server, path, no).statusCode()).isEqualTo(200);
            assertThat(said(thread.until("finish"), run)).isEqualTo("Done.");
            assertThat(paid).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aResultIsTakenThoughItsRunHasMadeOtherCallsBefore(HttpBinding binding) throws Exception {
        script.on("helper")
                .calls("look", Map.of("amount", 1))
                .then()
                .calls("locate", Map.of("amount", 1))
                .then()
                .says("Found.");
        ChargehandServer server = serve(binding);
        try (Subscription thread = open(server)) {
            String run = say(server, "/api/agents/helper/send-message", "Go.");
            Map<String, String> calls = callsOf(thread.until("finish"));
            Map<String, Object> sent = results(calls.get("look"), calls.get("locate"), "Here.");
            assertThat(post(server, "/api/agents/helper/send-tool-approval", sent)
                            .statusCode())
                    .isEqualTo(200);
            assertThat(said(thread.until("finish"), run)).isEqualTo("Found.");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aClientThatConnectsAgainDoesNotExecuteItsCallsAgain(HttpBinding binding) throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        script.on("helper")
                .calls("locate", Map.of("amount", 1))
                .then()
                .waitsFor(go)
                .and()
                .calls("locate", Map.of("amount", 2))
                .then()
                .says("Found.");
        ChargehandServer server = serve(binding);
        String path = "/api/agents/helper/send-tool-approval";
        String run;
        try (Subscription thread = open(server)) {
            run = say(server, "/api/agents/helper/send-message", "Where?");
            String first = callsOf(thread.until("finish")).get("locate");
            post(server, path, results(first, first, "Here."));
            assertThat(thread.until("step-start")).isNotEmpty();
        }
        try (Subscription again = open(server)) {
            List<Json> chunks = again.until("step-finish");
            go.countDown();
            chunks.addAll(again.until("finish"));
            String second = callsOf(chunks).get("locate"); // fails if there are two calls
            assertThat(ends(chunks)).containsExactly("tool-calls");
            post(server, path, results(second, second, "There."));
            assertThat(said(again.until("finish"), run)).isEqualTo("Found.");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aThreadOfOthersIsAsOneThatIsMissing(HttpBinding binding) throws Exception {
        script.on("writer").says("Secret.").then().says("Own.");
        ChargehandServer server = signedIn(binding);
        Map<String, Object> ask = Map.of("messages", "Please.", "memory", Map.of("thread", "t"));
        post(server, "/api/agents/writer/generate", ask, "Authorization", "Bearer ann");
        String stored = at(
                send(request(server, "/api/v1/threads")
                        .header("Authorization", "Bearer ann")
                        .build()),
                "/threads/0/id");
        assertThat(stored).startsWith("thr_");
        for (String id : List.of("t", stored, "thr_missing")) {
            Map<String, Object> thread = Map.of("threadId", id);
            HttpResponse<String> aborted =
                    post(server, "/api/agents/writer/threads/abort", thread, "Authorization", "Bearer bob");
            assertThat(aborted.statusCode() + aborted.body()).isEqualTo("200{\"aborted\":false}");
            open(subscribe(server, thread, "Authorization", "Bearer bob")).close();
        }
        try (Subscription thread = open(subscribe(server, Map.of("threadId", stored), "Authorization", "Bearer bob"))) {
            HttpResponse<String> sent =
                    post(server, SEND, Map.of("message", "Hi.", "threadId", stored), "Authorization", "Bearer bob");
            assertThat(said(thread.until("finish"), at(sent, "/runId"))).isEqualTo("Own.");
            assertThat(script.requestsOf("writer").getLast().messages().toString())
                    .doesNotContain("Secret");
        }
        for (Scope missing : List.of(Scope.THREADS_READ, Scope.RUNS_READ)) {
            HttpResponse<InputStream> answer =
                    subscribe(server, Map.of("threadId", "t"), "Authorization", "Bearer without " + missing.text());
            assertThat(answer.statusCode()).isEqualTo(403);
            answer.body().close();
        }
        assertThat(subscribe(server, THREAD, "Authorization", "Bearer bob").statusCode())
                .isEqualTo(403); // another resource
    }

    @ParameterizedTest
    @EnumSource
    void theStreamsOfAThreadAreCounted(HttpBinding binding) throws Exception {
        ChargehandServer server = serve(runtime(InMemoryStore.keepingEndedRuns()), builder -> builder.binding(binding)
                .limit(ServerLimit.STREAMS_OF_RUN, 1));
        try (Subscription unused = open(server)) {
            assertThat(subscribe(server, THREAD).statusCode()).isEqualTo(429);
            try (Subscription other = open(subscribe(server, Map.of("threadId", "u", "resourceId", "ann")))) {
                assertThat(other).isNotNull();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aStreamEndsWithItsLastFrameWhenTheServerIsStopped(HttpBinding binding) throws Exception {
        ChargehandServer server = serve(binding);
        try (Subscription thread = open(server)) {
            Thread stop = Thread.ofVirtual().start(server::close);
            assertThat(thread.next().fields()).isEmpty();
            assertThat(thread.lines().lines().filter(line -> !line.isEmpty())).isEmpty();
            stop.join();
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatCannotBeStreamedIsAProblem(HttpBinding binding) {
        ChargehandServer server = serve(runtime(InMemoryStore.create()), builder -> builder.binding(binding));
        String path = "/api/agents/writer/threads/subscribe";
        assertThat(at(post(server, path, THREAD), "/code")).isEqualTo("not-available");
        assertThat(at(post(server, path, Map.of()), "/code")).isEqualTo("bad-request");
        assertThat(post(server, "/api/agents/nobody/threads/subscribe", THREAD).statusCode())
                .isEqualTo(404);
    }
}
