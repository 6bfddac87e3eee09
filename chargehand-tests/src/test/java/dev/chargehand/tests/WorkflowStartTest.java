package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.RunOptions;
import dev.chargehand.Wakeups;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.IdempotencyKeyException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.fixture.PostgresServer;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.workflow.Branch;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Repeat;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.StepOutcome;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowContext;
import dev.chargehand.workflow.WorkflowResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs of workflows that start before an entry in the middle, with outputs that their callers give. */
class WorkflowStartTest {

    @TempDir
    private Path folder;

    private final ConcurrentLinkedQueue<String> done = new ConcurrentLinkedQueue<>();
    private final Step<Integer, Integer> check = step("check", 1);
    private final Step<Integer, Integer> reserve = step("reserve", 10);
    private final Step<Integer, Integer> price = step("price", 100);
    private final Step<Integer, Integer> poll = step("poll", 1000);
    private final Step<Integer, Integer> mail = step("mail", 7);

    private final Workflow<Integer, Integer> ordering = Workflow.from("ordering", Integer.class)
            .then(check)
            .parallel("both", reserve, price)
            .map("sum", Integer.class, (out, context) -> out.get(reserve) + out.get(price))
            .doUntil(poll, (out, context) -> out > 3000, Repeat.atMost(5))
            .sleep("rest", Duration.ofMillis(1))
            .foreach(
                    "notify",
                    (out, context) -> List.of(out, out + 1),
                    mail,
                    Each.concurrency(1).collect())
            .map("count", Integer.class, (all, context) -> all.size())
            .branch(Branch.when("many", (Integer all, WorkflowContext c) -> all > 2, step("large", 1))
                    .otherwisePass())
            .then(Step.of("last", Integer.class, Integer.class, (in, context) -> {
                        done.add("last " + in + " of " + context.input(Integer.class) + " after "
                                + context.output(check).map(String::valueOf).orElse("nothing"));
                        return in;
                    })
                    .repeatable())
            .build(Integer.class);

    private Step<Integer, Integer> step(String id, int plus) {
        return Step.of(id, Integer.class, Integer.class, (in, context) -> {
                    done.add(id + " " + in);
                    return in + plus;
                })
                .repeatable();
    }

    private static AgentRuntime runtime(Store store, Workflow<?, ?>... workflows) {
        return AgentRuntime.builder().store(store).workflows(workflows).build();
    }

    private WorkflowResult<Integer> run(Consumer<RunOptions.Builder> options) {
        try (AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns(), ordering)) {
            return runtime.run(ordering, 1, options);
        }
    }

    @Test
    void aRunStartsBeforeAnEntryWithGivenOutputs() {
        WorkflowResult<Integer> result = run(o -> o.from("poll", Map.of("reserve", 2500, "price", 1)));

        assertThat(done).containsExactly("poll 2501", "mail 3501", "mail 3502", "last 2 of 1 after nothing");
        assertThat(result.steps().stream().map(StepOutcome::path))
                .startsWith("reserve", "price", "poll", "notify[0]")
                .doesNotContain("check");
        assertThat(result.steps().getFirst().output()).contains(Json.of(2500));
        assertThat(result.output()).isEqualTo(2);
    }

    @Test
    void everyKindOfEntryHasAnOutputThatCanBeGiven() {
        run(o -> o.from("both", Map.of("check", 5)));
        assertThat(done).contains("reserve 5", "price 5", "last 2 of 1 after 5");
        done.clear();
        run(o -> o.from("price", Map.of("check", 6)));
        assertThat(done).contains("reserve 6", "price 6");
        done.clear();
        run(o -> o.from("notify", Map.of("rest", 40)));
        assertThat(done).startsWith("mail 40", "mail 41");
        done.clear();
        run(o -> o.from("rest", Map.of("poll", 50)));
        assertThat(done).startsWith("mail 50", "mail 51");
        done.clear();
        run(o -> o.from("large", Map.of("notify", List.of(1, 2, 3))));
        assertThat(done).containsExactly("large 3", "last 4 of 1 after nothing");
        done.clear();
        run(o -> o.from("last", Map.of("large", 9, "check", 8)));
        assertThat(done).containsExactly("last 9 of 1 after 8");
        done.clear();
        assertThat(run(o -> o.from("last", Map.of("branch-1", 10))).output()).isEqualTo(10);
        assertThat(done).containsExactly("last 10 of 1 after nothing");
        done.clear();
        run(o -> o.from("check", Map.of()));
        assertThat(done).startsWith("check 1");
    }

    @Test
    void anOutputThatIsMissingUnknownOrDoesNotFitIsRejectedAndNothingIsStored() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime runtime = runtime(store, ordering)) {
            assertRejected(
                    runtime,
                    "poll",
                    Map.of(),
                    "cannot start at 'poll' without the output of entry 'both' before it. Give the output for 'reserve', 'price'.");
            assertRejected(
                    runtime,
                    "poll",
                    Map.of("reserve", 1),
                    "calls all of 'reserve', 'price'. Give the output of each of them, or of none.");
            assertRejected(
                    runtime, "both", Map.of("check", "x"), "the output for 'check' breaks the schema of the step");
            assertRejected(
                    runtime,
                    "sum",
                    Map.of("reserve", 1, "price", 1),
                    "cannot start at 'sum', which is neither an entry nor a step");
            assertRejected(
                    runtime, "nothing", Map.of(), "It can start at: check, both, poll, rest, notify, branch-1, last.");
            assertRejected(
                    runtime,
                    "both",
                    Map.of("check", 1, "poll", 1),
                    "no use for an output for 'poll'. Outputs can be given for: check.");
            assertRejected(
                    runtime,
                    "branch-1",
                    Map.of("notify", 1),
                    "must be a list with the output of step 'mail' for each item");
            assertRejected(
                    runtime,
                    "branch-1",
                    Map.of("notify", List.of("x")),
                    "the output for 'notify[0]' breaks the schema");
            assertRejected(
                    runtime, "last", Map.of("large", 1, "branch-1", 2), "calls one step. Give the output of one.");
            assertRejected(runtime, "last", Map.of(), "Give the output for 'large', 'branch-1': for one of them.");
        }
        assertThat(store.list(RunFilter.ALL)).isEmpty();
        assertThat(done).isEmpty();
    }

    private void assertRejected(AgentRuntime runtime, String entry, Map<String, ?> outputs, String why) {
        assertThatThrownBy(() -> runtime.run(ordering, 1, o -> o.from(entry, outputs)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(why);
    }

    @Test
    void anAgentHasNoUseForIt() {
        Agent agent = Agent.builder("solo")
                .model(Scripts.on("solo", Turn.says("Hi")).modelFor("solo"))
                .build();
        assertThatThrownBy(() -> agent.generate("x", o -> o.from("price", Map.of())))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("option 'from' is for workflows");
        assertThatThrownBy(() -> agent.generate("x", o -> o.pauseAfterEach()))
                .hasMessageContaining("option 'pauseAfterEach' is for workflows");
        try (AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns(), ordering)) {
            assertThatThrownBy(() -> runtime.run(ordering, 1, o -> o.from("poll", null)))
                    .isInstanceOf(ConfigurationException.class);
        }
    }

    @Test
    void aRepeatedCallWithAKeyIsFoundAndOneWithOtherOutputsIsRejected() {
        try (AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns(), ordering)) {
            RunHandle first = runtime.start(
                    ordering, 1, o -> o.from("last", Map.of("large", 9)).idempotencyKey("k"));
            RunHandle again = runtime.start(
                    ordering, 1, o -> o.from("last", Map.of("large", 9)).idempotencyKey("k"));
            assertThat(again.runId()).isEqualTo(first.runId());
            first.result();
            assertThatThrownBy(() -> runtime.start(
                            ordering, 1, o -> o.from("last", Map.of("large", 8)).idempotencyKey("k")))
                    .isInstanceOf(IdempotencyKeyException.class);
        }
    }

    @Test
    void theEventsOfTheRunAreThoseOfItsHistory() {
        try (AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns(), ordering)) {
            List<String> live = new ArrayList<>();
            RunHandle run = runtime.start(ordering, 1, o -> o.from("rest", Map.of("poll", 50))
                    .addListener(event -> live.add(event.type() + event.origin().id())));
            run.result();
            assertThat(runtime.history(run.runId()).stream()
                            .map(event -> event.type() + event.origin().id()))
                    .containsExactlyElementsOf(live);
            assertThat(runtime.history(run.runId()).stream().map(RunEvent::type))
                    .startsWith("run-start", "workflow-start", "workflow-step-start", "workflow-step-result");
        }
    }

    @ParameterizedTest
    @EnumSource(WorkflowRunTest.Kind.class)
    void aSubmittedRunHasItsOutputsInAnotherProcess(WorkflowRunTest.Kind kind) throws Exception {
        Store stored =
                switch (kind) {
                    case MEMORY -> InMemoryStore.keepingEndedRuns();
                    case SQLITE -> JdbcStore.sqlite(folder.resolve("runs.db"));
                    case POSTGRES -> JdbcStore.postgres(PostgresServer.newStore(), PostgresServer.USER, "");
                };
        RunId run;
        try (AgentRuntime submits = AgentRuntime.builder()
                        .store(stored)
                        .workflows(ordering)
                        .wakeups(Wakeups.off())
                        .build();
                AgentRuntime executes = AgentRuntime.builder()
                        .store(stored)
                        .workflows(ordering)
                        .wakeups(Wakeups.all())
                        .build()) {
            run = submits.submit(ordering, 1, o -> o.from("large", Map.of("notify", List.of(1, 2, 3), "check", 4)));
            assertThat(executes.handle(run).result().object()).contains(Json.of(4));
            assertThat(done).containsExactly("large 3", "last 4 of 1 after 4");
        }
    }

    @Test
    void aRunWhoseProcessIsGoneBeforeAnyAppendEndsAsTheUndisturbedOne() {
        int resumed = 0;
        for (int append = 1; append < 20; append++) {
            done.clear();
            InMemoryStore store = InMemoryStore.keepingEndedRuns();
            FaultyStore dying = Crashing.goneBefore(append, store);
            try (AgentRuntime dies = runtime(dying, ordering)) {
                assertThat(dies.run(ordering, 1, o -> o.from("poll", Map.of("reserve", 2500, "price", 1)))
                                .output())
                        .isEqualTo(2);
            } catch (ChargehandException e) {
                assertThat(e.code()).startsWith("store");
            }
            List<RunRecord> stored = store.list(RunFilter.ROOTS);
            if (!stored.isEmpty() && !stored.getFirst().status().isEnded()) {
                resumed++;
                try (AgentRuntime runtime = runtime(store, ordering)) {
                    assertThat(runtime.resume(stored.getFirst().runId(), o -> {})
                                    .result()
                                    .object())
                            .contains(Json.of(2));
                }
            }
            assertThat(done).noneMatch(call -> call.startsWith("check") || call.startsWith("price"));
        }
        assertThat(resumed).isGreaterThan(5);
    }
}
