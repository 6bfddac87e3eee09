package dev.chargehand.tests.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.memory.Memory;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.store.memory.MemoryUsage;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.tests.Logged;
import dev.chargehand.tests.SteppedTime;
import dev.chargehand.thread.TitleSource;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A bound of tokens for the work after runs delays the work, and no run. */
class DailyTokensTest extends MemoryFixture {

    private final SteppedTime clock = new SteppedTime();
    private final Queue<ModelRequest> asked = new ConcurrentLinkedQueue<>();

    private volatile Usage usage = Usage.of(6, 1);

    private final Model titles = new Model() {
        @Override
        public String name() {
            return "test/titles";
        }

        @Override
        public ModelResponse ask(ModelRequest request, ModelCall call) {
            asked.add(request);
            return ModelResponse.text("A title", usage);
        }
    };

    private AgentRuntime titled(Store store) {
        return at(store, memory -> memory.title(titles).dailyTokens(10));
    }

    private AgentRuntime at(Store store, Consumer<Memory.Builder> memory) {
        return runtime(store, memory, agent -> agent, settings -> settings.timeSource(clock));
    }

    private static List<String> titledBy(AgentRuntime runtime, String resource, TitleSource source) {
        return runtime.threads().list(resource, 0, 10).stream()
                .filter(thread -> thread.titleSource().orElseThrow() == source)
                .map(thread -> thread.threadId())
                .sorted()
                .toList();
    }

    private static void settle(AgentRuntime runtime) {
        assertThat(runtime.memory().settled(LONG)).isTrue();
    }

    @Test
    void workWaitsForTheNextDay() {
        try (AgentRuntime runtime = titled(InMemoryStore.keepingEndedRuns())) {
            for (String thread : List.of("a", "b", "c", "d")) {
                assertThat(say(runtime, "ann", thread, "Hello").status()).isEqualTo(RunStatus.COMPLETED);
            }
            // The second answer began with 7 of 10 tokens.
            assertThat(titledBy(runtime, "ann", TitleSource.MODEL)).containsExactly("a", "b");
            say(runtime, "bob", "e", "Hello");
            assertThat(titledBy(runtime, "bob", TitleSource.MODEL)).containsExactly("e");
            assertThat(clock.clock.pending())
                    .filteredOn(Duration.ofHours(2)::equals)
                    .hasSize(2);

            clock.clock.advance(Duration.ofHours(2));
            settle(runtime);

            assertThat(titledBy(runtime, "ann", TitleSource.MODEL)).containsExactly("a", "b", "c", "d");
            assertThat(asked).hasSize(5);
            assertThat(clock.clock.pending())
                    .filteredOn(delay -> delay.compareTo(Duration.ofMinutes(1)) >= 0)
                    .isEmpty();
        }
    }

    @Test
    void itIsLoggedOnceADay() {
        try (AgentRuntime runtime = titled(InMemoryStore.keepingEndedRuns())) {
            String lines = Logged.during(() -> {
                for (String thread : List.of("a", "b", "c", "d", "e")) {
                    say(runtime, "ann", thread, "Hello");
                }
            });
            assertThat(lines.split("\n"))
                    .filteredOn(line -> line.startsWith("WARN thread ")) // runtimes of other tests may log meanwhile
                    .containsExactly(
                            "WARN thread c: the 10 tokens a day for the memory of its resource are spent; the work on"
                                    + " it waits until 2026-01-01 is over, UTC.");
        }
    }

    @Test
    void aClockThatIsSetOverMidnightAndBackUsesTheTokensOfEachDayOnce() {
        try (AgentRuntime runtime = titled(InMemoryStore.keepingEndedRuns())) {
            say(runtime, "ann", "a", "Hello");
            clock.step(Duration.ofHours(3));
            for (String thread : List.of("d", "e", "f")) {
                say(runtime, "ann", thread, "Hello");
            }
            clock.step(Duration.ofHours(-3));
            for (String thread : List.of("b", "g")) { // the first of it from what the day has left
                say(runtime, "ann", thread, "Hello");
            }

            assertThat(titledBy(runtime, "ann", TitleSource.MODEL)).containsExactly("a", "b", "d", "e");
            assertThat(runtime.memory().usage("ann"))
                    .extracting(each -> each.usage().totalTokens())
                    .containsExactly(14L, 14L);
        }
    }

    @Test
    void anotherProcessUsesTheSameTokens() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime one = titled(store);
                AgentRuntime other = titled(store)) {
            say(one, "ann", "a", "Hello");
            say(other, "ann", "b", "Hello");
            say(one, "ann", "c", "Hello");
            say(other, "ann", "d", "Hello");

            assertThat(titledBy(one, "ann", TitleSource.MODEL)).containsExactly("a", "b");
            assertThat(asked).hasSize(2);
        }
    }

    @Test
    void vectorsAndObservationsWaitAndCountNoFailure() {
        embeddings.uses(Usage.of(10, 0));
        try (AgentRuntime runtime = at(InMemoryStore.keepingEndedRuns(), memory -> memory.lastMessages(0)
                .semanticRecall(r -> r.by(embeddings).threshold(0.2))
                .observations(o -> o.model(titles).messageTokens(400)) // fewer than would be observed before a run
                .dailyTokens(10))) {
            for (int i = 0; i < 5; i++) {
                RunResult ignored = say(runtime, "ann", "t", "Unique" + i + " " + "word ".repeat(60));
            }
            assertThat(asked).hasSize(0);
            assertThat(runtime.memory().usage("ann"))
                    .containsExactly(new MemoryUsage(
                            clock.today(), MemoryUsage.Part.EMBEDDINGS, "test/words-1", Usage.of(10, 0)));
            assertThat(clock.clock.pending())
                    .filteredOn(Duration.ofHours(2)::equals)
                    .hasSize(1);
            embeddings.uses(Usage.NONE);

            clock.clock.advance(Duration.ofHours(2));
            settle(runtime);

            assertThat(asked).isNotEmpty();
            assertThat(runtime.memory()
                            .search("lead", ScopeRef.resource("ann"), "Unique4", 4)
                            .getFirst()
                            .message()
                            .text())
                    .startsWith("Unique4 ");
        }
    }

    @Test
    void tokensThatNoNumberHoldsUseTheBoundUp() {
        usage = Usage.of(Long.MAX_VALUE, Long.MAX_VALUE);
        try (AgentRuntime runtime = at(
                InMemoryStore.keepingEndedRuns(), memory -> memory.title(titles).dailyTokens(Long.MAX_VALUE))) {
            say(runtime, "ann", "a", "Hello");
            say(runtime, "ann", "b", "Hello");

            assertThat(titledBy(runtime, "ann", TitleSource.MODEL)).containsExactly("a");
        }
    }

    @Test
    void nothingIsUsedWhileTheStoreDoesNotSayWhatIsLeft() {
        FaultyStore store =
                FaultyStore.over(InMemoryStore.keepingEndedRuns()).failOn(FaultyStore.Operation.READ_MEMORY_USAGE, 1);
        try (AgentRuntime runtime = titled(store)) {
            assertThat(say(runtime, "ann", "a", "Hello").status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(asked).isEmpty();
            assertThat(store.memory().orElseThrow().due(0, 10)).hasSize(1);

            runtime.recover();
            settle(runtime);
            assertThat(titledBy(runtime, "ann", TitleSource.MODEL)).containsExactly("a");
        }
    }

    @Test
    void aBoundIsAboveZero() {
        assertThatThrownBy(() -> Memory.builder().dailyTokens(0))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("dailyTokens must be at least 1, but is 0;");
        Memory bounded = Memory.builder().dailyTokens(5).build();
        assertThat(bounded.toBuilder().build()).isEqualTo(bounded).isNotEqualTo(Memory.DEFAULT);
        assertThat(bounded.dailyTokens()).hasValue(5);
        assertThat(Memory.DEFAULT.dailyTokens()).isEmpty();
    }
}
