package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonType;
import dev.chargehand.run.Limit;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.workflow.Backoff;
import dev.chargehand.workflow.Branch;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Repeat;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A workflow as a step of another: it has a run, rounds and a state of its own. */
class NestedWorkflowTest {

    record Item(String name, int count) {}

    private final InMemoryStore store = InMemoryStore.keepingEndedRuns();

    private AgentRuntime runtime(Workflow<?, ?>... workflows) {
        return AgentRuntime.builder().store(store).workflows(workflows).build();
    }

    private static final Step<Item, Item> ONE_MORE = Step.of("one-more", Item.class, Item.class, (item, context) -> {
        context.updateState(Map.of("last", item.count()));
        return new Item(item.name(), item.count() + 1);
    });

    private static final Workflow<Item, Item> ADDING =
            Workflow.from("adding", Item.class).then(ONE_MORE).build(Item.class);

    @Test
    void itIsAStepOfEveryEntry() {
        Step<Item, Item> side = ADDING.asStep().withId("side");
        Step<Item, Item> loop = ADDING.asStep().withId("loop");
        Step<Item, Item> each = ADDING.asStep().withId("each");
        Step<Item, Item> branch = ADDING.asStep().withId("branch");
        Workflow<Item, List<Item>> whole = Workflow.from("whole", Item.class)
                .then(ADDING)
                .parallel(side)
                .map("of-side", Item.class, (out, context) -> out.get(side))
                .branch(Branch.<Item, Item>when("some", (item, context) -> item.count() > 0, branch)
                        .otherwisePass())
                .doUntil(loop, (item, context) -> item.count() >= 5, Repeat.atMost(9))
                .foreach("items", (item, context) -> List.of(item, new Item("other", 0)), each, Each.concurrency(2))
                .build(new JsonType<List<Item>>() {});
        try (AgentRuntime runtime = runtime(whole)) {
            List<RunEvent> events = new ArrayList<>();
            RunResult result;
            try (RunStream stream = runtime.stream(whole, new Item("cup", 0), o -> {})) {
                stream.forEach(events::add);
                result = stream.result();
            }
            assertThat(result.object(new JsonType<List<Item>>() {}))
                    .containsExactly(new Item("cup", 6), new Item("other", 1));
            assertThat(result.workflowState().orElseThrow()).isEqualTo(Json.parse("{}"));
            assertThat(store.list(RunFilter.ALL))
                    .extracting(run -> run.path().toString())
                    .containsExactlyInAnyOrder(
                            "whole",
                            "whole/adding",
                            "whole/side",
                            "whole/branch",
                            "whole/loop",
                            "whole/loop",
                            "whole/each",
                            "whole/each");
            assertThatEvents(events).arePaired().endWithRunFinish().haveGrowingIds();
            assertThat(events)
                    .extracting(event -> event.origin().path() + " " + event.type())
                    .startsWith(
                            "whole run-start",
                            "whole workflow-start",
                            "whole workflow-step-start",
                            "whole/adding run-start",
                            "whole/adding workflow-start",
                            "whole/adding workflow-step-start",
                            "whole/adding workflow-step-result",
                            "whole/adding workflow-finish",
                            "whole/adding run-finish",
                            "whole workflow-step-result");
            assertThat(WorkflowRunTest.told(runtime.history(result.runId()))).isEqualTo(WorkflowRunTest.told(events));
        }
    }

    @Test
    void aBailOfTheNestedOneEndsOnlyThat() {
        Workflow<Item, Item> bailing = Workflow.from("bailing", Item.class)
                .then(Step.of("stop", Item.class, Item.class, (item, context) -> context.bail(new Item("bailed", 7))))
                .then(ONE_MORE)
                .build(Item.class);
        Workflow<Item, Integer> whole = Workflow.from("whole", Item.class)
                .then(bailing)
                .map("count", Integer.class, (item, context) -> item.count())
                .build(Integer.class);
        try (AgentRuntime runtime = runtime(whole)) {
            assertThat(runtime.run(whole, new Item("cup", 0), o -> {}).output()).isEqualTo(7);
        }
    }

    @Test
    void aFailureOfTheNestedOneFailsTheStep() {
        AtomicInteger attempts = new AtomicInteger();
        Workflow<Item, Item> broken = Workflow.from("broken", Item.class)
                .then(Step.of("break", Item.class, Item.class, (item, context) -> {
                    attempts.incrementAndGet();
                    throw new IllegalStateException("out of stock");
                }))
                .build(Item.class);
        Workflow<Item, Item> whole = Workflow.from("whole", Item.class)
                .then(broken.asStep().retries(2, Backoff.fixed(Duration.ofMillis(1))))
                .build(Item.class);
        Workflow<Item, Item> replaced = Workflow.from("replaced", Item.class)
                .then(broken.asStep().fallback((item, error, context) -> new Item(error, 0)))
                .build(Item.class);
        try (AgentRuntime runtime = runtime(whole, replaced)) {
            assertThatThrownBy(() -> runtime.run(whole, new Item("cup", 0), o -> {}))
                    .isInstanceOfSatisfying(
                            RunFailedException.class, e -> assertThat(e.code()).isEqualTo("step-failed"))
                    .hasMessageContaining("Step 'broken' failed after 3 attempts: Workflow 'broken' gave no output. It"
                            + " failed (step-failed). Step 'break' failed: out of"
                            + " stock.");
            assertThat(attempts).hasValue(3);
            assertThat(store.list(RunFilter.ALL)).hasSize(4);
            assertThat(runtime.run(replaced, new Item("cup", 0), o -> {})
                            .output()
                            .name())
                    .contains("out of stock");
        }
    }

    @Test
    void theLimitsOfTheTreeHoldBelowToo() {
        Workflow<Item, Item> endless = Workflow.from("endless", Item.class)
                .doWhile(ONE_MORE, (item, context) -> true, Repeat.atMost(1_000))
                .build(Item.class);
        Workflow<Item, Item> whole =
                Workflow.from("whole", Item.class).then(endless).build(Item.class);
        try (AgentRuntime runtime = runtime(whole)) {
            assertThatThrownBy(() -> runtime.run(whole, new Item("cup", 0), o -> o.limit(Limit.LOOP_ITERATIONS, 3)))
                    .hasMessageContaining("Workflow 'endless' gave no output.");
            assertThat(store.list(RunFilter.ALL))
                    .filteredOn(run -> !run.isRoot())
                    .singleElement()
                    .satisfies(run -> assertThat(run.status()).isEqualTo(RunStatus.INCOMPLETE));
        }
    }

    @Test
    void aWorkflowWithinItselfEndsAtTheLimitOfOneKindOnAPath() {
        Workflow<Item, Item> inner =
                Workflow.from("whole", Item.class).then(ONE_MORE).build(Item.class);
        Workflow<Item, Item> middle = Workflow.from("whole", Item.class)
                .then(inner.asStep().withId("a"))
                .build(Item.class);
        Workflow<Item, Item> outer = Workflow.from("whole", Item.class)
                .then(middle.asStep().withId("b"))
                .build(Item.class);
        try (AgentRuntime runtime = runtime(outer)) {
            assertThatThrownBy(() -> runtime.run(outer, new Item("cup", 0), o -> o.limit(Limit.SAME_AGENT_ON_PATH, 2)))
                    .hasMessageContaining("'a' is already running 2 times above this call");
        }
    }

    @Test
    void cancellingTheOuterOneCancelsTheInnerOne() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        Workflow<Item, Item> hanging = Workflow.from("hanging", Item.class)
                .then(Step.of("hang", Item.class, Item.class, (item, context) -> {
                    inside.countDown();
                    new CountDownLatch(1).await();
                    return item;
                }))
                .build(Item.class);
        Workflow<Item, Item> whole =
                Workflow.from("whole", Item.class).then(hanging).build(Item.class);
        try (AgentRuntime runtime = runtime(whole)) {
            RunHandle run = runtime.start(whole, new Item("cup", 0), o -> {});
            inside.await();
            run.cancel();
            assertThat(run.result().stopReason()).isInstanceOf(StopReason.Cancelled.class);
            assertThat(store.list(RunFilter.ALL))
                    .hasSize(2)
                    .extracting(RunRecord::status)
                    .containsOnly(RunStatus.ABORTED);
        }
    }
}
