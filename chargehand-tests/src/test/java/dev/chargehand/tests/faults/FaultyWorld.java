package dev.chargehand.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunOptions;
import dev.chargehand.RunStream;
import dev.chargehand.event.RunEvent;
import dev.chargehand.models.OpenAiCompatibleProvider;
import dev.chargehand.spi.IdSource;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.provider.request.ChatMessage;
import dev.chargehand.tests.Fences;
import dev.chargehand.tool.Tool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Our client, our loop, and a server on a real socket that misbehaves; on a clock that the test turns. */
final class FaultyWorld implements AutoCloseable, AfterEachCallback {

    static final String KEY = "sk-canary-4711";

    record Sum(double a, double b) {}

    final ManualClock clock = new ManualClock();
    final LoopbackProvider provider = LoopbackProvider.start().forbid("thread-canary", "resource-canary");
    final AtomicInteger sums = new AtomicInteger();
    final List<String> sumArguments = new ArrayList<>();
    final Tool add = Tool.builder("add", "Adds two numbers.")
            .input(Sum.class)
            .handler((in, context) -> {
                synchronized (sumArguments) {
                    sumArguments.add(in.toString());
                }
                sums.incrementAndGet();
                return Map.of("sum", in.a() + in.b());
            })
            .build();
    private final AgentRuntime runtime;

    FaultyWorld() {
        this(null);
    }

    /** Makes a world on the real clock instead of the manual one. */
    static FaultyWorld onRealTime(TimeSource clock) {
        return new FaultyWorld(clock);
    }

    private FaultyWorld(TimeSource other) {
        this.runtime = AgentRuntime.builder()
                .store(InMemoryStore.keepingEndedRuns())
                .timeSource(other == null ? clock : other)
                .idSource(IdSource.secure())
                .providers(OpenAiCompatibleProvider.builder()
                        .provider("loop", provider.baseUrl(), KEY)
                        .build())
                .build();
    }

    AgentBuilder agent(String id) {
        return Agent.builder(id)
                .description("Is " + id + ".")
                .instructions("You are " + id + ".")
                .model("loop/" + id);
    }

    Agent bind(Agent agent) {
        return runtime.bind(agent);
    }

    Agent single() {
        return bind(agent("solo").tools(add).build());
    }

    AgentRuntime runtime() {
        return runtime;
    }

    /** Runs on another thread, so that the test can turn the clock. */
    static <T> CompletableFuture<T> later(Supplier<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                result.complete(work.get());
            } catch (Throwable t) {
                result.completeExceptionally(t);
            }
        });
        return result;
    }

    /** Lets the run wait for a time, such as that of a retry, then lets it pass. */
    void pass(Duration delay) {
        clock.awaitAlarm(delay);
        clock.advance(delay);
    }

    /** Turns the clock to every short wait - a retry, a limit that the test lowered - until the run has ended. */
    void turnUntilDone(CompletableFuture<?> run) {
        while (!run.isDone()) {
            clock.pending().stream()
                    .filter(wait -> wait.compareTo(Duration.ofSeconds(9)) < 0)
                    .findFirst()
                    .ifPresent(clock::advance);
            Thread.onSpinWait();
        }
    }

    /** Watches a run to its end and returns its events. */
    static List<RunEvent> watch(Agent agent, String prompt, Consumer<RunOptions.Builder> options) {
        List<RunEvent> events = new ArrayList<>();
        try (RunStream run = agent.stream(prompt, options)) {
            run.forEach(events::add);
        }
        return events;
    }

    /** Returns the text the root agent's stream showed and did not take back. */
    static String shown(List<RunEvent> events) {
        List<RunEvent> kept = new ArrayList<>();
        for (RunEvent event : events) {
            if (event instanceof RunEvent.StepRetry retry) {
                kept.removeIf(before ->
                        before.step() == retry.step() && before.runId().equals(retry.runId()));
            }
            kept.add(event);
        }
        return kept.stream()
                .filter(RunEvent.TextDelta.class::isInstance)
                .filter(event -> event.path().isRoot())
                .map(event -> ((RunEvent.TextDelta) event).text())
                .collect(Collectors.joining());
    }

    /** Returns what the model was told about a call's end in its latest request. */
    String lastToolMessage() {
        List<ChatMessage> messages = provider.log().getLast().request().messages();
        return messages.stream()
                .filter(message -> message.role().equals("tool"))
                .reduce((first, second) -> second)
                .map(ChatMessage::text)
                .map(Fences::without)
                .orElse("");
    }

    static Throwable failure(CompletableFuture<?> run) {
        Throwable failure = run.handle((value, thrown) -> thrown).join();
        assertThat(failure).isInstanceOf(RunFailedException.class);
        return failure;
    }

    /** Answers with one call of {@code add}. */
    static Reply addCall(String arguments) {
        return Reply.toolCalls(Reply.call("c1", "add", arguments));
    }

    /** Ends it as the extension of a test: nothing that was sent breaks what a provider demands. */
    @Override
    public void afterEach(ExtensionContext context) {
        assertThat(provider.violations()).isEmpty();
        close();
    }

    @Override
    public void close() {
        runtime.close();
        provider.close();
    }
}
