package dev.chargehand.tests.memory;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntime;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.event.RunEvent;
import dev.chargehand.memory.Memory;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Usage;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.tests.Scripts;
import dev.chargehand.tests.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Conversations with an agent {@code lead} that has a memory. */
abstract class MemoryFixture {

    /** Settled means that nothing is left to do; a test that gets there does not wait for so long. */
    static final Duration LONG = Duration.ofSeconds(60);

    final UnreliableEmbeddings embeddings = new UnreliableEmbeddings();

    final List<ModelRequest> requests = new CopyOnWriteArrayList<>();
    final List<RunEvent> events = new CopyOnWriteArrayList<>();

    AgentRuntime runtime(Store store, Consumer<Memory.Builder> memory) {
        return runtime(store, memory, agent -> agent, runtime -> runtime);
    }

    AgentRuntime runtime(
            Store store,
            Consumer<Memory.Builder> memory,
            UnaryOperator<AgentBuilder> agent,
            UnaryOperator<AgentRuntimeBuilder> settings,
            Turn... turns) {
        Script script = Scripts.on("lead", turns.length == 0 ? answers() : turns);
        return settings.apply(AgentRuntime.builder()
                        .store(store)
                        .providers()
                        .wakeups(Wakeups.own())
                        .anyoneMayApprove()
                        .addListener(events::add)
                        .agents(agent.apply(Agent.builder("lead")
                                        .model(script.modelFor("lead"))
                                        .memory(memory))
                                .build()))
                .build();
    }

    /** The model answers each request and remembers it. */
    Turn[] answers() {
        return new Turn[] {
            Turn.answers(request -> {
                        requests.add(request);
                        return ModelResponse.text("Noted.", Usage.of(10, 5));
                    })
                    .forever()
        };
    }

    /** Say something as a resource, and wait until it can be found. */
    static RunResult say(AgentRuntime runtime, String resource, String thread, String text) {
        RunResult result =
                runtime.agent("lead").generate(text, o -> o.thread(thread).resource(resource));
        if (!runtime.memory().settled(LONG)) {
            throw new AssertionError("The memory has not settled.");
        }
        return result;
    }

    /** Return what the model was told last that it was not asked and had not said. */
    String recalled() {
        List<String> told = new ArrayList<>();
        for (Message message : requests.getLast().messages()) {
            if (message.internal()) {
                told.add(message.text());
            }
        }
        return String.join("\n", told);
    }

    <E extends RunEvent> List<E> events(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }
}
