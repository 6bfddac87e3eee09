package dev.chargehand.tests.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.Wakeups;
import dev.chargehand.event.RunEvent;
import dev.chargehand.memory.Memory;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.memory.WorkingMemory;
import dev.chargehand.message.Message;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.store.memory.WorkingMemoryRevision;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.tests.Turn;
import dev.chargehand.thread.ThreadOwner;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/**
 * A run with memory whose process is gone between any two of its appends sends the same requests when it is resumed,
 * even if the memory has changed in between, and its note is made once.
 */
class MemoryCrashTest extends MemoryFixture {

    private static final ScopeRef ANN = ScopeRef.resource("ann");
    private static final String NOTE = "[likes dogs]";

    private static final String QUESTION = "What does my dog Fido like?";

    /** More appends than the run makes. */
    private static final int MANY = 100;

    /** How many requests were sent again. */
    private int repeated;

    /** The requests of the run that is resumed, by their length. */
    private final Map<Integer, ModelRequest> sent = new ConcurrentHashMap<>();

    private Memory.Builder memory(Memory.Builder builder) {
        return builder.lastMessages(4)
                .semanticRecall(recall -> recall.by(embeddings).threshold(0.2))
                .workingMemory(WorkingMemory.template("Notes:"));
    }

    /** First the model notes something, then it answers; what it was asked must not change. */
    private ModelResponse answer(ModelRequest request) {
        List<Message> messages = request.messages();
        boolean calls =
                messages.stream().noneMatch(message -> !message.toolResults().isEmpty()) && isOfTheRun(messages);
        if (isOfTheRun(messages)) {
            ModelRequest before = sent.putIfAbsent(messages.size(), request);
            repeated += before == null ? 0 : 1;
            assertThat(request.messages()).isEqualTo(before == null ? messages : before.messages());
        }
        return calls
                ? new ModelResponse(
                        "",
                        "",
                        List.of(new ModelResponse.RequestedCall(
                                "c",
                                "updateWorkingMemory",
                                "{\"edits\":[{\"find\":\"Notes:\",\"write\":\"" + NOTE + "\"}]}")),
                        FinishReason.TOOL_CALLS,
                        Usage.of(10, 5))
                : ModelResponse.text("Apples.", Usage.of(10, 5));
    }

    private static boolean isOfTheRun(List<Message> messages) {
        return messages.stream().anyMatch(message -> message.text().equals(QUESTION) && !message.internal());
    }

    private AgentRuntime runtime(Store store) {
        return runtime(
                store,
                this::memory,
                agent -> agent,
                runtime -> runtime.wakeups(Wakeups.off()).closeGrace(Duration.ZERO),
                Turn.answers(this::answer).forever());
    }

    @Test
    void aResumedRunSendsTheSameRequests() {
        int appends = undisturbed();
        assertThat(appends).isGreaterThan(4);
        for (int append = 2; append <= appends; append++) {
            sent.clear();
            goneBefore(append);
        }
        assertThat(repeated).isPositive();
    }

    private int undisturbed() {
        FaultyStore store = FaultyStore.over(prepared());
        int before = store.count(FaultyStore.Operation.APPEND);
        try (AgentRuntime runtime = runtime(store)) {
            ask(runtime);
            assertThat(runtime.memory().settled(LONG)).isTrue();
            assertNotedOnce(runtime, 1);
        }
        return store.count(FaultyStore.Operation.APPEND) - before;
    }

    /** Ann has said something in an earlier conversation. */
    private InMemoryStore prepared() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime runtime = runtime(store)) {
            say(runtime, "ann", "monday", "My dog Fido likes apples.");
        }
        return store;
    }

    private static void ask(AgentRuntime runtime) {
        assertThat(runtime.agent("lead")
                        .generate(QUESTION, o -> o.thread("tuesday").resource("ann"))
                        .text())
                .isEqualTo("Apples.");
    }

    private void goneBefore(int append) {
        InMemoryStore healthy = prepared();
        FaultyStore dying = FaultyStore.over(healthy);
        for (int nth = append; nth < append + MANY; nth++) {
            dying.failOn(FaultyStore.Operation.APPEND, nth);
        }
        try (AgentRuntime runtime = runtime(dying)) {
            ask(runtime);
        } catch (RunFailedException e) {
            assertThat(e.code()).startsWith("store");
        }
        try (AgentRuntime other = runtime(healthy)) {
            for (int edit = 0; edit < 25; edit++) {
                String note = "[other " + edit + "]";
                WorkingMemoryRevision ignored =
                        other.memory().editWorkingMemory(ANN, text -> (text.isEmpty() ? "Notes:" : text) + note, note);
            }
            say(other, "ann", "monday", "My dog Fido likes pears, too.");
            RunRecord run = healthy.list(RunFilter.ROOTS.thread("tuesday")).getFirst();
            RunId runId = run.runId();
            assertThat(other.resume(runId, o -> {}).result().status())
                    .as("gone before append %s", append)
                    .isEqualTo(RunStatus.COMPLETED);
            assertThat(other.memory().settled(LONG)).isTrue();
            assertNotedOnce(other, 26);
            assertThat(other.threads()
                            .find(ThreadOwner.of("ann"), "tuesday")
                            .orElseThrow()
                            .length())
                    .isEqualTo(4);
            assertThat(healthy.memory().orElseThrow().due(0, 10)).isEmpty();
            assertThat(other.history(runId))
                    .filteredOn(RunEvent.WorkingMemoryUpdate.class::isInstance)
                    .hasSize(1);
        }
    }

    private static void assertNotedOnce(AgentRuntime runtime, long revisions) {
        WorkingMemoryRevision newest = runtime.memory().workingMemory(ANN).orElseThrow();
        assertThat(newest.text()).containsOnlyOnce(NOTE);
        assertThat(newest.revision()).isEqualTo(revisions);
    }
}
