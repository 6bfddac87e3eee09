package dev.chargehand.tests.memory;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntime;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.memory.Memory;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Usage;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.tests.Scripts;
import dev.chargehand.tests.Turn;
import dev.chargehand.tool.Tool;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Conversations with an agent {@code lead} that has a memory. */
public abstract class MemoryFixture {

    /** Settled means that nothing is left to do; a test that gets there does not wait for so long. */
    protected static final Duration LONG = Duration.ofSeconds(60);

    final UnreliableEmbeddings embeddings = new UnreliableEmbeddings();

    protected final List<ModelRequest> requests = new CopyOnWriteArrayList<>();
    protected final List<RunEvent> events = new CopyOnWriteArrayList<>();

    protected AgentRuntime runtime(Store store, Consumer<Memory.Builder> memory) {
        return runtime(store, memory, agent -> agent, runtime -> runtime);
    }

    protected AgentRuntime runtime(
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
    protected Turn[] answers() {
        return new Turn[] {
            Turn.answers(request -> {
                        requests.add(request);
                        return ModelResponse.text("Noted.", Usage.of(10, 5));
                    })
                    .forever()
        };
    }

    /** A runtime whose agent answers, then calls a tool in its second run. */
    AgentRuntime looking(Consumer<Memory.Builder> memory, boolean approved) {
        Tool look = Tool.builder("look", "Looks.")
                .input(JsonSchema.of(Json.parse("{\"type\":\"object\"}")))
                .handler((in, context) -> "seen")
                .build();
        return runtime(
                InMemoryStore.keepingEndedRuns(),
                memory,
                agent -> agent.tools(approved ? look.requiringApproval() : look),
                settings -> settings,
                Turn.says("Noted."),
                Turn.calls("look", Map.of()),
                answers()[0]);
    }

    /** Sees the calls of a store's memory. */
    protected interface Between {
        @Nullable
        Object on(Callable<@Nullable Object> call, String method) throws Exception;
    }

    /** Return a store with something between it and the callers of its memory. */
    protected static Store withMemory(Store store, Between between) {
        return new ForwardingStore(store) {
            @Override
            public Optional<MemoryStore> memory() {
                MemoryStore memory = store.memory().orElseThrow();
                return Optional.of((MemoryStore) Proxy.newProxyInstance(
                        MemoryFixture.class.getClassLoader(),
                        new Class<?>[] {MemoryStore.class},
                        (proxy, method, arguments) ->
                                between.on(() -> method.invoke(memory, arguments), method.getName())));
            }
        };
    }

    /** Say something as a resource, and wait until it can be found. */
    protected static RunResult say(AgentRuntime runtime, String resource, String thread, String text) {
        RunResult result =
                runtime.agent("lead").generate(text, o -> o.thread(thread).resource(resource));
        if (!runtime.memory().settled(LONG)) {
            throw new AssertionError("The memory has not settled.");
        }
        return result;
    }

    /** Return the memory in the last request: its messages that are neither the question nor the conversation. */
    protected String recalled() {
        List<String> texts = new ArrayList<>();
        for (Message message : requests.getLast().messages()) {
            if (message.internal()) {
                texts.add(message.text());
            }
        }
        return String.join("\n", texts);
    }

    protected <E extends RunEvent> List<E> events(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }
}
