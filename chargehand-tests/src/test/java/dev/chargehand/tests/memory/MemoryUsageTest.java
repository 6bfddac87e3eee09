package dev.chargehand.tests.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.chargehand.AgentRuntime;
import dev.chargehand.memory.Memory;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Prices;
import dev.chargehand.run.Usage;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.store.memory.MemoryUsage;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.tests.SteppedTime;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.TitleSource;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The tokens that memory uses after runs are counted for their resource. */
class MemoryUsageTest extends MemoryFixture {

    private static final ThreadOwner ANN = ThreadOwner.of("ann");

    private final SteppedTime clock = new SteppedTime();

    private volatile String observation = "- It was said.";
    private volatile String reflection = "- short";

    private Model model(String name, Usage usage) {
        return new Model() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public ModelResponse ask(ModelRequest request, ModelCall call) {
                boolean shortens = request.messages().getFirst().text().contains("less than half");
                String text = name.endsWith("titles") ? "A title" : shortens ? reflection : observation;
                return ModelResponse.text(text, usage);
            }
        };
    }

    private void everything(Memory.Builder memory) {
        memory.semanticRecall(recall -> recall.by(embeddings))
                .title(model("test/titles", Usage.of(100, 10)))
                .observations(o -> o.model(model("test/observer", Usage.of(1_000, 100)))
                        .reflector(model("test/reflector", Usage.of(10_000, 1_000)))
                        .messageTokens(100)
                        .observationTokens(100));
    }

    private AgentRuntime running(Store store) {
        return runtime(store, this::everything, agent -> agent, settings -> settings.timeSource(clock));
    }

    private MemoryUsage used(MemoryUsage.Part part, String model, Usage usage) {
        return new MemoryUsage(clock.today(), part, model, usage);
    }

    private static String some(int number) {
        return "said " + number + " " + "word ".repeat(60);
    }

    @Test
    void everyModelOfTheWorkAfterARunIsCounted() {
        embeddings.uses(Usage.of(3, 0));
        observation = "- " + "word ".repeat(90); // enough to be shortened
        try (AgentRuntime runtime = running(InMemoryStore.keepingEndedRuns())) {
            long ofRuns = 0;
            for (int i = 0; i < 2; i++) {
                ofRuns += say(runtime, "ann", "t", some(i)).totalUsage().totalTokens();
            }

            List<MemoryUsage> usage = runtime.memory().usage("ann");
            // Each run embeds its question for itself, and the work embeds the answer and the question once.
            assertThat(usage)
                    .containsExactly(
                            used(MemoryUsage.Part.EMBEDDINGS, "test/words-1", Usage.of(6, 0)),
                            used(MemoryUsage.Part.OBSERVATIONS, "test/observer", Usage.of(1_000, 100)),
                            used(MemoryUsage.Part.OBSERVATIONS, "test/reflector", Usage.of(10_000, 1_000)),
                            used(MemoryUsage.Part.TITLES, "test/titles", Usage.of(100, 10)));
            assertThat(ofRuns).isEqualTo(2 * (15 + 3)); // and the runs do not pay for it
            assertThat(runtime.memory().usage("bob")).isEmpty();
            assertThat(usage.getLast()
                            .cost(Prices.NONE.with("test/titles", BigDecimal.valueOf(2), BigDecimal.valueOf(5))))
                    .isEqualByComparingTo("0.00025");
            assertThat(usage.getFirst().cost(Prices.NONE)).isZero();
        }
    }

    @Test
    void answersThatCannotBeUsedAreCounted() {
        embeddings.uses(Usage.of(3, 0));
        embeddings.changes(vectors -> List.of(new float[] {1}, new float[] {1}, new float[] {1}));
        observation = " ";
        try (AgentRuntime runtime = running(InMemoryStore.keepingEndedRuns())) {
            say(runtime, "ann", "t", some(1));
            say(runtime, "ann", "t", some(2));

            assertThat(runtime.memory().observations(ANN, "t").observations()).isEmpty();
            assertThat(runtime.memory().usage("ann"))
                    .extracting(MemoryUsage::model)
                    .contains("test/words-1", "test/observer");
        }
    }

    @Test
    void aModelThatReportsNoTokensIsNotCounted() {
        try (AgentRuntime runtime =
                runtime(InMemoryStore.keepingEndedRuns(), memory -> memory.semanticRecall(r -> r.by(embeddings))
                        .title(model("test/titles", Usage.NONE)))) {
            embeddings.uses(null);
            say(runtime, "ann", "t", "Hello");

            assertThat(runtime.threads().find(ANN, "t").orElseThrow().title()).contains("A title");
            assertThat(runtime.memory().usage("ann")).isEmpty();
        }
    }

    @Test
    void eachDayIsCountedForItselfAlsoIfTheClockIsSetBack() {
        try (AgentRuntime runtime = runtime(
                InMemoryStore.keepingEndedRuns(),
                memory -> memory.title(model("test/titles", Usage.of(7, 0))),
                agent -> agent,
                settings -> settings.timeSource(clock))) {
            LocalDate first = clock.today();
            say(runtime, "ann", "a", "Hello");
            clock.step(Duration.ofDays(1));
            say(runtime, "ann", "b", "Hello");
            clock.step(Duration.ofDays(-1));
            say(runtime, "ann", "c", "Hello");

            assertThat(runtime.memory().usage("ann"))
                    .extracting(MemoryUsage::day, each -> each.usage().inputTokens())
                    .containsExactly(tuple(first.plusDays(1), 7L), tuple(first, 14L));
        }
    }

    @Test
    void aStoreThatCannotCountKeepsTheAnswer() {
        FaultyStore store =
                FaultyStore.over(InMemoryStore.keepingEndedRuns()).failOn(FaultyStore.Operation.ADD_MEMORY_USAGE, 1);
        try (AgentRuntime runtime = runtime(store, memory -> memory.title(model("test/titles", Usage.of(7, 0))))) {
            say(runtime, "ann", "a", "Hello");
            say(runtime, "ann", "b", "Hello");

            assertThat(runtime.threads().find(ANN, "a").orElseThrow().titleSource())
                    .contains(TitleSource.MODEL);
            assertThat(runtime.memory().usage("ann"))
                    .extracting(MemoryUsage::usage)
                    .containsExactly(Usage.of(7, 0));
        }
    }

    /** A process that dies between the answer and its title has counted the answer; the next one asks again. */
    @Test
    void anAnswerWhoseResultIsLostIsCountedOnce() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        AtomicBoolean dies = new AtomicBoolean(true);
        Store dying = withMemory(store, (call, method) -> {
            if (method.equals("title") && dies.compareAndSet(true, false)) {
                throw new IllegalStateException("killed");
            }
            return call.call();
        });
        try (AgentRuntime runtime = runtime(dying, memory -> memory.title(model("test/titles", Usage.of(7, 0))))) {
            say(runtime, "ann", "t", "Hello");
            assertThat(runtime.memory().usage("ann"))
                    .extracting(MemoryUsage::usage)
                    .containsExactly(Usage.of(7, 0));
            runtime.recover();
            assertThat(runtime.memory().settled(LONG)).isTrue();

            assertThat(runtime.threads().find(ANN, "t").orElseThrow().titleSource())
                    .contains(TitleSource.MODEL);
            assertThat(runtime.memory().usage("ann"))
                    .extracting(MemoryUsage::usage)
                    .containsExactly(Usage.of(14, 0));
        }
    }

    @Test
    void anAnswerThatArrivesAfterItsResourceWasForgottenLeavesNothing() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        AtomicBoolean forgets = new AtomicBoolean();
        @Nullable AgentRuntime[] other = new AgentRuntime[1];
        Store forgetting = withMemory(store, (call, method) -> {
            if (method.equals("addUsage") && forgets.compareAndSet(false, true)) {
                other[0].memory().forget("ann");
            }
            return call.call();
        });
        try (AgentRuntime runtime = runtime(forgetting, memory -> memory.title(model("test/titles", Usage.of(7, 0))));
                AgentRuntime beside = runtime(store, memory -> {})) {
            other[0] = beside;
            say(runtime, "ann", "t", "Hello");

            assertThat(forgets).isTrue();
            assertThat(runtime.memory().usage("ann")).isEmpty();
        }
    }

    @Test
    void pruneDeletesWhatIsOlderThanFourHundredDays() {
        try (AgentRuntime runtime = runtime(
                InMemoryStore.keepingEndedRuns(),
                memory -> memory.title(model("test/titles", Usage.of(7, 0))),
                agent -> agent,
                settings -> settings.timeSource(clock))) {
            say(runtime, "ann", "a", "Hello");
            clock.step(Duration.ofDays(400));
            say(runtime, "ann", "b", "Hello");
            long ignored = runtime.operator().prune(Duration.ofDays(1_000));
            assertThat(runtime.memory().usage("ann")).hasSize(2);
            clock.step(Duration.ofDays(1));
            ignored = runtime.operator().prune(Duration.ofDays(1_000));

            assertThat(runtime.memory().usage("ann")).hasSize(1);
        }
    }
}
