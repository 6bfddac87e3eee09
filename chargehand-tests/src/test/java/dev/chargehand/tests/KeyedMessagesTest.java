package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.IdempotencyKeyException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A message that is sent again with its key is delivered once. */
@Timeout(60)
class KeyedMessagesTest {

    record None() {}

    private final Queue<Optional<String>> sent = new ConcurrentLinkedQueue<>();

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aMessageThatIsSentAgainIsSeenOnceAlsoAfterTheEnd(boolean sqlite) {
        Script script = Scripts.on("lead", Turn.calls("work", Map.of()), Turn.says("Done"));
        try (Store store = store(sqlite);
                AgentRuntime other =
                        AgentRuntime.builder().store(store).providers().build();
                AgentRuntime runtime = runtime(store, script, here -> Stream.of(here, here, other)
                        .map(each -> each.tell(root(here), "Look at the date too", "m-1"))
                        .forEach(sent::add))) {
            RunId run = runtime.agent("lead").generate("Go", o -> o.thread("t")).runId();

            assertThat(sent).hasSize(3).allMatch(Optional::isPresent);
            assertThat(script.requests().getLast().messages())
                    .extracting(Message::text)
                    .containsOnlyOnce("Look at the date too");
            assertThat(texts(runtime)).containsOnlyOnce("Look at the date too");
            Optional<String> again = runtime.tell(run, "Look at the date too", "m-1");
            assertThat(sent).containsOnly(again);
            assertThat(again).isEqualTo(other.tell(run, "Look at the date too", "m-1"));
            assertThat(runtime.tell(run, "Too late", "m-2")).isEmpty();
            assertThat(runtime.tell(run, "Too late")).isEmpty();
            assertThatThrownBy(() -> runtime.tell(run, "Another", "m-1"))
                    .isInstanceOf(IdempotencyKeyException.class)
                    .hasMessageContaining("has sent run " + run + " another message");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theSameKeyOfAnotherRunOnTheThreadIsAnotherMessage(boolean sqlite) {
        Script script = Scripts.on(
                "lead",
                Turn.calls("work", Map.of()),
                Turn.says("First"),
                Turn.calls("work", Map.of()),
                Turn.says("Second"));
        try (Store store = store(sqlite);
                AgentRuntime runtime = runtime(store, script, here -> assertThat(here.tell(root(here), "More", "m-1"))
                        .isPresent())) {
            runtime.agent("lead").generate("Go", o -> o.thread("t"));
            runtime.agent("lead").generate("Go again", o -> o.thread("t"));

            assertThat(sent).doesNotHaveDuplicates();
            assertThat(texts(runtime).stream().filter("More"::equals)).hasSize(2);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aKeyThatReadsLikeAnAnswerLeavesItsCallWaiting(boolean sqlite) {
        Script script = Scripts.on("lead", Turn.calls("delete", Map.of()), Turn.says("Done"));
        Tool delete = Tool.builder("delete", "Deletes.")
                .input(None.class)
                .requiresApproval()
                .handler((in, context) -> "deleted")
                .build();
        try (Store store = store(sqlite);
                AgentRuntime runtime = AgentRuntime.builder()
                        .store(store)
                        .anyoneMayApprove()
                        .providers()
                        .agents(Agent.builder("lead")
                                .model(script.modelFor("lead"))
                                .tools(delete)
                                .build())
                        .build()) {
            PendingApproval call =
                    runtime.agent("lead").generate("Go").pendingApprovals().getFirst();

            assertThat(runtime.tell(call.runId(), "More", Delivery.idOf(call.callId(), call.waitNumber())))
                    .isPresent();

            assertThat(runtime.approve(call, Approver.of("ann")).result().status())
                    .isEqualTo(RunStatus.COMPLETED);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "two words", "ü"})
    void aKeyThatIsNoVisibleAsciiIsRejected(String key) {
        try (AgentRuntime runtime = AgentRuntime.builder().providers().build()) {
            assertThatThrownBy(() -> runtime.tell(new RunId("run_x"), "Hello", key))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("the key of a message must have 1 to 255 visible ASCII characters");
        }
    }

    private Store store(boolean sqlite) {
        return sqlite ? JdbcStore.sqlite(folder.resolve("runs.db")) : InMemoryStore.keepingEndedRuns();
    }

    private static AgentRuntime runtime(Store store, Script script, Consumer<AgentRuntime> work) {
        AgentRuntime[] here = new AgentRuntime[1];
        Tool tool = Tool.builder("work", "Works.")
                .input(None.class)
                .handler((in, context) -> {
                    work.accept(here[0]);
                    return "worked";
                })
                .build();
        here[0] = AgentRuntime.builder()
                .store(store)
                .providers()
                .agents(Agent.builder("lead")
                        .model(script.modelFor("lead"))
                        .tools(tool)
                        .build())
                .build();
        return here[0];
    }

    private static RunId root(AgentRuntime runtime) {
        return runtime.runs(RunFilter.ROOTS).getFirst().runId();
    }

    private static List<String> texts(AgentRuntime runtime) {
        return runtime.threads().lastMessages(ThreadOwner.of(null), "t", 20).stream()
                .map(ThreadMessage::text)
                .toList();
    }
}
