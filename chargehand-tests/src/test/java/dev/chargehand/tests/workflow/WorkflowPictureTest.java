package dev.chargehand.tests.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.Wakeups;
import dev.chargehand.json.JsonType;
import dev.chargehand.run.RunId;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.workflow.Backoff;
import dev.chargehand.workflow.Branch;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Repeat;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.view.WorkflowPicture;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the pictures of workflows and of their runs contain. */
class WorkflowPictureTest {

    private static final Duration WAIT = Duration.ofHours(2);

    private final InMemoryStore store = InMemoryStore.keepingEndedRuns();

    private static Step<Integer, Integer> step(String id) {
        return Step.of(id, Integer.class, Integer.class, (number, context) -> number + 1);
    }

    private static Step<Integer, Integer> failing(String id) {
        return Step.of(id, Integer.class, Integer.class, (number, context) -> {
            throw new IllegalStateException("no " + number);
        });
    }

    private static Step<Integer, Integer> asking(String id) {
        return Step.of(id, Integer.class, Integer.class, (number, context) -> context.resumeData(Integer.class)
                .orElseGet(() -> context.suspend("how many?")));
    }

    private String after(Workflow<Integer, ?> workflow, int input) {
        try (AgentRuntime runtime =
                AgentRuntime.builder().store(store).workflows(workflow).build()) {
            RunId runId;
            try {
                runId = runtime.run(workflow, input, o -> {}).runId();
            } catch (RunFailedException e) {
                runId = e.result().runId();
            }
            return WorkflowPicture.of(workflow).with(runtime.history(runId)).mermaid();
        }
    }

    @Test
    void everyEntryHasItsForm() {
        Agent writer = Agent.builder("writer")
                .model(ScriptedModel.script().modelFor("writer"))
                .build();
        Workflow<Integer, Integer> adding = Workflow.from("adding", Integer.class)
                .then(step("first"))
                .then(step("second"))
                .build(Integer.class);
        Workflow<Integer, List<String>> workflow = Workflow.from("whole", Integer.class)
                .name("All entries")
                .version("3")
                .then(step("check").retries(2, Backoff.fixed(Duration.ofSeconds(1))))
                .parallel("both", step("left"), step("right"))
                .map("join", Integer.class, (outputs, context) -> 1)
                .branch(Branch.<Integer, Integer>when("large", (number, context) -> number > 5, step("big"))
                        .otherwisePass())
                .branchAll(Branch.when("any", (number, context) -> true, step("extra")))
                .map("back", Integer.class, (outputs, context) -> 1)
                .doUntil(adding.asStep(), (number, context) -> number > 3, Repeat.atMost(7))
                .sleep("cool-down", WAIT)
                .foreach(
                        "letters",
                        (number, context) -> List.of(number),
                        writer.asStep("write", Integer.class, (number, context) -> "Write " + number),
                        Each.concurrency(4))
                .build(new JsonType<List<String>>() {});
        assertThat(WorkflowPicture.of(workflow).mermaid()).isEqualTo("""
                flowchart TD
                    n1(["All entries<br/>whole, version 3"])
                    n2["check<br/>at most 3 attempts"]
                    n3(("both<br/>all of"))
                    n4["left"]
                    n5["right"]
                    n6("join")
                    n7{"branch-1"}
                    n8["big"]
                    n9{"branch-all-1<br/>all that hold"}
                    n10["extra"]
                    n11("back")
                    subgraph b12["adding<br/>workflow adding"]
                        n13["first"]
                        n14["second"]
                    end
                    n15{{"cool-down<br/>waits 2 h"}}
                    subgraph b16["letters<br/>for each item, at most 4 at once"]
                        n17(["write<br/>agent writer"])
                    end
                    n18(["end"])
                    n3 --> n4
                    n3 --> n5
                    n2 --> n3
                    n4 --> n6
                    n5 --> n6
                    n7 -->|"large"| n8
                    n6 --> n7
                    n9 -->|"any"| n10
                    n8 --> n9
                    n7 -->|"otherwise"| n9
                    n10 --> n11
                    n9 -->|"none"| n11
                    n13 --> n14
                    n14 -->|"until a condition is true, at most 7 times"| n13
                    n11 --> n13
                    n14 --> n15
                    n15 --> n17
                    n1 --> n2
                    n17 --> n18
                """);
    }

    @Test
    void namesCannotBreakTheText() {
        String hostile =
                "\"]; click n1 callback\n%%{init: {}}%% end <img src=x onerror=alert(1)> `#quot;` & \u202e|--> n2";
        Workflow<Integer, Integer> workflow = Workflow.from("end", Integer.class)
                .name(hostile)
                .version("\"\\")
                .then(step("subgraph"))
                .build(Integer.class);
        assertThat(WorkflowPicture.of(workflow).mermaid()).isEqualTo("""
                flowchart TD
                    n1(["#34;#93;#59; click n1 callback #37;#37;#123;init: #123;#125;#125;#37;#37; end #60;img src#61;x onerror#61;alert(1)#62; #96;#35;quot#59;#96; #38;  #124;--#62; n2<br/>end, version #34;#92;"])
                    n2["subgraph"]
                    n3(["end"])
                    n1 --> n2
                    n2 --> n3
                """);
    }

    @Test
    void aLongNameIsCut() {
        Workflow<Integer, Integer> workflow = Workflow.from("long", Integer.class)
                .name("x".repeat(500))
                .then(step("a"))
                .build(Integer.class);
        assertThat(WorkflowPicture.of(workflow).mermaid()).contains("[\"" + "x".repeat(200) + "…<br/>");
    }

    @Test
    void aDefinitionHasNoStates() {
        Workflow<Integer, Integer> workflow =
                Workflow.from("plain", Integer.class).then(step("a")).build(Integer.class);
        assertThat(WorkflowPicture.of(workflow).mermaid()).doesNotContain("class");
    }

    @Test
    void aRunThatCompletedHasDoneAndSkippedSteps() {
        Workflow<Integer, Integer> workflow = Workflow.from("deciding", Integer.class)
                .branch(Branch.<Integer, Integer>when("large", (number, context) -> number > 5, step("big"))
                        .otherwise(step("small")))
                .map("same", Integer.class, (number, context) -> number)
                .build(Integer.class);
        // n1 start, n2 branch, n3 big, n4 small, n5 map, n6 end
        assertThat(after(workflow, 1)).contains("class n1,n2,n4,n5,n6 done", "class n3 skipped");
    }

    @Test
    void aRunThatFailedHasStepsThatItDidNotReach() {
        Workflow<Integer, Integer> workflow = Workflow.from("failing", Integer.class)
                .then(step("a"))
                .then(failing("b"))
                .map("m", Integer.class, (number, context) -> number)
                .then(step("c"))
                .build(Integer.class);
        assertThat(after(workflow, 1)).contains("class n1,n2 done", "class n3 failed", "class n4,n5,n6 notReached");
    }

    @Test
    void aStepOfSeveralCallsCountsThem() {
        Step<Integer, Integer> odd = Step.of("odd", Integer.class, Integer.class, (number, context) -> {
            if (number % 2 == 0) {
                throw new IllegalStateException("even");
            }
            return number;
        });
        Workflow<Integer, ?> workflow = Workflow.from("each", Integer.class)
                .foreach(
                        "items",
                        (number, context) -> List.of(1, 2, 3),
                        odd,
                        Each.concurrency(1).collect())
                .build(new JsonType<>() {});
        assertThat(after(workflow, 1)).contains("n3[\"odd<br/>2 done, 1 failed\"]", "class n3 failed");
    }

    @Test
    void anEmptyForeachIsSkipped() {
        Workflow<Integer, List<Integer>> workflow = Workflow.from("none", Integer.class)
                .foreach((number, context) -> List.<Integer>of(), step("each"))
                .build(new JsonType<List<Integer>>() {});
        assertThat(after(workflow, 1)).contains("class n3 skipped");
    }

    @Test
    void aStepThatWaitsBelowANestedWorkflowWaitsWithIt() {
        Workflow<Integer, Integer> nested = Workflow.from("nested", Integer.class)
                .then(step("before"))
                .then(asking("ask"))
                .then(step("after"))
                .build(Integer.class);
        Workflow<Integer, Integer> workflow = Workflow.from("outer", Integer.class)
                .then(step("first"))
                .then(nested.asStep().withId("inside"))
                .then(step("last"))
                .build(Integer.class);
        // n1 start, n2 first, b3 inside, n4 before, n5 ask, n6 after, n7 last, n8 end
        assertThat(after(workflow, 1))
                .contains("class n1,n2,n4 done", "class n5,b3 waiting", "class n6,n7,n8 notReached");
    }

    @Test
    void anEntryThatSleepsWaits() {
        Workflow<Integer, Integer> workflow = Workflow.from("resting", Integer.class)
                .then(step("a"))
                .sleep("rest", WAIT)
                .then(step("b"))
                .build(Integer.class);
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(store)
                .workflows(workflow)
                .wakeups(Wakeups.off())
                .build()) {
            RunId runId = runtime.run(workflow, 1, o -> {}).runId();
            assertThat(WorkflowPicture.of(workflow).with(runtime.history(runId)).mermaid())
                    .contains("class n3 waiting", "class n4,n5 notReached");
            runtime.wake(runId, "rest");
            assertThat(runtime.handle(runId).result().object(Integer.class)).isEqualTo(3);
            assertThat(WorkflowPicture.of(workflow).with(runtime.history(runId)).mermaid())
                    .contains("class n1,n2,n3,n4,n5 done");
        }
    }

    @Test
    void aBailLeavesTheRestUnreached() {
        Step<Integer, Integer> bailing =
                Step.of("bail", Integer.class, Integer.class, (number, context) -> context.bail(number));
        Workflow<Integer, Integer> workflow = Workflow.from("bailing", Integer.class)
                .then(bailing)
                .map("m", Integer.class, (number, context) -> number)
                .then(step("b"))
                .build(Integer.class);
        assertThat(after(workflow, 1)).contains("class n1,n2 done", "class n3,n4,n5 notReached");
    }

    @Test
    void theRunsBelowAnAgentAreFound() {
        Workflow<Integer, Integer> adding = Workflow.from("adding", Integer.class)
                .description("Adds one.")
                .then(step("a"))
                .build(Integer.class);
        Agent boss = Agent.builder("boss")
                .model(ScriptedModel.script()
                        .on("boss")
                        .calls("workflow-adding", Map.of("input", 1))
                        .then()
                        .says("2")
                        .modelFor("boss"))
                .workflows(adding)
                .build();
        try (AgentRuntime runtime =
                AgentRuntime.builder().store(store).agents(boss).build()) {
            RunId runId = runtime.agent("boss").generate("Add.").runId();
            assertThat(WorkflowPicture.of(adding).with(runtime.history(runId)).mermaid())
                    .contains("class n1,n2,n3 done");
        }
    }
}
