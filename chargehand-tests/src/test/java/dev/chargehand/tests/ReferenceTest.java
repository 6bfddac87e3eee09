package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.hook.StepPlan;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tests.Both.Ran;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The cases that were observed on the reference: the same model calls and answers, but where the contract is better. */
class ReferenceTest {

    private static final String SYSTEM = "system: You supervise.";
    private static final String TASK = "user: Do the task";

    @Test
    void case01OneDelegationThenTheAnswer() {
        Ran ran = Both.run(
                Crew.supervisor(),
                Turns.of("supervisor", Turn.delegates("researcher", "Find facts"), Turn.says("Final answer")),
                Turns.saying("researcher", "Fact A"));
        assertThat(ran.script().askedAgents()).containsExactly("supervisor", "researcher", "supervisor");
        assertThat(ran.request("supervisor", 1)).containsExactly(SYSTEM, TASK);
        // better: the supervisor's instructions stay with the supervisor
        assertThat(ran.request("researcher", 1))
                .containsExactly("system: You are researcher.", TASK, "user: Find facts");
        assertThat(ran.request("supervisor", 2))
                .containsExactly(
                        SYSTEM,
                        TASK,
                        "assistant: agent-researcher{\"prompt\":\"Find facts\"}",
                        "tool: agent-researcher = Fact A");
        assertThat(ran.script().requestsOf("supervisor")).allSatisfy(request -> {
            assertThat(Wire.tools(request)).containsExactly("agent-researcher", "agent-writer");
            assertThat(request.toolChoice()).isEqualTo(ToolChoice.auto());
        });
        assertThat(ran.script().requestsOf("researcher"))
                .allSatisfy(request -> assertThat(request.tools()).isEmpty());
        assertThat(ran.result())
                .finished()
                .hasText("Final answer")
                .delegatedTo("researcher", "Find facts")
                .hasUsage(Usage.of(20, 10))
                .hasTotalUsage(Usage.of(30, 15))
                .hasSteps(2);
        assertThat(ran.result().toolResults().getFirst().output().orElseThrow().string())
                .contains("Fact A");
    }

    @Test
    void case02TwoDelegationsRunAtOnceAndTheirResultsStandInCallOrder() {
        Ran ran = Both.run(Crew.supervisor(), () -> {
            CountDownLatch writerAsked = new CountDownLatch(1);
            return Scripts.of(
                    Turns.of(
                            "supervisor",
                            Turn.delegates("researcher", "P1").and(Turn.delegates("writer", "P2")),
                            Turn.says("Both done")),
                    Turns.of("researcher", Turn.waitsFor(writerAsked).and(Turn.says("Fact A"))),
                    Turns.of("writer", Turn.does(writerAsked::countDown).and(Turn.says("Draft B"))));
        });
        assertThat(ran.request("researcher", 1)).containsExactly("system: You are researcher.", TASK, "user: P1");
        assertThat(ran.request("writer", 1)).containsExactly("system: You are writer.", TASK, "user: P2");
        assertThat(ran.request("supervisor", 2))
                .containsExactly(
                        SYSTEM,
                        TASK,
                        "assistant: agent-researcher{\"prompt\":\"P1\"} agent-writer{\"prompt\":\"P2\"}",
                        "tool: agent-researcher = Fact A agent-writer = Draft B");
        assertThat(ran.result()).finished().hasText("Both done").hasTotalUsage(Usage.of(40, 20));
    }

    @Test
    void case02bARegularToolAndASubAgentRunInOneStep() {
        Ran ran = Both.run(
                Crew.supervisor(Crew.CALC),
                Turns.of(
                        "supervisor",
                        Turn.calls("calc", "{\"a\":1,\"b\":2}").and(Turn.delegates("writer", "P2")),
                        Turn.says("ok")),
                Turns.saying("writer", "Draft B"));
        assertThat(Wire.tools(ran.script().requests().getFirst()))
                .containsExactly("agent-researcher", "agent-writer", "calc");
        assertThat(ran.request("supervisor", 2))
                .endsWith(
                        "assistant: calc{\"a\":1,\"b\":2} agent-writer{\"prompt\":\"P2\"}",
                        "tool: calc = {\"sum\":3} agent-writer = Draft B");
        assertThat(ran.result()).finished().hasText("ok");
        assertThatEvents(ran.events()).areInOrder("delegation-start", "delegation-end");
        assertThat(ran.events().stream().filter(event -> event.type().equals("delegation-start")))
                .hasSize(1);
    }

    @Test
    void case08MaxStepsEndARunWhoseModelKeepsCalling() {
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.maxSteps(2),
                Turns.of(
                        "supervisor",
                        Turn.delegates("researcher", "P1"),
                        Turn.says("again ").and(Turn.delegates("researcher", "P2"))),
                Turns.saying("researcher", "FA", "FB"));
        ran.script().assertExhausted();
        assertThat(ran.script().askedAgents()).containsExactly("supervisor", "researcher", "supervisor", "researcher");
        assertThat(ran.request("researcher", 2)).containsExactly("system: You are researcher.", TASK, "user: P2");
        assertThat(ran.result())
                .hasStatus(RunStatus.INCOMPLETE)
                .stoppedBecause(new StopReason.MaxStepsReached(2))
                .hasText("again ")
                .hasUsage(Usage.of(20, 10));
    }

    @Test
    void case10AToolThatThrowsIsAnErrorResult() {
        Ran ran = Both.run(Crew.supervisor(Crew.BOOM), Turn.calls("boom", "{\"n\":1}"), Turn.says("recovered"));
        // better: what an exception says stays in logs and events
        assertThat(ran.request("supervisor", 2))
                .endsWith("assistant: boom{\"n\":1}", "tool: boom error: Tool 'boom' failed (error err_1).");
        assertThat(ran.result()).finished().hasText("recovered");
    }

    @Test
    void case10cTheSiblingOfAToolThatThrowsKeepsItsResult() {
        Ran ran = Both.run(
                Crew.supervisor(Crew.BOOM, Crew.OK),
                Turn.calls("boom", "{\"n\":1}").and(Turn.calls("ok", "{}")),
                Turn.says("recovered"));
        assertThat(ran.request("supervisor", 2))
                .endsWith(
                        "assistant: boom{\"n\":1} ok{}",
                        "tool: boom error: Tool 'boom' failed (error err_1). ok = {\"fine\":true}");
        assertThat(ran.result()).finished().hasText("recovered");
    }

    @Test
    void case11AnUnknownToolIsAnErrorResultThatListsTheToolsThereAre() {
        Ran ran = Both.run(Crew.supervisor(), Turn.calls("nonexistent", "{}"), Turn.says("recovered"));
        assertThat(ran.request("supervisor", 2))
                .endsWith(
                        "assistant: nonexistent{}",
                        "tool: nonexistent error: There is no tool 'nonexistent'. Available tools: agent-researcher,"
                                + " agent-writer.");
        assertThat(ran.result()).finished().hasText("recovered");
    }

    @Test
    void case12bArgumentsThatBreakTheSchemaAreNotExecuted() {
        Ran ran = Both.run(Crew.supervisor(Crew.BOOM), Turn.calls("boom", "{\"n\":\"abc\"}"), Turn.says("recovered"));
        assertThat(ran.request("supervisor", 2).getLast())
                .startsWith("tool: boom error: The arguments of 'boom' are not valid: ")
                .contains("/n")
                .contains("integer");
        assertThat(ran.result()).finished().hasText("recovered").toolFailed("boom", "not executed");
    }

    @Test
    void case20EachDelegationHasAThreadOfItsOwn() {
        Script script = Scripts.of(
                Turns.of(
                        "supervisor",
                        Turn.says("I will ask. ").and(Turn.delegates("researcher", "P1")),
                        Turn.delegates("researcher", "P2"),
                        Turn.says("Final")),
                Turns.of("researcher", Turn.calls("look", "{\"q\":\"a\"}"), Turn.says("FA"), Turn.says("FB")));
        Agent researcher = Crew.member("researcher", Crew.LOOK);
        try (TestRuntime test = TestRuntime.with(script)) {
            assertThat(test.bind(Crew.supervisorOf(researcher))
                            .generate("Do the task", o -> o.thread("t1").resource("u1")))
                    .finished()
                    .hasText("Final");
            List<ModelRequest> asked = script.requestsOf("researcher");
            assertThat(Wire.lines(asked.get(0))).containsExactly("system: You are researcher.", TASK, "user: P1");
            assertThat(Wire.lines(asked.get(1)))
                    .endsWith("user: P1", "assistant: look{\"q\":\"a\"}", "tool: look = {\"secret\":\"S3\",\"n\":1}");
            // the second delegation hears what was said, but neither tool messages nor the first one's thread
            assertThat(Wire.lines(asked.get(2)))
                    .containsExactly("system: You are researcher.", TASK, "assistant: I will ask. ", "user: P2");
            assertThat(test.thread("t1", "u1").stream().map(Wire::line))
                    .containsExactly(
                            TASK,
                            "assistant: I will ask.  agent-researcher{\"prompt\":\"P1\"}",
                            "tool: agent-researcher = FA",
                            "assistant: agent-researcher{\"prompt\":\"P2\"}",
                            "tool: agent-researcher = FB",
                            "assistant: Final");
            assertThat(ownThreads(test))
                    .containsExactly(
                            List.of(
                                    "user: P1",
                                    "assistant: look{\"q\":\"a\"}",
                                    "tool: look = {\"secret\":\"S3\",\"n\":1}",
                                    "assistant: FA"),
                            List.of("user: P2", "assistant: FB"));
        }
    }

    /** The threads of the delegations, oldest first; each belongs to the resource and the agent's path. */
    private static List<List<String>> ownThreads(TestRuntime test) {
        return test.store().list(RunFilter.ROOTS.tree(test.events().getFirst().runId())).reversed().stream()
                .filter(run -> !run.isRoot())
                .sorted(Comparator.comparing((RunRecord run) -> run.runId().value()))
                .map(run -> {
                    ThreadRecord thread = test.store()
                            .findThread(run.threadId().orElseThrow())
                            .orElseThrow();
                    ThreadOwner owner = new ThreadOwner("u1", "supervisor/researcher");
                    assertThat(thread.owner()).isEqualTo(owner);
                    assertThat(thread.parentRunId()).contains("run_1");
                    assertThat(thread.parentCallId()).isEqualTo(run.parentCallId());
                    return test.store().readThread(run.threadId().orElseThrow(), owner, Long.MAX_VALUE, 100).stream()
                            .map(entry -> Wire.line(Message.fromJson(Json.parse(entry.text()))))
                            .toList();
                })
                .toList();
    }

    @Test
    void case30PrepareStepChangesToolsAndChoiceOfOneStep() {
        Ran ran = Both.run(
                Crew.supervisor(Crew.LOOK),
                o -> o.prepareStep(step -> step.step() == 2
                        ? StepPlan.unchanged().withActiveTools("agent-writer").withToolChoice(ToolChoice.none())
                        : StepPlan.unchanged()),
                Turn.calls("look", Map.of()),
                Turn.says("ok"));
        assertThat(Wire.tools(ran.script().requests().get(0)))
                .containsExactly("agent-researcher", "agent-writer", "look");
        assertThat(ran.script().requests().get(0).toolChoice()).isEqualTo(ToolChoice.auto());
        assertThat(Wire.tools(ran.script().requests().get(1))).isEmpty();
        assertThat(ran.script().requests().get(1).toolChoice()).isEqualTo(ToolChoice.none());
        assertThat(ran.request("supervisor", 2))
                .containsExactly(SYSTEM, TASK, "assistant: look{}", "tool: look = {\"secret\":\"S3\",\"n\":1}");
        assertThat(ran.result()).finished().hasText("ok");
    }

    @Test
    void case31TheAnswerIsTheTextOfTheLastStepOnly() {
        Ran ran = Both.run(
                Crew.supervisor(),
                Turns.of("supervisor", Turn.says("A. ").and(Turn.delegates("researcher", "P1")), Turn.says("B.")),
                Turns.saying("researcher", "FA"));
        // the text of the delegating step itself is not yet part of the conversation that is forwarded
        assertThat(ran.request("researcher", 1)).containsExactly("system: You are researcher.", TASK, "user: P1");
        assertThat(ran.request("supervisor", 2))
                .containsExactly(
                        SYSTEM,
                        TASK,
                        "assistant: A.  agent-researcher{\"prompt\":\"P1\"}",
                        "tool: agent-researcher = FA");
        assertThat(ran.result()).finished().hasText("B.");
        assertThat(ran.result().steps().getFirst().text()).isEqualTo("A. ");
    }
}
