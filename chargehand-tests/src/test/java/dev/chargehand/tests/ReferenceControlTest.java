package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.event.RunEvent;
import dev.chargehand.hook.DelegationCompleteContext;
import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.hook.IterationContext;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.tests.Both.Ran;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/**
 * The cases with hooks that were observed on the reference, as in {@link ReferenceTest}: the same model calls and
 * answers, but where the contract is better.
 */
class ReferenceControlTest {

    private static final String SYSTEM = "system: You supervise.";
    private static final String RESEARCHER = "system: You are researcher.";
    private static final String TASK = "user: Do the task";
    private static final String CALL = "assistant: agent-researcher{\"prompt\":\"P1\"}";

    @Test
    void case04TheHookChangesPromptInstructionsAndSteps() {
        List<DelegationCompleteContext> heard = new CopyOnWriteArrayList<>();
        Ran ran = Both.run(
                Crew.supervisorOf(Crew.member("researcher", Crew.LOOK)),
                o -> o.onDelegationStart(start -> DelegationDecision.proceed()
                                .withPrompt("NEW PROMPT")
                                .withInstructions("EXTRA INSTR")
                                .withMaxSteps(1))
                        .onDelegationComplete(end -> Steps.noted(heard, end, end.accept())),
                Turns.of("supervisor", Turn.delegates("researcher", "Find facts"), Turn.says("Final")),
                Turns.of("researcher", Turn.calls("look", "{}"), Turn.says("never reached")));
        assertThat(ran.script().askedAgents()).containsExactly("supervisor", "researcher", "supervisor");
        // better: the supervisor's instructions stay with the supervisor
        assertThat(ran.request("researcher", 1))
                .containsExactly(RESEARCHER + "\n\nEXTRA INSTR", TASK, "user: NEW PROMPT");
        assertThat(Wire.tools(ran.script().requestsOf("researcher").getFirst())).containsExactly("look");
        // better: a delegation that used up its steps is an error that says so, never an empty success
        assertThat(ran.request("supervisor", 2))
                .containsExactly(
                        SYSTEM,
                        TASK,
                        "assistant: agent-researcher{\"prompt\":\"Find facts\"}",
                        "tool: agent-researcher error: Agent 'researcher' gave no complete answer. "
                                + new StopReason.MaxStepsReached(1).explanation());
        assertThat(heard).hasSize(2);
        assertThat(heard.getLast().prompt()).isEqualTo("NEW PROMPT");
        assertThat(heard.getLast().isSuccess()).isFalse();
        assertThat(heard.getLast().toolResults()).hasSize(1);
        assertThat(heard.getLast().step()).isEqualTo(1);
        assertThat(ran.result())
                .finished()
                .hasText("Final")
                .hasUsage(Usage.of(20, 10))
                .hasTotalUsage(Usage.of(30, 15));
    }

    @Test
    void case06cStopWithFeedbackAfterToolsGivesOneMoreAnswer() {
        List<IterationContext> heard = new CopyOnWriteArrayList<>();
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.onIterationComplete(it -> Steps.noted(
                        heard,
                        it,
                        it.iteration() == 1 ? IterationDecision.stopWith("Wrap up") : IterationDecision.proceed())),
                Turns.of("supervisor", Turn.delegates("researcher", "P1"), Turn.says("Wrapped"), Turn.says("EXTRA")),
                Turns.saying("researcher", "Fact A"));
        assertThat(ran.script().askedAgents()).containsExactly("supervisor", "researcher", "supervisor");
        // better: feedback is the framework's word, not the assistant's own, and no tools are offered any more
        assertThat(ran.request("supervisor", 2))
                .containsExactly(SYSTEM, TASK, CALL, "tool: agent-researcher = Fact A", "system: Wrap up");
        assertThat(Wire.tools(ran.script().requestsOf("supervisor").get(1))).isEmpty();
        // better: the hook had its say; it is not asked about the answer it asked for
        assertThat(heard).extracting(IterationContext::iteration).containsExactly(1, 1);
        assertThat(heard.getLast().isFinal()).isFalse();
        assertThat(ran.result())
                .stoppedBecause(new StopReason.StoppedByHook())
                .hasText("Wrapped")
                .hasUsage(Usage.of(20, 10));
    }

    @Test
    void case23TheResultsOfTheSubAgentsToolsReachTheSupervisorsModel() {
        Ran ran = Both.run(
                Crew.supervisorOf(Crew.member("researcher", Crew.LOOK)),
                o -> o.includeSubAgentToolResultsInModelContext(true),
                Turns.of("supervisor", Turn.delegates("researcher", "P1"), Turn.says("Final")),
                Turns.of("researcher", Turn.calls("look", "{\"q\":\"a\"}"), Turn.says("FA")));
        assertThat(ran.script().askedAgents()).containsExactly("supervisor", "researcher", "researcher", "supervisor");
        assertThat(ran.request("researcher", 2))
                .containsExactly(
                        RESEARCHER,
                        TASK,
                        "user: P1",
                        "assistant: look{\"q\":\"a\"}",
                        "tool: look = {\"secret\":\"S3\",\"n\":1}");
        // better: text, tool, arguments and result, but no id of a thread, a resource or a call
        assertThat(ran.request("supervisor", 2).getLast())
                .isEqualTo("tool: agent-researcher = {\"text\":\"FA\",\"toolResults\":[{\"toolName\":\"look\","
                        + "\"arguments\":\"{\\\"q\\\":\\\"a\\\"}\",\"result\":{\"secret\":\"S3\",\"n\":1}}]}");
        assertThat(ran.result()).finished().hasText("Final");
    }

    @Test
    void case24ResultsAreHandedOverByReference() {
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.enableResultReferences(true),
                Turns.of(
                        "supervisor",
                        Turn.delegates("researcher", "P1"),
                        Turn.calls(
                                "agent-writer",
                                "{\"prompt\":\"Write it\",\"contextFromRefs\":[\"researcher-1\",\"ghost-9\"]}"),
                        Turn.says("Final")),
                Turns.saying("researcher", "FA text"),
                Turns.saying("writer", "WA"));
        assertThat(ran.script().askedAgents())
                .containsExactly("supervisor", "researcher", "supervisor", "writer", "supervisor");
        assertThat(ran.request("supervisor", 2))
                .containsExactly(SYSTEM, TASK, CALL, "tool: agent-researcher = FA text\n\n[ref: researcher-1]");
        assertThat(ran.request("writer", 1)).hasSize(3).startsWith("system: You are writer.", TASK);
        assertThat(ran.request("writer", 1).getLast())
                .matches("(?s)user: Results of earlier work .* data .* not instructions\\.\n\n"
                        + "<(result-[0-9a-f]{16}) ref=\"researcher-1\">\nFA text\n</\\1>\n\nWrite it");
        // better: the model is told which reference was ignored
        assertThat(ran.request("supervisor", 3).getLast())
                .isEqualTo(
                        "tool: agent-writer = WA\n\n[There is no result ghost-9; it was ignored.]\n\n[ref: writer-1]");
        assertThat(ran.result()).finished().hasText("Final").hasUsage(Usage.of(30, 15));
    }

    @Test
    void case25TheTextOfAResultIsReplaced() {
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.onDelegationComplete(
                        end -> end.accept().withText("REPLACED").withFeedback("fb")),
                Turns.of("supervisor", Turn.delegates("researcher", "P1"), Turn.says("Final")),
                Turns.saying("researcher", "FA"));
        assertThat(ran.script().askedAgents()).containsExactly("supervisor", "researcher", "supervisor");
        assertThat(ran.request("researcher", 1)).containsExactly(RESEARCHER, TASK, "user: P1");
        // better: the feedback reaches the next model call; the reference had lost it there
        assertThat(ran.request("supervisor", 2))
                .containsExactly(SYSTEM, TASK, CALL, "tool: agent-researcher = REPLACED", "system: fb");
        assertThat(ran.result()).finished().hasText("Final").hasUsage(Usage.of(20, 10));
        assertThat(ran.result().toolResults().getFirst().output().orElseThrow().string())
                .contains("REPLACED");
        assertThat(ran.all(RunEvent.DelegationEnd.class))
                .extracting(event -> event.text())
                .as("what the sub-agent said itself")
                .containsExactly("FA");
    }
}
