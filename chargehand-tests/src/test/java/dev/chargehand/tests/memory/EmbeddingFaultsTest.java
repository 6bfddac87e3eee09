package dev.chargehand.tests.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.event.RunEvent;
import dev.chargehand.memory.FoundMessage;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.thread.ThreadOwner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An embedding model that fails delays what can be found, and never a run. */
class EmbeddingFaultsTest extends MemoryFixture {

    enum Fault {
        UNREACHABLE,
        FEWER,
        MORE,
        NO_NUMBER,
        ZERO,
        OTHER_DIMENSIONS,
        EMPTY;

        List<float[]> of(List<float[]> vectors) {
            return switch (this) {
                case UNREACHABLE -> vectors;
                case FEWER -> vectors.subList(0, vectors.size() - 1);
                case MORE -> {
                    vectors.add(new float[] {1});
                    yield vectors;
                }
                case NO_NUMBER -> each(vectors, new float[] {Float.NaN});
                case ZERO -> each(vectors, new float[384]);
                case OTHER_DIMENSIONS -> each(vectors, new float[] {1, 2, 3});
                case EMPTY -> each(vectors, new float[0]);
            };
        }

        private static List<float[]> each(List<float[]> vectors, float[] vector) {
            return new ArrayList<>(Collections.nCopies(vectors.size(), vector));
        }
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void theRunAnswersAndItsMessagesAreFoundLater(Fault fault) {
        try (AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns(), memory -> memory.lastMessages(0)
                .semanticRecall(recall -> recall.by(embeddings).threshold(0.2)))) {
            say(runtime, "ann", "a", "The ship sails to Norway.");
            embeddings.changes(fault::of);
            embeddings.fails(fault == Fault.UNREACHABLE);
            RunResult during = say(runtime, "ann", "a", "My dog Fido likes apples.");
            embeddings.changes(vectors -> vectors);
            embeddings.fails(false);

            assertThat(during.status()).isEqualTo(RunStatus.COMPLETED);
            if (fault != Fault.OTHER_DIMENSIONS) { // which are another space, and nothing is in that
                assertThat(events(RunEvent.MemoryProblem.class)).hasSize(1);
            }
            say(runtime, "ann", "a", "The weather is fine.");
            assertThat(runtime.memory().search("lead", ScopeRef.resource("ann"), "dog Fido apples", 4))
                    .extracting(found -> found.message().text())
                    .contains("My dog Fido likes apples.");
            say(runtime, "ann", "b", "What does my dog Fido like?");
            assertThat(recalled()).contains("apples");
            assertThat(runtime.threads().find(ThreadOwner.of("ann"), "a"))
                    .get()
                    .extracting(thread -> thread.length())
                    .isEqualTo(6L);
        }
    }

    @Test
    void anotherModelFindsWhatWasSaidBefore() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime runtime = runtime(store, memory -> memory.lastMessages(0)
                .semanticRecall(recall -> recall.by(embeddings).threshold(0.2)))) {
            say(runtime, "ann", "a", "My dog Fido likes apples.");
        }
        embeddings.isNamed("test/words-2");
        List<FoundMessage> found;
        try (AgentRuntime runtime = runtime(store, memory -> memory.lastMessages(0)
                .semanticRecall(recall -> recall.by(embeddings).threshold(0.2)))) {
            assertThat(runtime.memory().search("lead", ScopeRef.resource("ann"), "dog Fido apples", 4))
                    .isEmpty();
            say(runtime, "ann", "a", "The weather is fine.");
            found = runtime.memory().search("lead", ScopeRef.resource("ann"), "dog Fido apples", 4);
        }
        assertThat(found).extracting(each -> each.message().text()).contains("My dog Fido likes apples.");
    }

    @Test
    void whatFailedIsTriedAgainByTheClock() {
        ManualClock clock = new ManualClock();
        try (AgentRuntime runtime = runtime(
                InMemoryStore.keepingEndedRuns(),
                memory -> memory.lastMessages(0)
                        .semanticRecall(recall -> recall.by(embeddings).threshold(0.2)),
                agent -> agent,
                settings -> settings.timeSource(clock))) {
            say(runtime, "ann", "a", "The ship sails to Norway.");
            embeddings.fails(true);
            for (int i = 0; i < 3; i++) {
                say(runtime, "ann", "a", "My dog Fido likes apples.");
            }
            assertThat(clock.pending())
                    .filteredOn(Duration.ofMinutes(1)::equals)
                    .isEmpty();
            assertThat(clock.pending())
                    .filteredOn(Duration.ofMinutes(15)::equals)
                    .hasSize(1);
            embeddings.fails(false);

            clock.advance(Duration.ofMinutes(15));
            assertThat(runtime.memory().settled(LONG)).isTrue();
            assertThat(runtime.memory().search("lead", ScopeRef.resource("ann"), "dog Fido apples", 4))
                    .extracting(found -> found.message().text())
                    .contains("My dog Fido likes apples.");
            assertThat(clock.pending())
                    .filteredOn(delay -> delay.compareTo(Duration.ofSeconds(59)) > 0)
                    .isEmpty();
        }
    }
}
