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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The agents of a case, one inside the other, and what their models answer. */
final class NestedAgents {

    private static final int TOKENS = 20;

    private final CancelCase cancel;
    private final DeafCode deaf;

    NestedAgents(CancelCase cancel, DeafCode deaf) {
        this.cancel = cancel;
        this.deaf = deaf;
    }

    /** What the tools take. */
    record Nothing() {}

    Agent outermost() {
        Agent inner = innermost();
        for (int level = cancel.depth() - 1; level >= 1; level--) {
            inner = agent(level)
                    .agents(inner)
                    .tools(tool("aside", deaf::beDeafAside))
                    .build();
        }
        return inner;
    }

    private Agent innermost() {
        return agent(cancel.depth())
                .tools(tool("deaf", deaf::beDeaf), tool("quick", () -> {}))
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
            return decision("agent", "l2", "P");
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
        if (level < cancel.depth()) {
            List<FunctionCall> calls = new ArrayList<>();
            calls.add(Reply.call("d", "agent-l" + (level + 1), "{\"prompt\":\"P\"}"));
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
