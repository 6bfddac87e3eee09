package dev.chargehand.verify.cancel;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.RunOptions;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.hook.StepPlan;
import dev.chargehand.hook.ToolCallDecision;
import dev.chargehand.json.Json;
import dev.chargehand.processor.OutputResultProcessor;
import dev.chargehand.processor.Processed;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.provider.reply.WireReply;
import dev.chargehand.testkit.provider.request.FunctionCall;
import dev.chargehand.tool.Tool;
import dev.chargehand.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The agents of a case, one inside the other or in workflows between them, and what their models answer. */
final class NestedAgents {

    /** The level of the agent that works as a background task. */
    static final int TASK = 0;

    private static final String INPUT = "{\"prompt\":\"P\"}";
    private static final int TOKENS = 20;

    private final CancelCase cancel;
    private final DeafCode deaf;
    private final NestedWorkflows workflows;

    NestedAgents(CancelCase cancel, DeafCode deaf) {
        this.cancel = cancel;
        this.deaf = deaf;
        this.workflows = new NestedWorkflows(cancel, deaf);
    }

    /** What the tools take. */
    record Nothing() {}

    Agent outermost() {
        Agent inner = innermost();
        for (int level = cancel.depth() - 1; level >= 1; level--) {
            AgentBuilder outer = agent(level).tools(tool("aside", deaf::beDeafAside));
            outer = cancel.link(level + 1) == Link.AGENT
                    ? outer.agents(inner)
                    : outer.workflows(workflows.around(inner, level + 1));
            inner = (level == 1 ? withTask(outer) : outer).build();
        }
        return inner;
    }

    /** Make the workflow whose run is cancelled, if it is one. */
    Workflow<NestedWorkflows.Request, String> workflow() {
        return workflows.around(outermost(), 1);
    }

    private AgentBuilder withTask(AgentBuilder outer) {
        return cancel.task()
                ? outer.addAgent(agent(TASK)
                                .tools(tool("aside", deaf::beDeafAside))
                                .build())
                        .background(b -> b.agents("l" + TASK))
                : outer;
    }

    private Agent innermost() {
        AgentBuilder agent = agent(cancel.depth()).tools(tool("deaf", deaf::beDeaf), tool("quick", () -> {}));
        return (cancel.depth() == 1 ? withTask(agent) : agent)
                .defaultOptions(this::momentIn)
                .build();
    }

    private AgentBuilder agent(int level) {
        return Agent.builder("l" + level).description("Is level " + level + ".").model("loop/" + cancel.model(level));
    }

    private static Tool tool(String name, Runnable work) {
        return Tool.of(name, "Is " + name + ".", Nothing.class, (in, context) -> {
            work.run();
            return "late";
        });
    }

    private void momentIn(RunOptions.Builder options) {
        Consumer<Object> beDeaf = ignored -> deaf.beDeaf();
        options.timeLimit(TimeLimit.HOOK, Duration.ofMinutes(10));
        switch (cancel.moment()) {
            case GUARD ->
                options.beforeToolCall(call -> {
                    deaf.beDeaf();
                    return ToolCallDecision.allow();
                });
            case PREPARE_STEP ->
                options.prepareStep(step -> {
                    deaf.beDeaf();
                    return StepPlan.unchanged();
                });
            case ITERATION_HOOK ->
                options.onIterationComplete(step -> {
                    deaf.beDeaf();
                    return IterationDecision.proceed();
                });
            case STEP_HOOK -> options.onStepFinish(beDeaf::accept);
            case SCORER ->
                options.completion(Completion.all(Scorer.of("deaf", answer -> {
                            deaf.beDeaf();
                            return Score.pass();
                        }))
                        .scorerTimeout(Duration.ofMinutes(10))
                        .timeout(Duration.ofMinutes(10)));
            case PROCESSOR ->
                options.outputProcessors(OutputResultProcessor.of("deaf", (context, text) -> {
                    deaf.beDeaf();
                    return Processed.unchanged();
                }));
            case HEAD, FIRST_TOKEN, MID_STREAM, TOOL -> {}
        }
    }

    /** Return what the model of a level answers. */
    Reply reply(int level) {
        return cancel.network() && level == 1 ? decision() : answer(level);
    }

    private Reply decision() {
        if (cancel.depth() > 1) {
            return switch (cancel.link(2)) {
                case AGENT -> decision("agent", "l2", "P");
                case WORKFLOW -> decision("workflow", "w2", INPUT);
                case NESTED -> decision("workflow", "v2", INPUT);
            };
        }
        return switch (cancel.moment()) {
            case HEAD, FIRST_TOKEN, MID_STREAM -> answer(1);
            case TOOL, GUARD -> decision("tool", "deaf", "{}");
            case STEP_HOOK -> decision("tool", "quick", "{}");
            case PREPARE_STEP, ITERATION_HOOK, SCORER, PROCESSOR -> decision("none", "none", "An answer.");
        };
    }

    private static Reply decision(String type, String id, String prompt) {
        return Reply.text(Json.of(Map.of(
                        "primitiveType", type, "primitiveId", id, "prompt", prompt, "selectionReason", "It is there."))
                .text());
    }

    private Reply answer(int level) {
        if (level == TASK) {
            return Reply.toolCalls(Reply.call("b", "aside", "{}"));
        }
        if (level < cancel.depth()) {
            List<FunctionCall> calls = new ArrayList<>();
            if (level == 1 && cancel.task()) {
                calls.add(Reply.call("b", "agent-l" + TASK, "{\"prompt\":\"P\",\"background\":true}"));
            }
            String to =
                    switch (cancel.link(level + 1)) {
                        case AGENT -> "agent-l";
                        case WORKFLOW -> "workflow-w";
                        case NESTED -> "workflow-v";
                    };
            calls.add(Reply.call("d", to + (level + 1), INPUT));
            if (level == cancel.siblingDepth()) {
                calls.add(Reply.call("a", "aside", "{}"));
            }
            return Reply.toolCalls(calls.toArray(FunctionCall[]::new));
        }
        return switch (cancel.moment()) {
            case HEAD -> {
                deaf.started().countDown();
                yield Reply.silence();
            }
            case FIRST_TOKEN -> Reply.sse().role().signal(deaf.started()).stall();
            case MID_STREAM -> midStream();
            case TOOL, GUARD -> Reply.toolCalls(Reply.call("t", "deaf", "{}"));
            // Not the last step: a run that has ended cannot be cancelled while somebody hears of it.
            case STEP_HOOK -> Reply.toolCalls(Reply.call("q", "quick", "{}"));
            case PREPARE_STEP, ITERATION_HOOK, SCORER, PROCESSOR -> Reply.text("An answer.");
        };
    }

    private WireReply midStream() {
        WireReply reply = Reply.sse().role().text("first ").signal(deaf.started());
        for (int i = 0; i < TOKENS; i++) {
            reply = reply.text("more ").pause(Duration.ofMillis(1));
        }
        return reply.stall();
    }
}
