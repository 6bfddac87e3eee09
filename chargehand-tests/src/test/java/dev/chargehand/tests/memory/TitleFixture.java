package dev.chargehand.tests.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Usage;
import dev.chargehand.store.Store;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import dev.chargehand.thread.TitleSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Conversations whose titles a model writes. */
abstract class TitleFixture extends MemoryFixture {

    static final ThreadOwner ANN = ThreadOwner.of("ann");
    static final String WORDS = "Plan a trip to Oslo";

    /** What the title model was asked. */
    final List<ModelRequest> asked = new CopyOnWriteArrayList<>();

    volatile Function<ModelRequest, String> answer = request -> "Trip to Oslo";

    /** Writes titles. */
    final Model titles = new Model() {
        @Override
        public String name() {
            return "test/titles";
        }

        @Override
        public ModelResponse ask(ModelRequest request, ModelCall call) {
            asked.add(request);
            return ModelResponse.text(answer.apply(request), Usage.of(1, 1));
        }
    };

    AgentRuntime runtime(Store store) {
        return runtime(store, memory -> memory.title(titles));
    }

    AgentRuntime with(Store store, UnaryOperator<AgentRuntimeBuilder> settings) {
        return runtime(store, memory -> memory.title(titles), agent -> agent, settings);
    }

    static ThreadRecord thread(AgentRuntime runtime) {
        return runtime.threads().find(ANN, "t").orElseThrow();
    }

    static void assertTitle(AgentRuntime runtime, String title, TitleSource source) {
        assertThat(thread(runtime).title()).contains(title);
        assertThat(thread(runtime).titleSource()).contains(source);
    }

    static int due(Store store) {
        return store.memory().orElseThrow().due(0, 10).size();
    }

    static void awaited(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static String held(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return "Late";
    }
}
