package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.json.Json;
import dev.chargehand.processor.InputProcessor;
import dev.chargehand.processor.Processed;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a client of Mastra says on a thread reaches the run that is executed there, or starts one. */
@Timeout(120)
class MastraMessagesTest extends MastraSubscriptionFixture {

    private static final String ABORT = "/api/agents/writer/threads/abort";

    private final CountDownLatch inspected = new CountDownLatch(2);

    @Override
    List<Agent> agents() {
        List<Agent> agents = new ArrayList<>(super.agents());
        agents.add(Agent.builder("guarded")
                .model(script.modelFor("guarded"))
                .inputProcessors(InputProcessor.of("guard", (context, messages) -> {
                    inspected.countDown();
                    inspected.await();
                    return Processed.unchanged();
                }))
                .build());
        return agents;
    }

    private String asked(int request) {
        return script.requestsOf("writer").get(request).messages().toString();
    }

    @ParameterizedTest
    @EnumSource
    void aRunThatIsExecutedReceivesTheMessage(HttpBinding binding) throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        script.on("writer").waitsFor(go).and().says("One.").then().says("Both.");
        ChargehandServer server = serve(binding);
        try (Subscription thread = open(server)) {
            String run = say(server, SEND, "First.");
            var unused = thread.until("step-start");
            assertThat(say(server, SEND, "Second.")).isEqualTo(run);
            HttpResponse<String> named =
                    post(server, SEND, Map.of("message", Map.of("contents", "Third."), "runId", run));
            assertThat(at(named, "/runId")).isEqualTo(run);
            go.countDown();
            assertThat(said(thread.until("finish"), run)).isEqualTo("One.Both.");
            assertThat(asked(0)).doesNotContain("Second.");
            assertThat(asked(1)).contains("First.", "Second.", "Third.");
            String next = say(server, SEND, "Later.");
            assertThat(next).isNotEqualTo(run);
            assertThat(at(post(server, SEND, Map.of("message", "Late.", "runId", run)), "/code"))
                    .isEqualTo("ended");
        }
    }

    @ParameterizedTest
    @EnumSource
    void twoMessagesAtOnceAreOneRun(HttpBinding binding) throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        script.on("writer").waitsFor(go).and().says("One.").then().says("All.").forever();
        ChargehandServer server = serve(binding);
        try (Subscription thread = open(server)) {
            List<String> started = atOnce(8, number -> say(server, SEND, "Number " + number + "."));
            assertThat(new HashSet<>(started)).hasSize(1);
            go.countDown();
            var unused = thread.until("finish");
            String last = script.requestsOf("writer").getLast().messages().toString();
            for (int number = 0; number < 8; number++) {
                assertThat(last).contains("Number " + number + ".");
            }
        }
    }

    /** Both states of it are looked for. */
    @ParameterizedTest
    @EnumSource
    void aRunThatStartsDuringTheLookForItReceivesTheMessage(HttpBinding binding) throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        script.on("writer").waitsFor(go).and().says("One.").then().says("Both.");
        StartsDuringLooks store = new StartsDuringLooks(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = serve(runtime(store), builder -> builder.binding(binding));
        String run = say(server, SEND, "First.");
        store.isAboutToStart.await();
        store.looked = new RunId(run);
        assertThat(say(server, SEND, "Second.")).isEqualTo(run);
        go.countDown();
    }

    /** No run starts before somebody has looked once for those of a thread. */
    private static final class StartsDuringLooks extends ForwardingStore {

        private final CountDownLatch isAboutToStart = new CountDownLatch(1);
        private final CountDownLatch mayStart = new CountDownLatch(1);
        private volatile @Nullable RunId looked;

        private StartsDuringLooks(Store store) {
            super(store);
        }

        @Override
        public List<RunRecord> list(RunFilter filter) {
            List<RunRecord> found = super.list(filter);
            RunId run = looked;
            if (run != null && filter.threadId().isPresent()) {
                mayStart.countDown();
                while (find(run).orElseThrow().status() == RunStatus.PENDING) {
                    Thread.onSpinWait();
                }
            }
            return found;
        }

        @Override
        public RunRecord claimToWake(
                RunId runId, long expectedEpoch, long expectedLength, String owner, Instant notBefore) {
            isAboutToStart.countDown();
            try {
                mayStart.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return super.claimToWake(runId, expectedEpoch, expectedLength, owner, notBefore);
        }
    }

    /** Each waits for the other to be inspected too: none may wait without a limit until the one before it is. */
    @ParameterizedTest
    @EnumSource
    void aMessageThatIsInspectedForLongDoesNotHoldTheNextOne(HttpBinding binding) throws Exception {
        script.on("guarded").says("Done.").forever();
        ChargehandServer server = serve(binding);
        List<String> runs = atOnce(2, number -> say(server, "/api/agents/guarded/send-message", "Go."));
        assertThat(runs).hasSize(2).doesNotHaveDuplicates();
        assertThat(inspected.getCount()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void whatIsQueuedIsARunOfItsOwnAfterTheOthers(HttpBinding binding) throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        script.on("writer")
                .waitsFor(go)
                .and()
                .says("One.")
                .then()
                .says("Two.")
                .then()
                .says("Three.");
        ChargehandServer server = serve(binding);
        try (Subscription thread = open(server)) {
            String first = say(server, QUEUE, "First.");
            var unused = thread.until("step-start");
            String second = say(server, QUEUE, "Second.");
            String third = at(post(server, QUEUE, Map.of("message", "Third.", "runId", first)), "/runId");
            assertThat(List.of(first, second, third)).doesNotHaveDuplicates();
            go.countDown();
            List<Json> chunks = thread.until("finish");
            assertThat(said(chunks, first)).isEqualTo("One.");
            assertThat(chunks).allSatisfy(chunk -> assertThat(text(chunk, "/runId"))
                    .isEqualTo(first)); // none of those that wait for their turn
            assertThat(said(thread.until("finish"), second)).isEqualTo("Two.");
            assertThat(said(thread.until("finish"), third)).isEqualTo("Three.");
            assertThat(asked(1)).contains("First.", "Second.").doesNotContain("Third.");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRequestWithAKeyCanBeRepeated(HttpBinding binding) throws Exception {
        script.on("writer").says("One.").then().says("Two.");
        ChargehandServer server = serve(binding);
        try (Subscription thread = open(server)) {
            String run = say(server, SEND, "Go.", "Idempotency-Key", "k");
            assertThat(say(server, SEND, "Go.", "Idempotency-Key", "k")).isEqualTo(run);
            var unused = thread.until("finish");
            assertThat(say(server, SEND, "Go.", "Idempotency-Key", "k")).isEqualTo(run);
            assertThat(script.requestsOf("writer")).hasSize(1);
            Map<String, Object> named = Map.of(
                    "message",
                    "Go.",
                    "threadId",
                    "t",
                    "resourceId",
                    "ann",
                    "ifIdle",
                    Map.of("behavior", "wake", "streamOptions", Map.of("runId", "mine")));
            String second = at(post(server, SEND, named), "/runId");
            assertThat(second).isNotEqualTo(run).isNotEmpty();
            assertThat(at(post(server, SEND, named), "/runId")).isEqualTo(second);
            assertThat(said(thread.until("finish"), second)).isEqualTo("Two.");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aClientEndsTheRunOfItsThread(HttpBinding binding) throws Exception {
        script.on("writer").hangs().forever();
        ChargehandServer server = serve(binding);
        try (Subscription thread = open(server)) {
            assertThat(at(post(server, ABORT, THREAD), "/aborted")).isEqualTo("false");
            String run = say(server, SEND, "Go.");
            var unused = thread.until("step-start");
            Map<String, Object> other = Map.of("threadId", "t", "resourceId", "ann", "expectedRunId", "run_other");
            assertThat(at(post(server, ABORT, other), "/aborted")).isEqualTo("false");
            assertThat(at(post(server, ABORT, THREAD), "/aborted")).isEqualTo("true");
            Json last = thread.until("abort").getLast();
            assertThat(text(last, "/runId")).isEqualTo(run);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSignalOfAUserIsAMessage(HttpBinding binding) throws Exception {
        script.on("writer").says("One.");
        ChargehandServer server = serve(binding);
        String path = "/api/agents/writer/signals";
        Map<String, Object> signal = Map.of("type", "user", "contents", List.of(Map.of("type", "text", "text", "Hi.")));
        try (Subscription thread = open(server)) {
            String run =
                    at(post(server, path, Map.of("signal", signal, "threadId", "t", "resourceId", "ann")), "/runId");
            assertThat(said(thread.until("finish"), run)).isEqualTo("One.");
            assertThat(asked(0)).contains("Hi.");
        }
        for (String type : List.of("state", "reactive", "notification", "system-reminder")) {
            Map<String, Object> body =
                    Map.of("signal", Map.of("type", type, "contents", "Hi."), "threadId", "t", "resourceId", "ann");
            assertThat(post(server, path, body).statusCode()).as(type).isEqualTo(400);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatTheModelWouldNotSeeIsAProblem(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        List<Map<String, Object>> rejected = List.of(
                message(" "),
                message(List.of()),
                message(List.of(Map.of("type", "file", "data", "x", "mediaType", "text/plain"))),
                message(Map.of("contents", "Hi.", "attributes", Map.of("name", "Ann"))),
                Map.of("message", "Hi.", "resourceId", "ann"),
                Map.of("threadId", "t", "resourceId", "ann"),
                Map.of("message", "Hi.", "threadId", "t", "ifActive", Map.of("behavior", "persist")),
                Map.of("message", "Hi.", "threadId", "t", "ifIdle", Map.of("behavior", "discard")),
                Map.of("message", "Hi.", "threadId", "t", "ifIdle", Map.of("attributes", Map.of("a", 1))));
        for (Map<String, Object> body : rejected) {
            assertThat(at(post(server, SEND, body), "/code")).as("%s", body).isEqualTo("bad-request");
        }
        assertThat(post(server, "/api/agents/nobody/send-message", message("Hi."))
                        .statusCode())
                .isEqualTo(404);
        assertThat(post(server, SEND, Map.of("message", "Hi.", "runId", "run_missing"))
                        .statusCode())
                .isEqualTo(404);
        assertThat(script.requests()).isEmpty();
    }
}
