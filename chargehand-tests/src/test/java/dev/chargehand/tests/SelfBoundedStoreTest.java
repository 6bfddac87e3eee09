package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.spi.CallInfo;
import dev.chargehand.store.Append;
import dev.chargehand.store.Appended;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.ForwardingStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A store that promises when it answers is called on the thread that needs it. */
class SelfBoundedStoreTest {

    private final Spans spans = new Spans();
    private final Set<String> threads = ConcurrentHashMap.newKeySet();

    private final class Noting extends ForwardingStore {

        private final @Nullable Duration own;

        private Noting(@Nullable Duration own) {
            super(InMemoryStore.create());
            this.own = own;
        }

        @Override
        public Optional<Duration> answersWithin() {
            return Optional.ofNullable(own);
        }

        @Override
        public Appended append(List<Append> appends) {
            threads.add(Thread.currentThread().getName());
            return super.append(appends);
        }
    }

    private void run(@Nullable Duration own) {
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(new Noting(own))
                .providers()
                .storeTimeLimit(Duration.ofSeconds(10))
                .addInstrumentation(spans)
                .build()) {
            Agent solo = Agent.builder("solo")
                    .model(Scripts.on("solo").says("Done").modelFor("solo"))
                    .build();
            assertThat(runtime.bind(solo).generate("Go").text()).isEqualTo("Done");
        }
    }

    @Test
    void theRunsOwnThreadWaitsForIt() {
        run(Duration.ofSeconds(10));
        assertThat(threads).isNotEmpty().noneMatch(name -> name.startsWith("store: "));
    }

    @Test
    void aStoreThatPromisesNothingIsCalledWhereItCanBeAbandoned() {
        run(null);
        assertThat(threads).isNotEmpty().allMatch(name -> name.startsWith("store: "));
    }

    @Test
    void aStoreThatPromisesLessThanTheRuntimeWantsIsToo() {
        run(Duration.ofSeconds(11));
        assertThat(threads).isNotEmpty().allMatch(name -> name.startsWith("store: "));
    }

    @AfterEach
    void itsCallsAreInstrumented() {
        assertThat(spans.of(CallInfo.Kind.STORE))
                .extracting(span -> span.info().name())
                .contains("append to run", "close");
    }
}
