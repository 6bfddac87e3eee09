package dev.chargehand.verify.streams;

import dev.chargehand.Agent;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.error.ModelException;
import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.hook.DelegationVerdict;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.hook.ToolCallDecision;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The facts of real runs that use every feature that is stored in facts. */
final class SampleFacts {

    private static final RequestContext.Key<String> TENANT = RequestContext.Key.of("tenant", String.class);

    private final List<FactEntry> facts = new ArrayList<>();

    /** What the tools take. */
    record Asked(@Nullable String s) {}

    private SampleFacts() {}

    static List<FactEntry> ofRealRuns() {
        SampleFacts sample = new SampleFacts();
        sample.addRun(delegating(), o -> o.thread("t")
                .resource("r")
                .metadata("k", "v")
                .requestContext(RequestContext.of(TENANT, "acme"))
                .beforeToolCall(call ->
                        call.toolName().equals("denied") ? ToolCallDecision.deny("No.") : ToolCallDecision.allow())
                .onDelegationStart(start -> DelegationDecision.proceed()
                        .withPrompt("Other")
                        .withInstructions("Be brief.")
                        .withMaxSteps(2))
                .messageFilter(filtered -> filtered.messages())
                .onDelegationComplete(
                        end -> DelegationVerdict.accept().withFeedback("Good.").withText("T"))
                .onIterationComplete(step ->
                        step.iteration() == 1 ? IterationDecision.proceedWith("Go on.") : IterationDecision.proceed())
                .completion(Completion.all(Scorer.of("long", scored -> new Score(0.5, "Too short.")))
                        .keepScores()));
        sample.addRun(delegating(), o -> o.onDelegationComplete(end -> DelegationVerdict.bail()));
        sample.addRun(
                ScriptedModel.script()
                        .on("boss")
                        .says("Half")
                        .and()
                        .failsWith(new ModelException(ModelException.Kind.PROTOCOL, "Broken.", null)),
                o -> {});
        sample.addRun(
                ScriptedModel.script()
                        .on("boss")
                        .calls("look", "{\"a\":1}")
                        .then()
                        .says("x"),
                o -> o.maxSteps(1));
        sample.facts.addAll(SampleWorkflowFacts.ofRealRuns());
        return sample.facts;
    }

    private static Script delegating() {
        return ScriptedModel.script()
                .on("boss")
                .reasons("Hm")
                .and()
                .delegates("helper", "Help")
                .and()
                .calls("look", "{\"a\":[1,{\"b\":null}],\"s\":\"\\u00fc\"}")
                .and()
                .calls("denied", "{}")
                .and()
                .callsRaw("fails", "{broken")
                .then()
                .says("Done")
                .then()
                .says("Done again")
                .then()
                .says("Done a third time")
                .on("helper")
                .calls("look", "{}")
                .then()
                .says("Found");
    }

    private void addRun(Script script, Consumer<RunOptions.Builder> options) {
        Tool look = tool("look");
        Agent helper = Agent.builder("helper")
                .description("Helps.")
                .model("a/b")
                .tools(look)
                .build();
        Agent boss = Agent.builder("boss")
                .model("a/b")
                .tools(look, tool("denied"), tool("fails"))
                .agents(helper)
                .build();
        try (TestRuntime runtime = TestRuntime.with(script)) {
            RunId run = run(runtime.bind(boss), options).runId();
            for (RunRecord each : runtime.store().list(RunFilter.ROOTS.tree(run))) {
                facts.addAll(runtime.store().read(each.runId(), 0));
            }
        }
    }

    private static RunResult run(Agent agent, Consumer<RunOptions.Builder> options) {
        try {
            return agent.generate("Do it", options.andThen(o -> o.maxSteps(4)));
        } catch (RunFailedException e) {
            return e.result();
        }
    }

    private static Tool tool(String name) {
        return Tool.of(name, "Is " + name + ".", Asked.class, (in, context) -> List.of("seen", 1));
    }
}
