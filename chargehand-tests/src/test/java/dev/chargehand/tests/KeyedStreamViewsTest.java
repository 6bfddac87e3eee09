package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.approval.Approver;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.IdempotencyKeyException;
import dev.chargehand.error.ModelException;
import dev.chargehand.error.StoreException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import java.util.Iterator;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a stream that finds its run shows of it. */
@Timeout(120)
class KeyedStreamViewsTest extends KeyedStreamFixture {

    @Test
    void aReaderOfTextThatFallsBehindGetsEveryWordOnce() {
        CountDownLatch mayRead = new CountDownLatch(1);
        StringBuilder whole = new StringBuilder();
        AgentBuilder talks = agent((request, call) -> {
            for (int i = 0; i < 5_000; i++) {
                String word = i + " ";
                whole.append(word);
                call.delta(i % 2 == 0 ? new ModelDelta.Text(word) : new ModelDelta.Reasoning("Hm."));
                if (i % 2 == 1) {
                    call.delta(new ModelDelta.Text(word));
                }
                if (i == 0) {
                    begun.countDown();
                    Waiting.on(mayRead);
                }
            }
            mayAnswer.countDown();
            return ModelResponse.text(whole.toString(), Usage.of(1, 1));
        });
        try (AgentRuntime runtime = runtime(talks, store())) {
            RunHandle run = runtime.agent("lead").start("Hi", o -> o.idempotencyKey("key"));
            Waiting.on(begun);
            try (RunStream behind = stream(runtime, "Hi")) {
                Iterator<String> texts = behind.textStream().iterator();
                StringBuilder read = new StringBuilder(texts.next());
                mayRead.countDown();
                assertThat(run.result().text()).hasSizeGreaterThan(10_000);
                texts.forEachRemaining(read::append);

                assertThat(read.toString()).isEqualTo(whole.toString());
            }
        }
    }

    @Test
    void aReaderOfTextIsToldThatWhatItReadWasReplaced() {
        AgentBuilder breaks = agent((request, call) -> {
            if (asked.incrementAndGet() == 1) {
                call.delta(new ModelDelta.Text("Good"));
                begun.countDown();
                Waiting.on(mayAnswer);
                throw new ModelException(ModelException.Kind.CONNECTION, "Planned.", null);
            }
            call.delta(new ModelDelta.Text("Bye."));
            return ModelResponse.text("Bye.", Usage.of(1, 1));
        });
        try (AgentRuntime runtime = runtime(breaks, store())) {
            RunHandle run = runtime.agent("lead").start("Hi", o -> o.idempotencyKey("key"));
            Waiting.on(begun);
            try (RunStream reads = stream(runtime, "Hi")) {
                Iterator<String> texts = reads.textStream().iterator();
                assertThat(texts.next()).isEqualTo("Good");
                mayAnswer.countDown();

                assertThatThrownBy(texts::next)
                        .isInstanceOfSatisfying(ChargehandException.class, e -> assertThat(e.code())
                                .isEqualTo("text-replaced"));
                assertThat(reads.result().text()).isEqualTo("Bye.");
            }
            assertThat(run.result().text()).isEqualTo("Bye.");
        }
    }

    @Test
    void aSuspendedRunIsReadUntilItWaitsAndLaterBeyond() {
        AgentBuilder asks = Agent.builder("lead")
                .instructions("Go.")
                .model(Scripts.on("lead", Turn.calls("act", "{}"), Turn.says("Done."))
                        .modelFor("lead"))
                .tools(Steps.approvedTool("act", (in, context) -> "acted"));
        try (AgentRuntime runtime = runtime(asks, store())) {
            RunResult waiting = runtime.agent("lead").generate("Hi", o -> o.idempotencyKey("key"));
            assertThat(waiting.status()).isEqualTo(RunStatus.SUSPENDED);
            try (RunStream stopped = stream(runtime, "Hi")) {
                assertThat(all(stopped).getLast().type()).isEqualTo("run-suspend");
                assertThat(stopped.result().pendingApprovals()).hasSize(1);
            }

            RunHandle answered = runtime.approve(waiting.pendingApprovals().getFirst(), Approver.of("ann"));
            assertThat(answered.result().text()).isEqualTo("Done.");
            try (RunStream ended = stream(runtime, "Hi")) {
                assertThat(all(ended))
                        .extracting(RunEvent::type)
                        .containsSubsequence("run-suspend", "run-resume", "run-finish");
            }
        }
    }

    @SuppressWarnings("deprecation") // networks are what is tested
    @Test
    void aNetworkWithoutAThreadIsFoundByItsKeyAndIsNoRunOfTheAgent() {
        AgentBuilder routes = Agent.builder("lead")
                .instructions("Route.")
                .model(Scripts.on("lead", Turn.says(Routed.none("Enough.")).forever())
                        .modelFor("lead"))
                .agents(Agent.builder("writer")
                        .description("Writes.")
                        .model("none/none")
                        .build());
        try (AgentRuntime runtime = runtime(routes, store())) {
            RunResult first = network(runtime);
            try (RunStream again = networkStream(runtime)) {
                assertThat(all(again).getLast().type()).isEqualTo("run-finish");
                assertThat(again.runId()).isEqualTo(first.runId());
            }
            assertThat(network(runtime).threadId()).isEqualTo(first.threadId());
            RunResult ordinary = runtime.agent("lead").generate("Hi", o -> o.idempotencyKey("key"));

            assertThat(ordinary.runId()).isNotEqualTo(first.runId());
            assertThat(runtime.runs(RunFilter.ROOTS)).hasSize(2);
            assertThatThrownBy(() -> runtime.agent("lead")
                            .generateNetwork("Hi", o -> o.thread("mine").idempotencyKey("key")))
                    .isInstanceOf(IdempotencyKeyException.class);
        }
    }

    @SuppressWarnings("deprecation") // networks are what is tested
    private static RunResult network(AgentRuntime runtime) {
        return runtime.agent("lead").generateNetwork("Hi", o -> o.idempotencyKey("key"));
    }

    @SuppressWarnings("deprecation") // networks are what is tested
    private static RunStream networkStream(AgentRuntime runtime) {
        return runtime.agent("lead").network("Hi", o -> o.idempotencyKey("key"));
    }

    @Test
    void aRunThatItsStoreHasForgottenIsNotStartedAgain() {
        mayAnswer.countDown();
        try (AgentRuntime runtime = runtime(agent(this::says), InMemoryStore.create())) {
            RunResult first = runtime.agent("lead").generate("Hi", o -> o.idempotencyKey("key"));

            assertThat(first.text()).isEqualTo("Hello, you.");
            try (RunStream late = stream(runtime, "Hi")) {
                assertThatThrownBy(() -> all(late)).satisfies(KeyedStreamViewsTest::isForgotten);
                assertThatThrownBy(late::result).satisfies(KeyedStreamViewsTest::isForgotten);
            }
            assertThat(asked).hasValue(1);
        }
    }

    private static void isForgotten(Throwable thrown) {
        assertThat(thrown).isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.kind())
                .isEqualTo(StoreException.Kind.NOT_FOUND));
    }
}
