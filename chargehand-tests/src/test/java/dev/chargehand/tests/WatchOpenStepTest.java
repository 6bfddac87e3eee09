package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.error.ModelException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunWatch;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.message.Role;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.model.ModelResponse.RequestedCall;
import dev.chargehand.run.RunId;
import dev.chargehand.run.Usage;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A reader that joins in the middle of an answer gets the text so far, and then the deltas. */
class WatchOpenStepTest {

    private static final Usage USAGE = Usage.of(1, 1);

    @TempDir
    private Path directory;

    private static ModelResponse says(String text) {
        return ModelResponse.text(text, USAGE);
    }

    private static Agent agent(String id, BiFunction<ModelRequest, ModelCall, ModelResponse> model, Agent... agents) {
        Model answering = new Model() {
            @Override
            public String name() {
                return "test/" + id;
            }

            @Override
            public ModelResponse ask(ModelRequest request, ModelCall call) {
                return model.apply(request, call);
            }
        };
        return Agent.builder(id)
                .description(id)
                .model(answering)
                .agents(agents)
                .tools(agents.length == 0 ? new Tool[] {Crew.OK} : new Tool[0])
                .build();
    }

    private static AgentRuntime runtime(Store store, Agent agent) {
        return AgentRuntime.builder().providers().store(store).agents(agent).build();
    }

    private static String text(List<RunEvent> events, String path) {
        return Routed.all(RunEvent.TextDelta.class, events).stream()
                .filter(delta -> delta.path().toString().equals(path))
                .map(RunEvent.TextDelta::text)
                .collect(Collectors.joining());
    }

    @Test
    void theTextSoFarComesAtOnceAndTheRestAsItIsWritten() throws Exception {
        CountDownLatch written = new CountDownLatch(1);
        CountDownLatch joined = new CountDownLatch(1);
        Agent solo = agent("solo", (request, call) -> {
            call.delta(new ModelDelta.Reasoning("Hm"));
            call.delta(new ModelDelta.Reasoning("m. "));
            call.delta(new ModelDelta.Text("Hel"));
            call.delta(new ModelDelta.Text("lo "));
            written.countDown();
            await(joined);
            call.delta(new ModelDelta.Text("wor"));
            call.delta(new ModelDelta.Text("ld"));
            return says("Hello world");
        });
        try (AgentRuntime runtime = runtime(JdbcStore.sqlite(directory.resolve("runs.db")), solo)) {
            RunHandle run = runtime.agent("solo").start("Go");
            await(written);
            List<RunEvent> received = new ArrayList<>();
            try (RunWatch watch = runtime.watch(run.runId(), null)) {
                for (RunEvent event : watch) {
                    received.add(event);
                    if (event instanceof RunEvent.TextDelta) {
                        joined.countDown();
                    }
                }
            }

            assertThat(Routed.all(RunEvent.ReasoningDelta.class, received))
                    .extracting(RunEvent.ReasoningDelta::text)
                    .containsExactly("Hmm. ");
            assertThat(Routed.all(RunEvent.TextDelta.class, received))
                    .extracting(RunEvent.TextDelta::text)
                    .containsExactly("Hello ", "wor", "ld");
            assertThat(Routed.all(RunEvent.StepStart.class, received)).hasSize(1);
            assertThatEvents(received).arePaired().endWithRunFinish().haveGrowingIds();
        }
    }

    @Test
    void ofALaterStepOnlyThatStepIsToldWithItsFailedAttempt() throws Exception {
        CountDownLatch written = new CountDownLatch(1);
        CountDownLatch joined = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        Agent solo = agent("solo", (request, call) -> {
            if (asked.incrementAndGet() == 1) {
                call.delta(new ModelDelta.Text("First."));
                RequestedCall ok = new RequestedCall("c", "ok", "{}");
                return new ModelResponse("First.", "", List.of(ok), FinishReason.TOOL_CALLS, USAGE);
            }
            if (asked.get() == 2) {
                throw new ModelException(ModelException.Kind.CONNECTION, "Planned.", null);
            }
            call.delta(new ModelDelta.ToolCallStart(0, "agent-x"));
            call.delta(new ModelDelta.ToolCallArguments(0, "{\"a\""));
            call.delta(new ModelDelta.ToolCallArguments(0, ":1}"));
            written.countDown();
            await(joined);
            call.delta(new ModelDelta.ToolCallEnd(0));
            call.delta(new ModelDelta.Text("Never mind."));
            return says("Never mind.");
        });
        try (AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns(), solo)) {
            RunHandle run = runtime.agent("solo").start("Go");
            await(written);
            List<RunEvent> received = new ArrayList<>();
            try (RunWatch watch = runtime.watch(run.runId(), null)) {
                for (RunEvent event : watch) {
                    received.add(event);
                    if (event instanceof RunEvent.ToolCallDelta delta) {
                        assertThat(delta.fragment()).isEqualTo("{\"a\":1}");
                        joined.countDown();
                    }
                }
            }

            assertThat(received)
                    .extracting(RunEvent::type)
                    .containsSubsequence(
                            "run-start",
                            "text-delta",
                            "step-finish",
                            "step-start",
                            "step-retry",
                            "tool-call-input-start",
                            "tool-call-delta",
                            "tool-call-input-end",
                            "text-start",
                            "text-delta",
                            "text-end",
                            "step-finish");
            assertThat(text(received, "solo")).isEqualTo("First.Never mind.");
            assertThatEvents(received).arePaired().endWithRunFinish();
        }
    }

    @Test
    void readersThatJoinAtAnyMomentHaveTheWholeTextOnce() {
        int words = 2_000;
        int readers = 40;
        String whole = IntStream.range(0, words).mapToObj(i -> i + " ").collect(Collectors.joining());
        List<CountDownLatch> turns =
                IntStream.range(0, readers).mapToObj(i -> new CountDownLatch(1)).toList();
        Agent helper = agent("helper", (request, call) -> {
            for (int i = 0; i < words; i++) {
                if (i % (words / readers) == 0) {
                    turns.get(i / (words / readers)).countDown(); // a reader comes while more is written
                }
                call.delta(new ModelDelta.Text(i + " "));
            }
            return says(whole);
        });
        Agent boss = agent(
                "boss",
                (request, call) -> request.messages().getLast().role() == Role.TOOL
                        ? says("Done.")
                        : new ModelResponse(
                                "",
                                "",
                                List.of(new RequestedCall("c", "agent-helper", "{\"prompt\":\"Write\"}")),
                                FinishReason.TOOL_CALLS,
                                USAGE),
                helper);
        try (AgentRuntime runtime = runtime(JdbcStore.sqlite(directory.resolve("runs.db")), boss)) {
            RunHandle run = runtime.agent("boss").start("Go");
            List<CompletableFuture<List<RunEvent>>> received = turns.stream()
                    .map(turn -> CompletableFuture.supplyAsync(
                            () -> {
                                await(turn);
                                return received(runtime, run.runId());
                            },
                            task -> Thread.ofVirtual().start(task)))
                    .toList();

            received.stream().map(CompletableFuture::join).forEach(events -> {
                assertThat(text(events, "boss/helper")).isEqualTo(whole);
                assertThat(text(events, "boss")).isEqualTo("Done.");
                assertThatEvents(events).endWithRunFinish().haveGrowingIds();
            });
        }
    }

    /** What a reader keeps: it discards what was not superseded where the stream was resumed. */
    private static List<RunEvent> received(AgentRuntime runtime, RunId run) {
        List<RunEvent> events = new ArrayList<>();
        try (RunWatch watch = runtime.watch(run, null)) {
            for (RunEvent event : watch) {
                if (event instanceof RunEvent.StreamResumed) {
                    events.removeIf(before -> before.origin().id().isEmpty());
                }
                events.add(event);
            }
        }
        return events;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
