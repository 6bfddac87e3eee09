package dev.chargehand.tests.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.approval.Approver;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.fixture.PostgresServer;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.tests.Turn;
import dev.chargehand.thread.ThreadMessage;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Messages and threads are deleted, not what an open run uses, and a resumed run is not shown them any more. */
class DeletionTest extends DeletionFixture {

    @Test
    void ofDeletedMessagesOnlyTheFactsOfTheirRunHaveWords() throws Exception {
        String url = PostgresServer.newStore();
        try (JdbcStore store = JdbcStore.postgres(url, PostgresServer.USER, "")) {
            AgentRuntime runtime = runtime(store, memory -> memory.semanticRecall(recall -> recall.by(embeddings)));
            RunResult run = say(runtime, "ann", "t", "What does the " + SECRET + " eat?");
            assertThat(tablesWith(url, SECRET))
                    .containsExactlyInAnyOrder("facts", "runs", "thread_messages", "threads");
            Message large = Message.user((SECRET + " ").repeat(4_000)).withId("large");
            assertThat(runtime.threads().append(ANN, "t", List.of(large)).length())
                    .isEqualTo(3);
            observe(store, ANN, "t", "Asks about a " + SECRET + ".");
            assertThat(tablesWith(url, SECRET)).contains("payloads", "observations");
            List<ThreadMessage> said = runtime.threads().lastMessages(ANN, "t", 10);
            List<String> ids =
                    said.stream().map(message -> message.message().id()).toList();

            assertThat(runtime.threads().deleteMessages(ANN, "t", ids)).isEqualTo(3);

            assertThat(tablesWith(url, SECRET)).containsExactly("facts");
            assertThat(runtime.memory().search("lead", ScopeRef.resource("ann"), SECRET, 4))
                    .isEmpty();
            assertThat(runtime.threads().lastMessages(ANN, "t", 10)).isEmpty();
            say(runtime, "ann", "t", "Who am I?");
            assertThat(requests.getLast().messages()).extracting(Message::text).containsExactly("Who am I?");
            assertThat(runtime.threads().delete(ANN, "t", how -> how.withRuns()))
                    .isTrue();
            assertThat(tablesWith(url, SECRET)).isEmpty();
            assertThat(runtime.runs(RunFilter.ALL)).isEmpty();
            assertThat(run.status()).isEqualTo(RunStatus.COMPLETED);
        }
    }

    @Test
    void theRunsOfOneThreadAreDeletedWithIt() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        AgentRuntime runtime = crew(store, SECRET, 3);
        for (String thread : List.of("one", "one", "two")) {
            say(runtime, "ann", thread, "Tell me.");
        }

        assertThat(runtime.threads().delete(ANN, "one", how -> how.withRuns())).isTrue();

        assertThat(runtime.runs(RunFilter.ROOTS)).singleElement().satisfies(run -> assertThat(run.threadId())
                .hasValue("two"));
        assertThat(runtime.memory().forget("ann").threads()).isEqualTo(2); // that of the writer is the other one
        assertThat(runtime.threads().delete(ANN, "one", how -> how.withRuns())).isFalse();
    }

    @Test
    void whatAnOpenRunUsesIsDeletedAfterThatIsCancelled() {
        AgentRuntime runtime = looking(memory -> memory.lastMessages(5), true);
        say(runtime, "ann", "t", "Hello.");
        RunResult waiting = say(runtime, "ann", "t", "Look.");
        assertThat(waiting.status()).isEqualTo(RunStatus.SUSPENDED);
        List<String> first = List.of(runtime.threads()
                .messagesFrom(ANN, "t", 0, 1)
                .getFirst()
                .message()
                .id());

        assertThatThrownBy(() -> runtime.threads().delete(ANN, "t", how -> how.withRuns()))
                .isInstanceOfSatisfying(ThreadBusyException.class, busy -> assertThat(busy.code())
                        .isEqualTo("resource-busy"));
        assertThatThrownBy(() -> runtime.threads().deleteMessages(ANN, "t", first))
                .isInstanceOf(ThreadBusyException.class);
        assertThatThrownBy(() -> runtime.memory().forget("ann")).isInstanceOf(ThreadBusyException.class);
        assertThat(runtime.runs(RunFilter.ALL)).hasSize(2);

        assertThat(runtime.threads().deleteMessages(ANN, "t", first, how -> how.cancelRuns()))
                .isEqualTo(1);
        assertThat(runtime.handle(waiting.runId()).result().stopReason())
                .isInstanceOfSatisfying(StopReason.Cancelled.class, reason -> assertThat(reason.by())
                        .isEqualTo("deletion"));
        assertThat(runtime.memory().forget("ann").runs()).isEqualTo(2);
    }

    @Test
    void aRunningRunIsCancelledAndWaitedFor() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        Turn hanging = Turn.answers(request -> {
            asked.countDown();
            try {
                Thread.sleep(600_000); // until the cancel interrupts it
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new IllegalStateException("The model was interrupted.");
        });
        AgentRuntime runtime = runtime(
                InMemoryStore.keepingEndedRuns(), memory -> memory.lastMessages(5), agent -> agent, r -> r, hanging);
        RunHandle handle =
                runtime.agent("lead").start("Hello.", o -> o.thread("t").resource("ann"));
        asked.await();

        assertThat(runtime.threads().delete(ANN, "t", how -> how.cancelRuns().withRuns()))
                .isTrue();

        assertThat(runtime.runs(RunFilter.ALL)).isEmpty();
        assertThat(runtime.threads().find(ANN, "t")).isEmpty();
        assertThat(handle.runId()).isNotNull();
    }

    @Test
    void aMessageThatWasDeletedIsMissingInARunThatIsResumed() {
        try (AgentRuntime runtime = looking(
                memory -> memory.lastMessages(1)
                        .semanticRecall(recall ->
                                recall.by(embeddings).messageRange(0, 0).threshold(0.2)),
                true)) {
            runtime.threads()
                    .append(
                            ANN,
                            "a",
                            List.of(
                                    Message.user("My dog Fido likes apples.").withId("apples"),
                                    Message.user("My dog Fido likes pears.").withId("pears")))
                    .length();
            say(runtime, "ann", "a", "My dog Fido likes plums.");
            RunResult waiting = say(runtime, "ann", "b", "What does my dog Fido like?");
            assertThat(waiting.status()).isEqualTo(RunStatus.SUSPENDED);
            assertThat(runtime.threads().deleteMessages(ANN, "a", List.of("apples")))
                    .isEqualTo(1);
            RunResult result = runtime.approve(waiting.pendingApprovals().getFirst(), Approver.of("boss"))
                    .result();

            assertThat(result.status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(recalled()).contains("pears", "plums").doesNotContain("apples");
            assertThat(events(RunEvent.MemoryProblem.class))
                    .singleElement()
                    .satisfies(problem -> assertThat(problem.problem()).startsWith("memory-changed"));
            say(runtime, "ann", "c", "What does my dog Fido like?");
            assertThat(recalled()).contains("pears", "plums").doesNotContain("apples");
            assertThat(events(RunEvent.MemoryProblem.class)).hasSize(1);
        }
    }

    @Test
    void whatCannotBeDeletedIsReported() {
        AgentRuntime runtime = runtime(InMemoryStore.create(), memory -> memory.lastMessages(1));
        assertThatThrownBy(() -> runtime.memory().forget(" "))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("must not be blank");
        assertThatThrownBy(() -> runtime.memory().forget("ann", how -> null))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("The options of a deletion are null");
        assertThatThrownBy(() -> runtime.threads().delete(ANN, "t", how -> null))
                .isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> runtime.threads().deleteMessages(ANN, "t", List.of()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("1 to 1000 messages, not 0");
        assertThat(runtime.threads().deleteMessages(ANN, "missing", List.of("m")))
                .isZero();
        assertThat(runtime.memory().forget("unknown").isNothing()).isTrue();
    }
}
