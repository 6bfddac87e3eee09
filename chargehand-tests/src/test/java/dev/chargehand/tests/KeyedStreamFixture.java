package dev.chargehand.tests;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunStream;
import dev.chargehand.Wakeups;
import dev.chargehand.event.EventId;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Usage;
import dev.chargehand.store.Store;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.io.TempDir;

/** An agent whose runs are streamed with a key. */
abstract class KeyedStreamFixture {

    final AtomicInteger asked = new AtomicInteger();
    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch mayAnswer = new CountDownLatch(1);

    @TempDir
    Path folder;

    /** What the model does in its first and in later calls. */
    ModelResponse says(ModelRequest request, ModelCall call) {
        asked.incrementAndGet();
        call.delta(new ModelDelta.Text("Hel"));
        call.delta(new ModelDelta.Text("lo, "));
        begun.countDown();
        Waiting.on(mayAnswer);
        call.delta(new ModelDelta.Text("you."));
        return ModelResponse.text("Hello, you.", Usage.of(1, 1));
    }

    static RunStream stream(AgentRuntime runtime, String prompt) {
        return runtime.agent("lead").stream(prompt, o -> o.idempotencyKey("key"));
    }

    static List<RunEvent> all(RunStream run) {
        List<RunEvent> events = new ArrayList<>();
        run.forEach(events::add);
        return events;
    }

    static List<EventId> ids(List<RunEvent> events) {
        return events.stream().flatMap(event -> event.origin().id().stream()).toList();
    }

    static String text(List<RunEvent> events) {
        return String.join(
                "",
                Routed.all(RunEvent.TextDelta.class, events).stream()
                        .map(RunEvent.TextDelta::text)
                        .toList());
    }

    static <T> CompletableFuture<T> later(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, task -> Thread.ofVirtual().start(task));
    }

    interface Answers {
        ModelResponse to(ModelRequest request, ModelCall call);
    }

    static AgentBuilder agent(Answers answers) {
        return Agent.builder("lead").instructions("Go.").model(new Model() {
            @Override
            public String name() {
                return "test/lead";
            }

            @Override
            public ModelResponse ask(ModelRequest request, ModelCall call) {
                return answers.to(request, call);
            }
        });
    }

    AgentRuntime runtime() {
        return runtime(agent(this::says), store());
    }

    Store store() {
        return JdbcStore.sqlite(folder.resolve("store.db"));
    }

    static AgentRuntime runtime(AgentBuilder agent, Store store) {
        return AgentRuntime.builder()
                .store(store)
                .providers()
                .anyoneMayApprove()
                .wakeups(Wakeups.off())
                .agents(agent.build())
                .build();
    }
}
