package dev.chargehand.tests.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.Approver;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.MemoryException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.memory.Memory;
import dev.chargehand.memory.MemoryOptions;
import dev.chargehand.memory.Scope;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.processor.TokenLimiter;
import dev.chargehand.run.RunId;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.tests.Turn;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run sees no more tokens of its thread than its bound, and its prompts begin alike from turn to turn. */
class HistoryTokensTest extends MemoryFixture {

    private static final ThreadOwner ANN = ThreadOwner.of("ann");

    /** A text of 16 tokens, with those of its message 20. */
    private static final String TEXT = "x".repeat(64);

    private static final int PER_MESSAGE = 20;

    /** Ten messages. */
    private static final int BOUND = 10 * PER_MESSAGE;

    @TempDir
    Path folder;

    private static Consumer<Memory.Builder> bound(int tokens) {
        return memory -> memory.lastMessages(1_000).historyTokens(tokens);
    }

    private Store store(boolean durable) {
        return durable ? JdbcStore.sqlite(folder.resolve("store.db")) : InMemoryStore.keepingEndedRuns();
    }

    /** Return the history in the last request: all but its question. */
    private List<Message> history() {
        List<Message> messages = requests.getLast().messages();
        return messages.subList(0, messages.size() - 1);
    }

    private static long tokens(List<Message> messages) {
        return messages.stream().mapToLong(TokenLimiter::estimate).sum();
    }

    private static void tell(AgentRuntime runtime, String thread, int count) {
        List<Message> messages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            messages.add(i % 2 == 0 ? Message.user(TEXT) : Message.assistant(TEXT));
        }
        tell(runtime, thread, messages);
    }

    private static void tell(AgentRuntime runtime, String thread, List<Message> messages) {
        long length = runtime.threads().append(ANN, thread, messages).length();
        assertThat(length).isGreaterThanOrEqualTo(messages.size());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theStartStaysUntilTheBoundIsReachedAgain(boolean durable) {
        try (Store store = store(durable);
                AgentRuntime runtime = runtime(store, bound(BOUND))) {
            List<String> firsts = new ArrayList<>();
            for (int turn = 0; turn < 30; turn++) {
                RunResult ignored = say(runtime, "ann", "t", turn + TEXT.substring(2));
                assertThat(tokens(history())).isLessThanOrEqualTo(BOUND);
                firsts.add(history().isEmpty() ? "" : history().getFirst().id());
            }
            // A turn has 20 tokens and the 6 of "Noted."; a cut makes room for at least 50 tokens, which is 2 turns.
            long starts = firsts.stream().distinct().count();
            assertThat(starts).isBetween(3L, 15L);
            assertThat(firsts.stream().skip(20).distinct().count()).isLessThan(10);
        }
    }

    @Test
    void aCutLeavesThreeQuarters() {
        try (AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns(), bound(BOUND))) {
            tell(runtime, "t", 10);
            RunResult fits = say(runtime, "ann", "t", TEXT);
            assertThat(history()).hasSize(10);
            assertThat(fits.text()).isEqualTo("Noted.");

            RunResult ignored = say(runtime, "ann", "t", "And now?"); // 10 messages, the question and its short answer
            // 150 tokens: 6 of the answer, and 7 messages of 20
            assertThat(history()).hasSize(8);
            assertThat(tokens(history())).isEqualTo(7 * PER_MESSAGE + 6);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void noMessageBeforeTheStartTakesThePlaceOfADeletedOne(boolean durable) {
        try (Store store = store(durable);
                AgentRuntime runtime = runtime(store, bound(BOUND))) {
            tell(runtime, "t", 12);
            RunResult cut = say(runtime, "ann", "t", TEXT);
            List<Message> seen = history();
            assertThat(seen).hasSize(7);
            List<String> deleted = List.of(seen.get(2).id(), seen.get(4).id());
            assertThat(runtime.threads().deleteMessages(ANN, "t", deleted)).isEqualTo(2);

            RunResult run = say(runtime, "ann", "t", "And now?");
            List<String> left = history().stream().map(Message::id).toList();
            assertThat(left).hasSize(7 - 2 + 2).startsWith(seen.getFirst().id()).doesNotContainAnyElementsOf(deleted);

            RunResult fork = runtime.fork(run.runId(), 0, changes -> {}).result();
            assertThat(requests.getLast().messages().stream().map(Message::id).toList())
                    .startsWith(left.toArray(new String[0]));
            assertThat(runtime.fork(fork.runId(), 0, changes -> {}).result().text())
                    .isEqualTo(cut.text());
            assertThat(requests.getLast().messages().stream().map(Message::id).toList())
                    .startsWith(left.toArray(new String[0]));
        }
    }

    @Test
    void bothBoundsHold() {
        try (AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns(), memory -> memory.lastMessages(3)
                .historyTokens(BOUND))) {
            tell(runtime, "t", 40);
            RunResult ignored = say(runtime, "ann", "t", "Hello");
            assertThat(history()).hasSize(3);
        }
    }

    @Test
    void aMessageThatDoesNotFitIsLeftOut() {
        try (AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns(), bound(100))) {
            tell(runtime, "t", List.of(Message.user("Hello"), Message.assistant("y".repeat(10_000))));
            RunResult ignored = say(runtime, "ann", "t", "Well?");
            assertThat(history()).isEmpty();

            // 92 tokens are more than a cut leaves, and less than the bound
            tell(runtime, "u", List.of(Message.user("x".repeat(64)), Message.assistant("z".repeat(350))));
            ignored = say(runtime, "ann", "u", "Well?");
            assertThat(history()).extracting(Message::role).containsExactly(Role.ASSISTANT);
        }
    }

    @Test
    void aCallAndItsResultStayTogether() {
        try (AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns(), bound(BOUND))) {
            List<Message> messages = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                messages.add(Message.user(TEXT));
                messages.add(Message.of(Role.ASSISTANT, new Part.ToolCall("c" + i, null, "look", "{\"a\":1}")));
                messages.add(Message.of(Role.TOOL, new Part.ToolResult("c" + i, "look", TEXT, false)));
                messages.add(Message.assistant("ok"));
            }
            for (int cut = 1; cut <= 4; cut++) {
                String thread = "t" + cut;
                tell(runtime, thread, messages);
                tell(runtime, thread, cut);
                RunResult run = say(runtime, "ann", thread, "Hello");

                assertThat(run.text()).isEqualTo("Noted.");
                List<Message> seen = history();
                assertThat(seen).isNotEmpty();
                assertThat(tokens(seen)).isBetween((long) BOUND / 2, (long) BOUND * 3 / 4);
                long calls = seen.stream().mapToLong(m -> m.toolCalls().size()).sum();
                assertThat(seen.stream().mapToLong(m -> m.toolResults().size()).sum())
                        .isEqualTo(calls)
                        .isPositive();
            }
        }
    }

    /** A runtime whose agent answers, and then calls a tool that waits for an approval. */
    private AgentRuntime looking(Store store) {
        Tool look = Tool.builder("look", "Looks.")
                .input(JsonSchema.of(Json.parse("{\"type\":\"object\"}")))
                .handler((in, context) -> "seen")
                .build();
        return runtime(
                store,
                bound(BOUND),
                agent -> agent.tools(look.requiringApproval()),
                settings -> settings,
                Turn.calls("look", Map.of()),
                answers()[0]);
    }

    @Test
    void aResumedRunSeesTheSameAlthoughTheStartHasMoved() {
        Store store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime runtime = looking(store)) {
            tell(runtime, "t", 8);
            RunResult waits = say(runtime, "ann", "t", "Look");
            store.memory().orElseThrow().moveHistory(ANN, "t", BOUND, 6);

            RunResult done = runtime.approve(waits.pendingApprovals().getFirst(), Approver.of("boss"))
                    .result();

            assertThat(done.text()).isEqualTo("Noted.");
            assertThat(requests.getLast().messages()).hasSize(8 + 3);
        }
    }

    @Test
    void aForkSeesTheSame() {
        try (AgentRuntime runtime = looking(InMemoryStore.keepingEndedRuns())) {
            tell(runtime, "t", 40);
            RunResult waits = say(runtime, "ann", "t", "Look");
            RunResult fork = runtime.fork(
                            waits.runId(), 0, f -> f.options(o -> o.memory(m -> m.historyTokens(BOUND / 2))))
                    .result();

            assertThat(fork.text()).isEqualTo("Noted.");
            assertThat(history()).hasSize(7);
            assertThat(requests.getLast().messages().getLast().text()).isEqualTo("Look");
        }
    }

    @Test
    void aSubmittedRunDecidesWhenItStarts() {
        try (AgentRuntime runtime = runtime(
                InMemoryStore.keepingEndedRuns(),
                bound(BOUND),
                agent -> agent,
                settings -> settings.wakeups(Wakeups.all()))) {
            tell(runtime, "t", 40);
            RunId run = runtime.submit(runtime.agent("lead"), List.of(Message.user("Hello")), o -> o.thread("t")
                    .resource("ann"));

            assertThat(runtime.handle(run).result().text()).isEqualTo("Noted.");
            assertThat(history()).hasSize(7);
        }
    }

    @Test
    void aRunThatOnlyReadsLeavesTheStart() {
        Store store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime runtime = runtime(store, bound(BOUND))) {
            tell(runtime, "t", 40);
            RunResult peek = runtime.agent("lead")
                    .generate("Hello", o -> o.thread("t").resource("ann").memory(m -> m.readOnly()));
            assertThat(peek.text()).isEqualTo("Noted.");
            assertThat(history()).hasSize(7);
            MemoryStore memory = store.memory().orElseThrow();
            assertThat(memory.historyFrom(ANN, "t", BOUND)).isZero();

            RunResult own = runtime.agent("lead")
                    .generate(
                            "Hello", o -> o.thread("t").resource("ann").memory(m -> m.historyTokens(2 * PER_MESSAGE)));
            assertThat(own.text()).isEqualTo("Noted.");
            assertThat(history()).hasSize(1);
            assertThat(memory.historyFrom(ANN, "t", BOUND)).isZero();
            assertThat(memory.historyFrom(ANN, "t", 2 * PER_MESSAGE)).isEqualTo(39);
        }
    }

    @Test
    void noMoreOfALongThreadIsReadThanFits() {
        List<Integer> pages = new CopyOnWriteArrayList<>();
        Store counting = new ForwardingStore(InMemoryStore.keepingEndedRuns()) {
            @Override
            public List<ThreadEntry> readThread(String threadId, ThreadOwner owner, long before, int last) {
                List<ThreadEntry> page = super.readThread(threadId, owner, before, last);
                pages.add(page.size());
                return page;
            }
        };
        try (AgentRuntime runtime = runtime(counting, bound(BOUND))) {
            for (int i = 0; i < 10; i++) {
                tell(runtime, "t", 1_000);
            }
            pages.clear();
            RunResult ignored = say(runtime, "ann", "t", "Hello");

            assertThat(history()).hasSize(7);
            assertThat(pages.stream().mapToInt(Integer::intValue).sum()).isLessThan(100);
        }
    }

    @Test
    void whatWasCutOffCanBeRecalled() {
        try (AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns(), memory -> memory.lastMessages(1_000)
                .historyTokens(BOUND)
                .semanticRecall(recall ->
                        recall.by(embeddings).threshold(0.2).scope(Scope.THREAD).messageRange(0, 0)))) {
            RunResult ignored = say(runtime, "ann", "t", "My dog Fido likes apples.");
            tell(runtime, "t", 40);
            ignored = say(runtime, "ann", "t", "What does my dog Fido like?");

            assertThat(recalled()).contains("apples");
        }
    }

    @Test
    void aBoundIsAboveZeroAndNeedsAStoreThatKeepsIt() {
        assertThatThrownBy(() -> Memory.builder().historyTokens(0)).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> MemoryOptions.DEFAULT.historyTokens(-1)).isInstanceOf(ConfigurationException.class);
        Store without = new ForwardingStore(InMemoryStore.create()) {
            @Override
            public Optional<MemoryStore> memory() {
                return Optional.empty();
            }
        };
        try (AgentRuntime runtime = runtime(without, bound(BOUND))) {
            assertThatThrownBy(() -> say(runtime, "ann", "t", "Hello")).isInstanceOf(MemoryException.class);
        }
    }
}
