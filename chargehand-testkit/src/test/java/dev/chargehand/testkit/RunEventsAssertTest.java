package dev.chargehand.testkit;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.tool.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RunEventsAssertTest {

    private List<RunEvent> events;
    private RunResult result;

    @BeforeEach
    void runASupervisor() {
        Script script = ScriptedModel.script()
                .on("supervisor")
                .reasons("Hm. ")
                .and()
                .delegates("researcher", "Find facts")
                .then()
                .says("Done")
                .on("researcher")
                .says("Fact");
        Agent researcher =
                Agent.builder("researcher").description("Finds.").model("a/b").build();
        Agent supervisor =
                Agent.builder("supervisor").model("a/b").agents(researcher).build();
        try (TestRuntime test = TestRuntime.with(script)) {
            result = test.bind(supervisor).generate("Go");
            events = test.events();
        }
    }

    @Test
    void aWholeRunIsPaired() {
        assertThatEvents(events)
                .arePaired()
                .endWithRunFinish()
                .haveGrowingIds()
                .areInOrder("run-start", "delegation-start", "text-delta", "delegation-end", "run-finish")
                .contain("usage")
                .doNotContain("error");
        assertThatEvents(events)
                .ofPath("supervisor/researcher")
                .haveTypes(
                        "run-start",
                        "step-start",
                        "text-start",
                        "text-delta",
                        "text-end",
                        "usage",
                        "step-finish",
                        "run-finish");
    }

    @Test
    void whateverIsTakenAwayOrDoubledIsNoticed() {
        for (int i = 0; i < events.size(); i++) {
            if (events.get(i) instanceof RunEvent.UsageReport
                    || events.get(i) instanceof RunEvent.TextDelta
                    || events.get(i) instanceof RunEvent.ReasoningDelta
                    || events.get(i) instanceof RunEvent.ToolCallDelta) {
                continue;
            }
            List<RunEvent> without = new ArrayList<>(events);
            RunEvent gone = without.remove(i);
            assertThatThrownBy(() -> assertThatEvents(without).arePaired())
                    .as("without %s", gone.type())
                    .isInstanceOf(AssertionError.class);
            List<RunEvent> twice = new ArrayList<>(events);
            twice.add(i, gone);
            assertThatThrownBy(() -> assertThatEvents(twice).arePaired())
                    .as("with two %s", gone.type())
                    .isInstanceOf(AssertionError.class);
        }
    }

    @Test
    void orderEndAndIdsAreNoticed() {
        List<RunEvent> reversed = events.reversed();
        assertThatThrownBy(() -> assertThatEvents(reversed).haveGrowingIds()).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> assertThatEvents(reversed).endWithRunFinish()).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> assertThatEvents(events).areInOrder("run-finish", "run-start"))
                .hasMessageContaining("run-start");
        assertThatThrownBy(() -> assertThatEvents(events).doNotContain("usage")).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> assertThatEvents(events).haveTypes("usage")).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> assertThatEvents(List.of()).endWithRunFinish()).isInstanceOf(AssertionError.class);
    }

    @Test
    void everyAssertionOnAResultCanFail() {
        assertThat(result).finished().hasSteps(2).calledTool("agent-researcher").didNotCallTool("other");
        assertThat(result.runId().value()).isEqualTo("run_1");
        List<Runnable> wrong = List.of(
                () -> assertThat(result).hasText("other"),
                () -> assertThat(result).hasStatus(RunStatus.FAILED),
                () -> assertThat(result).stoppedBecause(new StopReason.MaxStepsReached(2)),
                () -> assertThat(result).hasSteps(1),
                () -> assertThat(result).hasUsage(Usage.NONE),
                () -> assertThat(result).hasTotalUsage(Usage.NONE),
                () -> assertThat(result).hasUsageOf("researcher", Usage.NONE),
                () -> assertThat(result).delegatedTo("researcher", "other"),
                () -> assertThat(result).delegatedTo("writer", "Find facts"),
                () -> assertThat(result).calledTool("other"),
                () -> assertThat(result).didNotCallTool("agent-researcher"),
                () -> assertThat(result).toolFailed("agent-researcher", "x"));
        for (Runnable assertion : wrong) {
            assertThatThrownBy(assertion::run).isInstanceOf(AssertionError.class);
        }
    }

    @Test
    void aRunThatIsCancelledWhileItWaitsIsPaired() {
        Script waits = ScriptedModel.script()
                .on("supervisor")
                .delegates("clerk", "Book.")
                .on("clerk")
                .calls("book", Map.of());
        Tool book = Tool.builder("book", "Books.")
                .input(Nothing.class)
                .requiresApproval()
                .handler((in, context) -> "Booked.")
                .build();
        Agent clerk = Agent.builder("clerk")
                .description("Books.")
                .model("a/b")
                .tools(book)
                .build();
        Agent supervisor =
                Agent.builder("supervisor").model("a/b").agents(clerk).build();
        try (TestRuntime test = TestRuntime.builder(waits)
                .store(InMemoryStore.keepingEndedRuns())
                .build()) {
            RunId runId = test.bind(supervisor).generate("Go").runId();
            assertThat(test.runtime().cancel(runId)).isTrue();
            List<RunEvent> history = test.runtime().history(runId);
            assertThatEvents(history).arePaired().endWithRunFinish().contain("run-suspend");
            List<RunEvent> unfinished = new ArrayList<>(history);
            unfinished.removeIf(event -> event instanceof RunEvent.DelegationEnd);
            assertThatThrownBy(() -> assertThatEvents(unfinished).arePaired())
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("delegation-start");
        }
    }

    record Nothing() {}

    @Test
    void aRunThatItsProcessLeftIsPairedWhenItIsResumed() {
        RunEvent start = events.getFirst();
        List<RunEvent> resumed = new ArrayList<>(events);
        resumed.add(resumed.size() / 2, new RunEvent.RunResume(start.origin(), "supervisor", "supervisor"));
        assertThatEvents(resumed).arePaired();
        List<RunEvent> unfinished = new ArrayList<>(resumed);
        unfinished.removeLast();
        assertThatThrownBy(() -> assertThatEvents(unfinished).arePaired())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("run-resume");
    }

    @Test
    void aTypeThatNoEventHasIsAMistakeOfTheTest() {
        assertThatThrownBy(() -> assertThatEvents(events).doNotContain("tool-eror"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll("No event is a 'tool-eror'", "Did you mean 'tool-error'?", "docs/events.md");
        assertThatThrownBy(() -> assertThatEvents(events).contain("run-finnish"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("Did you mean 'run-finish'?");
        assertThatThrownBy(() -> assertThatEvents(events).areInOrder("run-start", "RunFinish"))
                .isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> assertThatEvents(events).haveTypes("nothing"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageNotContaining("Did you mean");
        assertThatEvents(events).doNotContain("data-mine").doNotContain("agent-execution-event-text-delta");
    }
}
