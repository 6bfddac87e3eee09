package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.event.RunEvent;
import dev.chargehand.hook.StepPlan;
import dev.chargehand.hook.ToolCallDecision;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.processor.InputProcessor;
import dev.chargehand.processor.InputStepProcessor;
import dev.chargehand.processor.OutputStepProcessor;
import dev.chargehand.processor.OutputStreamProcessor;
import dev.chargehand.processor.Processed;
import dev.chargehand.run.RunId;
import dev.chargehand.spi.CallInfo;
import dev.chargehand.spi.CallInfo.Kind;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** An instrumentation surrounds every run and every call, and its span is current where the call is executed. */
class InstrumentationTest {

    private final Spans spans = new Spans();
    private final Set<String> seen = ConcurrentHashMap.newKeySet();

    private void note(String where) {
        seen.add(where + " in " + Spans.current());
    }

    private <T> T noted(String where, T value) {
        note(where);
        return value;
    }

    private TestRuntime playing(Script script, Agent... agents) {
        return TestRuntime.builder(script)
                .agents(agents)
                .unrecorded()
                .addInstrumentation(spans)
                .build();
    }

    private Agent worker() {
        return Agent.builder("worker")
                .description("Works.")
                .model("none/none")
                .tools(Steps.tool("look", (in, context) -> noted("tool", "seen")))
                .build();
    }

    private Agent supervisor() {
        return Agent.builder("supervisor")
                .instructionsFrom(context -> noted("instructions", "You supervise."))
                .model("none/none")
                .agents(worker())
                .build();
    }

    /** The supervisor delegates to the worker, who uses its tool. */
    private Script script() {
        return Scripts.of(
                Turns.of(
                        "supervisor",
                        Turn.does(() -> note("model of supervisor")).and(Turn.delegates("worker", "P")),
                        Turn.says("Done")),
                Turns.of(
                        "worker",
                        Turn.does(() -> note("model of worker")).and(Turn.calls("look", "{}")),
                        Turn.says("Fact")),
                Turns.of("judge", Turn.says("yes")));
    }

    private Scorer judge() {
        return Scorer.of(
                "judge",
                answer -> noted("scorer", answer)
                                .ask(ModelChoice.of("scripted/judge"), List.of(Message.user("Good?")))
                                .text()
                                .equals("yes")
                        ? Score.pass()
                        : Score.fail("no"));
    }

    private void watched(RunOptions.Builder options) {
        options.prepareStep(step -> noted("prepareStep", StepPlan.unchanged()))
                .beforeToolCall(call -> noted("beforeToolCall", ToolCallDecision.allow()))
                .onDelegationComplete(delegation -> noted("onDelegationComplete", delegation.accept()))
                .stopWhen(step -> noted("stopWhen", false))
                .completion(Completion.all(judge(), Scorer.of("other", answer -> noted("scorer", Score.pass()))))
                .inputProcessors(
                        InputProcessor.of("first", (context, messages) -> noted("input", Processed.unchanged())),
                        InputStepProcessor.of("each", (context, messages) -> noted("step", Processed.unchanged())))
                .outputProcessors(
                        OutputStreamProcessor.of("parts", context -> delta -> noted("stream", Processed.unchanged())),
                        OutputStepProcessor.of("whole", (context, answer) -> noted("answer", Processed.unchanged())))
                .onFinish(result -> note("onFinish"))
                .addListener(event -> {
                    if (event instanceof RunEvent.DelegationStart || event instanceof RunEvent.RunFinish) {
                        note("listener");
                    }
                });
    }

    @Test
    void theSpanOfACallIsCurrentWhereTheCallIsExecuted() {
        try (TestRuntime test = playing(script(), supervisor())) {
            assertThat(test.agent("supervisor").generate("Go", this::watched).text())
                    .isEqualTo("Done");
            assertThat(Spans.current()).isEqualTo("none");
        }
        assertThat(seen)
                .containsExactlyInAnyOrder(
                        "instructions in DEFINITION supervisor",
                        "model of supervisor in MODEL scripted/supervisor",
                        "model of worker in MODEL scripted/worker",
                        "tool in TOOL look",
                        "prepareStep in HOOK prepareStep",
                        "beforeToolCall in HOOK beforeToolCall",
                        "onDelegationComplete in HOOK onDelegationComplete",
                        "stopWhen in HOOK stopWhen[0]",
                        "scorer in SCORER judge",
                        "scorer in SCORER other",
                        "input in PROCESSOR first processInput",
                        "step in PROCESSOR each processInputStep",
                        "stream in PROCESSOR parts processOutputStream",
                        "answer in PROCESSOR whole processOutputStep",
                        "onFinish in HOOK onFinish",
                        "listener in LISTENER delegation-start",
                        "listener in LISTENER run-finish");
        spans.assertClean();
    }

    @Test
    void aCallIsStartedInTheRunOrTheCallThatMakesIt() {
        try (TestRuntime test = playing(script(), supervisor())) {
            test.agent("supervisor").generate("Go", o -> o.prepareStep(step -> StepPlan.unchanged())
                    .completion(Completion.all(judge())));
        }
        assertThat(spans.tree(
                        Kind.RUN, Kind.MODEL, Kind.TOOL, Kind.DELEGATION, Kind.SCORER, Kind.HOOK, Kind.DEFINITION))
                .isEqualTo("""
                        RUN supervisor
                          DEFINITION supervisor
                          HOOK prepareStep
                          MODEL scripted/supervisor
                          DELEGATION agent-worker
                            RUN worker
                              MODEL scripted/worker
                              TOOL look
                              MODEL scripted/worker
                          HOOK prepareStep
                          MODEL scripted/supervisor
                          SCORER judge
                            MODEL scripted/judge
                        """);
        spans.assertClean();
    }

    @Test
    void callsOfOneStepAreStartedInTheirRun() {
        Turn asking = Turn.calls("look", "{\"n\":1}").and(Turn.calls("look", "{\"n\":2}"));
        try (TestRuntime test = playing(Scripts.on("worker", asking, Turn.says("Done")), worker())) {
            test.agent("worker")
                    .generate(
                            "Go",
                            o -> o.completion(Completion.all(
                                    Scorer.of("one", answer -> Score.pass()),
                                    Scorer.of("two", answer -> Score.pass()))));
        }
        assertThat(spans.tree(Kind.RUN, Kind.TOOL).lines()).containsExactly("RUN worker", "  TOOL look", "  TOOL look");
        assertThat(spans.tree(Kind.RUN, Kind.SCORER).lines())
                .containsExactlyInAnyOrder("RUN worker", "  SCORER one", "  SCORER two");
        spans.assertClean();
    }

    @Test
    void aCallIsDescribedByItsRunItsStepAndItsCallId() {
        RunResult result;
        try (TestRuntime test = playing(script(), supervisor())) {
            result = test.agent("supervisor").generate("Go", o -> o.thread("t1"));
        }
        RunId root = result.runId();
        CallInfo run = spans.of(Kind.RUN).getFirst().info();
        assertThat(run.runId()).contains(root);
        assertThat(run.rootRunId()).contains(root);
        assertThat(run.agentId()).contains("supervisor");
        assertThat(run.threadId()).contains("t1");
        assertThat(run.step()).isEmpty();

        CallInfo delegation = spans.of(Kind.DELEGATION).getFirst().info();
        assertThat(delegation.runId()).contains(root);
        assertThat(delegation.step()).hasValue(1);
        assertThat(delegation.callId()).isPresent();

        CallInfo nested = spans.of(Kind.RUN).getLast().info();
        CallInfo tool = spans.of(Kind.TOOL).getFirst().info();
        assertThat(nested.rootRunId()).contains(root);
        assertThat(nested.agentPath().map(Object::toString)).contains("supervisor/worker");
        assertThat(tool.runId()).isEqualTo(nested.runId()).isNotEqualTo(run.runId());
        assertThat(tool.agentPath()).isEqualTo(nested.agentPath());
        assertThat(tool.agentId()).contains("worker");
        assertThat(tool.callId()).isPresent();
        assertThat(tool.attempt()).isEmpty();

        CallInfo model = spans.of(Kind.MODEL).getLast().info();
        assertThat(model.step()).hasValue(2);
        assertThat(model.attempt()).hasValue(1);
        assertThat(model.callId()).isEmpty();
    }

    @Test
    void theCallersSpanIsTheParentOfItsRun() {
        try (TestRuntime test = playing(Scripts.drafts("worker", "Done"), worker())) {
            var outer = spans.begin(CallInfo.builder(Kind.TOOL, "caller").build());
            try (var ignored = outer.open()) {
                test.agent("worker").generate("Go");
            }
            outer.end(dev.chargehand.spi.Outcome.succeeded());
        }
        assertThat(spans.tree(Kind.TOOL, Kind.RUN).lines()).containsExactly("TOOL caller", "  RUN worker");
        spans.assertClean();
    }
}
