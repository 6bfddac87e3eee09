package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.store.TreeFact;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.thread.ThreadChange;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What happens to a run while a request reads first one thing of it and then another. */
@Timeout(120)
class ChangesBetweenReadsTest extends ServerFixture {

    private static final String CHATS = "/v1/chat/completions";

    private final Between store = new Between(InMemoryStore.keepingEndedRuns());

    /** Lets something happen once, before a read or write of a kind. */
    private static final class Between extends ForwardingStore {

        private final AtomicReference<Runnable> tree = new AtomicReference<>(Between::nothing);
        private final AtomicReference<Runnable> listed = new AtomicReference<>(Between::nothing);
        private final AtomicReference<Runnable> change = new AtomicReference<>(Between::nothing);

        private Between(Store store) {
            super(store);
        }

        private static void nothing() {}

        @Override
        public List<TreeFact> readTree(RunId root, long after, int limit) {
            tree.getAndSet(Between::nothing).run();
            return super.readTree(root, after, limit);
        }

        @Override
        public List<RunRecord> list(RunFilter filter) {
            List<RunRecord> found = super.list(filter);
            listed.getAndSet(Between::nothing).run();
            return found;
        }

        @Override
        public ThreadRecord changeThread(String threadId, ThreadOwner owner, ThreadChange what, Instant at) {
            change.getAndSet(Between::nothing).run();
            return super.changeThread(threadId, owner, what, at);
        }

        private void awaits(RunId run, RunStatus status) {
            while (find(run).orElseThrow().status() != status) {
                Thread.onSpinWait();
            }
        }
    }

    /** The ways to read a run as a stream, until it ends or waits. */
    enum Reader {
        MASTRA("tool-call-approval"),
        OPEN_AI("response.incomplete"),
        AG_UI("interrupt"),
        AI_SDK("tool-approval-request");

        private final String said;

        Reader(String said) {
            this.said = said;
        }
    }

    private HttpResponse<String> read(ChargehandServer server, Reader reader, RunId run) {
        return switch (reader) {
            case MASTRA -> post(server, "/api/agents/clerk/observe", Map.of("runId", run.value()));
            case OPEN_AI -> get(server, "/v1/responses/resp_" + run.value() + "?stream=true");
            case AG_UI ->
                post(server, "/ag-ui/clerk/connect", Map.of("threadId", "t", "runId", "r", "messages", List.of()));
            case AI_SDK -> get(server, "/ai-sdk/clerk/t/stream");
        };
    }

    /** Without this the stream would wait for the end of a run that waits for its reader. */
    @ParameterizedTest
    @EnumSource
    void aRunThatStartsToWaitIsReadUntilThen(Reader reader) throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        script.on("clerk").waitsFor(go).and().calls("pay", Map.of("amount", 7));
        ChargehandServer server = serve(runtime(store), builder -> builder);
        RunId run = new RunId(
                at(post(server, "/api/v1/agents/clerk/runs", Map.of("input", "Pay.", "thread", "t")), "/runId"));
        store.awaits(run, RunStatus.RUNNING);
        store.tree.set(() -> {
            go.countDown();
            store.awaits(run, RunStatus.SUSPENDED);
        });
        HttpResponse<String> answer = read(server, reader, run);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).contains(reader.said);
    }

    private String stored(ChargehandServer server, String text) {
        Map<String, Object> body = new HashMap<>();
        body.put("model", "writer@t");
        body.put("messages", List.of(Map.of("role", "user", "content", text)));
        body.put("store", true);
        return at(post(server, CHATS, body), "/id");
    }

    private static RunId runOf(String chat) {
        return new RunId(chat.substring("chatcmpl-".length()));
    }

    @Test
    void aChatThatIsDeletedMeanwhileIsLeftOutOfTheList() {
        script.on("writer").says("One.").forever();
        AgentRuntime runtime = runtime(store);
        ChargehandServer server = serve(runtime, builder -> builder);
        String first = stored(server, "One?");
        String second = stored(server, "Two?");
        store.tree.set(() -> assertThat(runtime.handle(runOf(first)).delete()).isTrue());
        HttpResponse<String> page = get(server, CHATS);
        assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
        assertThat(page.body()).contains(second).doesNotContain(first);
    }

    @Test
    void whatIsReplacedWhileItsChatIsDeletedIsNotKept() {
        script.on("writer").says("One.").forever();
        AgentRuntime runtime = runtime(store);
        ChargehandServer server = serve(runtime, builder -> builder);
        String chat = stored(server, "One?");
        String path = CHATS + "/" + chat;
        String thread =
                runtime.findRun(runOf(chat)).flatMap(RunRecord::threadId).orElseThrow();
        store.change.set(() -> {
            HttpResponse<String> deleted = send(request(server, path).DELETE().build());
            assertThat(deleted.statusCode()).as(deleted.body()).isEqualTo(200);
        });
        HttpResponse<String> changed = post(server, path, Map.of("metadata", Map.of("secret", "s-7")));
        assertThat(changed.statusCode()).as(changed.body()).isEqualTo(404);
        assertThat(store.findThread(thread).orElseThrow().metadata().text()).doesNotContain("s-7");
    }

    @Test
    void eachOfTwoReplacementsAtOnceIsWhole() throws Exception {
        script.on("writer").says("One.").forever();
        ChargehandServer server = serve(runtime(store), builder -> builder);
        List<String> chats = List.of(stored(server, "One?"), stored(server, "Two?"));
        List<String> answers = atOnce(
                8,
                number -> at(
                        post(
                                server,
                                CHATS + "/" + chats.get(number % 2),
                                Map.of("metadata", Map.of("a", "v" + number, "b", "v" + number))),
                        "/id"));
        assertThat(answers).containsOnly(chats.getFirst(), chats.getLast());
        for (int i = 0; i < 2; i++) {
            HttpResponse<String> chat = get(server, CHATS + "/" + chats.get(i));
            assertThat(at(chat, "/metadata/a")).isEqualTo(at(chat, "/metadata/b"));
            assertThat(Integer.parseInt(at(chat, "/metadata/a").substring(1)) % 2)
                    .isEqualTo(i);
        }
    }

    private RunId waiting(ChargehandServer server) {
        RunId run = new RunId(
                at(post(server, "/api/v1/agents/clerk/runs", Map.of("input", "Pay.", "thread", "t")), "/runId"));
        store.awaits(run, RunStatus.SUSPENDED);
        return run;
    }

    @Test
    void aRunThatIsDeletedMeanwhileLeavesTheOthersThatWait() {
        script.on("clerk").calls("pay", Map.of("amount", 7)).forever();
        AgentRuntime runtime = runtime(store);
        ChargehandServer server = serve(runtime, builder -> builder);
        RunId first = waiting(server);
        RunId second = waiting(server);
        store.listed.set(() -> {
            assertThat(runtime.cancel(second)).isTrue();
            assertThat(runtime.handle(second).delete()).isTrue();
        });
        HttpResponse<String> page = get(server, "/api/agents/clerk/suspended-runs");
        assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
        assertThat(page.body()).contains(first.value());
    }

    @Test
    void aCallIsFoundAlthoughANewerRunIsDeletedMeanwhile() {
        script.on("clerk").calls("pay", Map.of("amount", 7)).forever();
        AgentRuntime runtime = runtime(store);
        ChargehandServer server = serve(runtime, builder -> builder);
        RunId first = waiting(server);
        RunId second = waiting(server);
        String call = runtime.handle(first).pendingApprovals().getFirst().callId();
        store.listed.set(() -> {
            assertThat(runtime.cancel(second)).isTrue();
            assertThat(runtime.handle(second).delete()).isTrue();
        });
        HttpResponse<String> answered = post(
                server,
                "/api/agents/clerk/send-tool-approval",
                Map.of("threadId", "t", "toolCallId", call, "approved", true));
        assertThat(answered.statusCode()).as(answered.body()).isEqualTo(200);
        assertThat(at(answered, "/runId")).isEqualTo(first.value());
    }
}
