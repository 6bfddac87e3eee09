package dev.chargehand.tests.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.MemoryException;
import dev.chargehand.error.ModelException;
import dev.chargehand.memory.ThreadTitles;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.tests.Turn;
import dev.chargehand.thread.TitleSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A title model that fails, hangs or says anything else changes no run, and the first words of the user stay. */
class TitleFaultsTest extends TitleFixture {

    @Test
    void anyAnswerBecomesOneShortLine() {
        List<String> answers = List.of(
                "\n\n# \"Trip to Oslo\"\nBecause you asked.",
                "**Trip\tto\u0000Oslo**",
                "Oslo ".repeat(2_000),
                "\uD83D\uDC15".repeat(5_000));
        List<String> found = new ArrayList<>();
        try (AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns())) {
            for (int i = 0; i < answers.size(); i++) {
                String text = answers.get(i);
                answer = request -> text;
                RunResult ignored = say(runtime, "ann", "t" + i, WORDS);
                found.add(runtime.threads()
                        .find(ANN, "t" + i)
                        .orElseThrow()
                        .title()
                        .orElseThrow());
            }
        }
        assertThat(found)
                .containsExactly(
                        "Trip to Oslo", "Trip to Oslo", "Oslo ".repeat(16).strip(), "\uD83D\uDC15".repeat(40));
    }

    /** How a title model does not write a title. */
    enum Fault {
        FAILS,
        RETURNS_NOTHING,
        RETURNS_BLANKS,
        BREAKS
    }

    private String fault(Fault fault) {
        return switch (fault) {
            case FAILS ->
                throw new ModelException(ModelException.Kind.CONNECTION, "No route for key sk-secret-1.", null);
            case RETURNS_NOTHING -> "";
            case RETURNS_BLANKS -> " \n\u0000\u202e\n";
            case BREAKS -> throw new IllegalStateException("sk-secret-1");
        };
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void firstWordsStayUntilTheModelWritesATitle(Fault fault) {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime runtime = runtime(store)) {
            answer = request -> fault(fault);
            RunResult run = say(runtime, "ann", "t", WORDS);
            assertThat(run.status()).isEqualTo(RunStatus.COMPLETED);
            assertTitle(runtime, WORDS, TitleSource.FIRST_WORDS);

            answer = request -> "Trip to Oslo";
            RunResult ignored = say(runtime, "ann", "t", "And a hotel");
            assertTitle(runtime, "Trip to Oslo", TitleSource.MODEL);
            assertThat(asked).hasSize(2);
            assertThat(asked.getLast().messages()).isEqualTo(asked.getFirst().messages());
        }
    }

    @Test
    void whatFailedIsTriedAgainByTheClock() {
        ManualClock clock = new ManualClock();
        try (AgentRuntime runtime = with(InMemoryStore.keepingEndedRuns(), settings -> settings.timeSource(clock))) {
            answer = request -> "";
            for (int i = 0; i < 3; i++) {
                RunResult ignored = say(runtime, "ann", "t", WORDS);
            }
            assertThat(clock.pending())
                    .filteredOn(Duration.ofMinutes(1)::equals)
                    .isEmpty();
            assertThat(clock.pending())
                    .filteredOn(Duration.ofMinutes(15)::equals)
                    .hasSize(1);
            answer = request -> "Trip to Oslo";

            clock.advance(Duration.ofMinutes(15));
            assertThat(runtime.memory().settled(LONG)).isTrue();
            assertTitle(runtime, "Trip to Oslo", TitleSource.MODEL);
            assertThat(clock.pending())
                    .filteredOn(delay -> delay.compareTo(Duration.ofSeconds(59)) > 0)
                    .isEmpty();
        }
    }

    @Test
    void theTimeToWaitForWorkIsNotNegative() {
        try (AgentRuntime runtime = with(InMemoryStore.create(), settings -> settings)) {
            assertThatThrownBy(() -> runtime.memory().settled(Duration.ofMillis(-1)))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("must not be negative, but is PT-0.001S");
        }
    }

    @Test
    void noRunWaitsForASlowModelWhichIsLeftAfterHalfAMinute() throws InterruptedException {
        ManualClock clock = new ManualClock();
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch called = new CountDownLatch(1);
        try (AgentRuntime runtime = with(InMemoryStore.keepingEndedRuns(), settings -> settings.timeSource(clock))) {
            answer = request -> {
                called.countDown();
                return held(never);
            };
            RunResult run =
                    runtime.agent("lead").generate(WORDS, o -> o.thread("t").resource("ann"));
            assertThat(run.text()).isEqualTo("Noted.");
            assertThat(called.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(runtime.memory().settled(Duration.ZERO)).isFalse();

            clock.advance(Duration.ofSeconds(30));
            assertThat(runtime.memory().settled(LONG)).isTrue();
            assertTitle(runtime, WORDS, TitleSource.FIRST_WORDS);
        } finally {
            never.countDown();
        }
    }

    @Test
    void aRunThatFailsHasNoAnswerToTitle() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime runtime = runtime(
                store, memory -> memory.title(titles), agent -> agent, settings -> settings, Turn.answers(request -> {
                    throw new ModelException(ModelException.Kind.AUTHENTICATION, "No.", null);
                }))) {
            assertThatThrownBy(() -> say(runtime, "ann", "t", WORDS)).isInstanceOf(RuntimeException.class);
            assertThat(runtime.memory().settled(LONG)).isTrue();

            assertThat(asked).isEmpty();
            assertTitle(runtime, WORDS, TitleSource.FIRST_WORDS);
            assertThat(due(store)).isZero();
        }
    }

    @Test
    void aModelThatNoProviderKnowsIsRejectedBeforeTheRun() {
        try (AgentRuntime runtime = runtime(InMemoryStore.create(), memory -> memory.title("nobody/knows"))) {
            assertThatThrownBy(() -> say(runtime, "ann", "t", WORDS))
                    .isInstanceOfSatisfying(ModelException.class, e -> assertThat(e.kind())
                            .isEqualTo(ModelException.Kind.UNKNOWN_MODEL));
            assertThat(runtime.threads().find(ANN, "t")).isEmpty();
        }
        assertThatThrownBy(() -> ThreadTitles.by("nameless")).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> ThreadTitles.by(titles).instructions(" ")).isInstanceOf(ConfigurationException.class);
    }

    @Test
    void aStoreWithoutMemoryIsRejected() {
        Store without = new ForwardingStore(InMemoryStore.create()) {
            @Override
            public Optional<MemoryStore> memory() {
                return Optional.empty();
            }
        };
        try (AgentRuntime runtime = runtime(without)) {
            assertThatThrownBy(() -> say(runtime, "ann", "t", WORDS)).isInstanceOf(MemoryException.class);
        }
    }
}
