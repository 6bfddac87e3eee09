package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.error.ModelException;
import dev.chargehand.error.StoreException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.run.ForkOrigin;
import dev.chargehand.run.Limit;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.store.RunFilter;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A fork goes on from a step of another run: with its conversation, without doing anything again. */
class ForkTest extends ForkFixture {

    @Test
    void aForkGoesOnFromAStepAndDoesNothingAgain() {
        Script script = script();
        try (TestRuntime test = builder(script).build()) {
            RunResult old = test.agent("lead").generate("Go");
            assertThat(done).extracting(Done::text).containsExactly("a", "b");
            assertThat(script.requestsOf("researcher")).hasSize(1);

            RunResult fork = test.runtime().fork(old.runId(), 2, f -> {}).result();

            assertThat(fork).finished().hasText(old.text());
            assertThat(fork.runId()).isNotEqualTo(old.runId());
            assertThat(fork.forkedFrom()).contains(new ForkOrigin(old.runId(), 2, List.of()));
            assertThat(old.forkedFrom()).isEmpty();
            assertThat(done).extracting(Done::text).containsExactly("a", "b", "b");
            assertThat(script.requestsOf("researcher")).as("delegations").hasSize(1);
            assertThat(script.requestsOf("lead")).hasSize(6);
            assertThat(Wire.lines(script.requestsOf("lead").get(4)))
                    .isEqualTo(Wire.lines(script.requestsOf("lead").get(2)));
            assertThat(fork.steps()).hasSize(4);
            assertThat(fork.steps().subList(0, 2)).isEqualTo(old.steps().subList(0, 2));
            assertThat(fork.messages().stream().map(Wire::line).toList())
                    .isEqualTo(old.messages().stream().map(Wire::line).toList());
        }
    }

    @Test
    void whatAForkCallsItselfHasAnIdempotencyKeyOfItsOwn() {
        try (TestRuntime test = builder(script()).build()) {
            RunResult old = test.agent("lead").generate("Go");
            test.runtime().fork(old.runId(), 0, f -> {}).result();
            test.runtime().fork(old.runId(), 2, f -> {}).result();
            assertThat(done).extracting(Done::text).containsExactly("a", "b", "a", "b", "b");
            assertThat(done).extracting(Done::key).doesNotHaveDuplicates();
        }
    }

    @Test
    void aForksOwnSpendingBeginsAtZero() {
        try (TestRuntime test = builder(script()).build()) {
            RunResult old = test.agent("lead").generate("Go");
            assertThat(old).hasUsage(Usage.of(40, 20)).hasTotalUsage(Usage.of(50, 25));
            RunResult fork = test.runtime()
                    .fork(
                            old.runId(),
                            2,
                            f -> f.options(
                                    o -> o.budget(budget -> budget.tokens(31)).limit(Limit.TOOL_CALLS, 1)))
                    .result();
            assertThat(fork).finished().hasUsage(Usage.of(20, 10)).hasTotalUsage(Usage.of(20, 10));
            assertThat(test.runtime().resume(fork.runId(), o -> {}).result()).hasTotalUsage(Usage.of(20, 10));
        }
    }

    @Test
    void aForkCanBeAskedSomethingElse() {
        try (TestRuntime test = builder(script()).build()) {
            RunResult old = test.agent("lead").generate("Go");
            assertThat(test.runtime().fork(old.runId(), 1, f -> f.input("Run")).result())
                    .hasText("Done: You lead. | Run");
            assertThat(test.runtime()
                            .fork(old.runId(), 0, f -> f.input("Walk").addMessage("slowly"))
                            .result())
                    .hasText("Done: You lead. | Walk | slowly");
        }
    }

    @Test
    void aForkCanBeToldMoreAfterItsCopiedSteps() {
        Script script = script();
        try (TestRuntime test = builder(script).build()) {
            RunResult old = test.agent("lead").generate("Go");
            RunResult fork = test.runtime()
                    .fork(old.runId(), 2, f -> f.addMessage("But briefly."))
                    .result();
            assertThat(Wire.lines(script.requestsOf("lead").get(4)))
                    .endsWith("tool: agent-researcher = Facts.", "user: But briefly.");
            assertThat(fork).hasText("Done: You lead. | Go | But briefly.");
            RunResult next = test.runtime()
                    .fork(old.runId(), 4, f -> f.addMessage("Why?"))
                    .result();
            assertThat(next).finished();
            assertThat(next.steps()).hasSize(5);
            assertThat(Wire.lines(script.requests().getLast())).endsWith("assistant: " + old.text(), "user: Why?");
        }
    }

    @Test
    void aForkOfAForkHasWhatBothWereTold() {
        try (TestRuntime test = builder(script()).build()) {
            RunResult old = test.agent("lead").generate("Go");
            RunResult first = test.runtime()
                    .fork(old.runId(), 1, f -> f.addMessage("First."))
                    .result();
            RunResult second = test.runtime()
                    .fork(first.runId(), 2, f -> f.addMessage("Second."))
                    .result();
            assertThat(second).finished().hasText("Done: You lead. | Go | First. | Second.");
            assertThat(second.forkedFrom()).contains(new ForkOrigin(first.runId(), 2, List.of()));
            assertThat(second).hasTotalUsage(Usage.of(20, 10));
            assertThat(test.runtime().fork(first.runId(), 1, f -> {}).result()).hasText("Done: You lead. | Go");
        }
    }

    @Test
    void aForkKeepsTheOptionsOfTheOldRunUnlessTheyAreChanged() {
        RequestContext.Key<String> user = RequestContext.Key.of("user", String.class);
        Script script = script();
        try (TestRuntime test = builder(script).build()) {
            RunResult old = test.agent("lead").generate("Go", o -> o.maxSteps(3)
                    .activeTools("note", "agent-researcher")
                    .requestContext(RequestContext.of(user, "ann"))
                    .metadata("case", "7"));
            assertThat(old).stoppedBecause(new StopReason.MaxStepsReached(3));
            assertThat(test.runtime().fork(old.runId(), 2, f -> {}).result())
                    .stoppedBecause(new StopReason.MaxStepsReached(3));
            RunResult fork = test.runtime()
                    .fork(old.runId(), 3, f -> f.options(o -> o.maxSteps(4)))
                    .result();
            assertThat(fork).finished().hasSteps(4);
            Json started =
                    Json.parse(test.store().read(fork.runId(), 0).getFirst().text());
            assertThat(started.at("/requestContext/user").flatMap(Json::string)).contains("ann");
            assertThat(started.at("/settings/metadata/case").flatMap(Json::string))
                    .contains("7");
            assertThat(started.at("/settings/activeTools/0").flatMap(Json::string))
                    .contains("note");
        }
    }

    @Test
    void anotherAgentGoesOnWithTheConversation() {
        Agent editor = Agent.builder("editor")
                .instructions("You edit.")
                .model("none/none")
                .build();
        Script script = script().on("editor").answers(request -> Steps.said(String.join(" | ", said(request))));
        try (TestRuntime test = builder(script).agents(lead, editor).build()) {
            RunResult old = test.agent("lead").generate("Go");
            RunResult fork = test.runtime()
                    .fork(old.runId(), 2, f -> f.agent(test.agent("editor")))
                    .result();
            assertThat(fork).hasText("You edit. | Go");
            assertThat(fork.path()).hasToString("editor");
            assertThat(fork.forkedFrom()).contains(new ForkOrigin(old.runId(), 2, List.of("agent")));
            assertThat(Wire.lines(script.requestsOf("editor").getFirst())).endsWith("tool: agent-researcher = Facts.");
        }
    }

    @Test
    void aFailedRunCanBeForkedFromAStepThatItFinished() {
        Script script = Scripts.on(
                "lead",
                Turn.calls("note", Map.of("text", "a")),
                Turn.failsWith(new ModelException(ModelException.Kind.AUTHENTICATION, "No.", null)),
                Turn.says("Better"));
        try (TestRuntime test = builder(script).build()) {
            RunId failed = runIdOf(() -> test.agent("lead").generate("Go"));
            assertThat(test.runtime().fork(failed, 1, f -> {}).result())
                    .finished()
                    .hasText("Better")
                    .hasSteps(2);
            assertThat(done).hasSize(1);
        }
    }

    @Test
    void aStepThatWasTheEndNeedsSomethingToGoOnWith() {
        try (TestRuntime test = builder(script()).build()) {
            RunResult old = test.agent("lead").generate("Go");
            refused(
                    "addMessage(\"...\"), or fork after step 0 to 3",
                    () -> test.runtime().fork(old.runId(), 4, f -> {}).result());
            refused("maxSteps is 3", () -> test.runtime()
                    .fork(old.runId(), 3, f -> f.options(o -> o.maxSteps(3)))
                    .result());
        }
    }

    @Test
    void whatCannotBeForkedIsRefusedWithWhatCan() {
        try (TestRuntime test = builder(script()).build()) {
            RunResult old = test.agent("lead").generate("Go", o -> o.stopWhen(step -> false));
            RunId child = old.toolResults().get(1).childRunId().orElseThrow();
            refused(
                    "after step 0 to 4, but not after 5",
                    () -> test.runtime().fork(old.runId(), 5, f -> {}).result());
            refused(
                    "step 0, not -1",
                    () -> test.runtime().fork(old.runId(), -1, f -> {}).result());
            refused(
                    "fork its root run " + old.runId(),
                    () -> test.runtime().fork(child, 0, f -> {}).result());
            refused(
                    "stopWhen",
                    () -> test.runtime().fork(old.runId(), 2, f -> {}).result());
            refused("provider/model", () -> test.runtime()
                    .fork(old.runId(), 2, f -> f.model("gpt"))
                    .result());
            refused("at least one message", () -> test.runtime()
                    .fork(old.runId(), 0, f -> f.withoutHooks().input(List.of()))
                    .result());
            assertThatThrownBy(() ->
                            test.runtime().fork(new RunId("run_x"), 0, f -> {}).result())
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.NOT_FOUND));
            assertThat(test.runtime()
                            .fork(old.runId(), 2, f -> f.options(o -> o.stopWhen(step -> true)))
                            .result())
                    .stoppedBecause(new StopReason.StopConditionMet(0));
            assertThat(test.store().list(RunFilter.ROOTS)).hasSize(2);
        }
    }

    @Test
    void theCopiedStepsAreTheForksOwnWithoutTheRunsBelowThem() {
        try (TestRuntime test = builder(script()).build()) {
            RunResult old = test.agent("lead").generate("Go");
            List<RunEvent> told = new ArrayList<>();
            RunResult fork = test.runtime()
                    .fork(old.runId(), 2, f -> f.withoutHooks().options(o -> o.addListener(told::add)))
                    .result();
            assertThat(fork).finished().hasText(old.text());
            assertThatEvents(told).arePaired().endWithRunFinish();
            assertThat(told.getFirst())
                    .isInstanceOfSatisfying(RunEvent.RunStart.class, start -> assertThat(start.forkedFrom())
                            .isEqualTo(new ForkOrigin(old.runId(), 2, List.of())));
            assertThat(told.getFirst().toJson().text())
                    .contains("\"forkedFrom\":{\"runId\":\"" + old.runId() + "\",\"step\":2}");
            assertThat(told.stream()
                            .filter(event -> event.type().equals("step-start"))
                            .map(RunEvent::step))
                    .containsExactly(1, 2, 3, 4);
            assertThat(told).allSatisfy(event -> assertThat(event.runId())
                    .isEqualTo(told.getFirst().runId()));
            assertThatEvents(told)
                    .contain("delegation-start")
                    .contain("delegation-end")
                    .haveGrowingIds();
            Retold.assertEachRunAlike(
                    told, test.runtime().history(told.getFirst().runId()));
        }
    }
}
