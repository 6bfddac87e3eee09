package dev.chargehand.tests.gate;

import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.event.RunEvent;
import dev.chargehand.hook.DelegationVerdict;
import dev.chargehand.hook.IterationContext;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.memory.Scope;
import dev.chargehand.memory.WorkingMemory;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.run.Limit;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tests.Scripts;
import dev.chargehand.tests.gate.Combination.Finish;
import dev.chargehand.tests.gate.Combination.Parked;
import dev.chargehand.tests.gate.Combination.Predicate;
import dev.chargehand.tests.gate.Combination.Says;
import dev.chargehand.tests.gate.Combination.Scorers;
import dev.chargehand.tests.gate.Combination.Spent;
import dev.chargehand.tool.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Consumer;

/** Plays one combination to the product, and says what came of it. */
final class Played {

    private static final int TOKENS_OF_AN_ANSWER = 15;
    private static final String HOOK_FEEDBACK = "The hook wants more.";

    private static final Tool OK = Tool.builder("ok", "Is fine.")
            .input(JsonSchema.of(Json.parse("{\"type\":\"object\"}")))
            .handler((in, ctx) -> Map.of("fine", true))
            .build();
    private static final Tool GATED = Tool.builder("gated", "Needs a human.")
            .input(JsonSchema.of(Json.parse("{\"type\":\"object\"}")))
            .requiresApproval()
            .handler((in, ctx) -> Map.of("fine", true))
            .build();
    private static final Agent CHILD =
            Agent.builder("child").description("Helps.").model("none/none").build();
    private static final Agent BOSS = Agent.builder("boss")
            .model("none/none")
            .agents(CHILD)
            .tools(OK, GATED)
            .memory(memory ->
                    memory.workingMemory(WorkingMemory.template("Notes:").scope(Scope.THREAD)))
            .build();

    private final Combination c;
    private final Set<String> asked = new ConcurrentSkipListSet<>();
    private final Set<String> askedAfter = new ConcurrentSkipListSet<>();

    private Played(Combination c) {
        this.c = c;
    }

    /** Plays a combination, and lets its events be looked at if it is streamed. */
    static Verdict of(Combination c, boolean streamed) {
        return new Played(c).play(streamed);
    }

    private Verdict play(boolean streamed) {
        Script script = script();
        try (TestRuntime test = TestRuntime.builder(script).unrecorded().build()) {
            Agent boss = test.bind(BOSS);
            Consumer<RunId> cancel = test.runtime()::cancel;
            RunResult result = streamed ? watch(boss, cancel) : boss.generate("Do the task", o -> options(o, cancel));
            boolean waited = result.status() == RunStatus.SUSPENDED && asked.isEmpty();
            if (waited) {
                result = answered(test.runtime(), result.pendingApprovals().getFirst(), streamed);
            }
            List<ModelRequest> requests = script.requestsOf("boss");
            ModelRequest after = requests.size() > c.step() ? requests.getLast() : null;
            return new Verdict(
                    waited,
                    result.stopReason().code(),
                    result.text(),
                    requests.size(),
                    asked,
                    askedAfter,
                    after == null ? Set.of() : feedback(after),
                    after != null && !after.tools().isEmpty());
        }
    }

    private RunResult watch(Agent boss, Consumer<RunId> cancel) {
        List<RunEvent> events = new ArrayList<>();
        try (RunStream run = boss.stream("Do the task", o -> options(o, cancel))) {
            run.forEach(events::add);
            RunResult result = run.result();
            if (result.status() == RunStatus.SUSPENDED) {
                assertThatEvents(events).arePaired().endWithRunSuspend();
            } else {
                assertThatEvents(events).arePaired().endWithRunFinish();
            }
            return result;
        }
    }

    private RunResult answered(AgentRuntime runtime, PendingApproval approval, boolean streamed) {
        Approver ann = Approver.of("ann");
        ApprovalAnswer answer =
                c.parked() == Parked.APPROVED ? ApprovalAnswer.approve(ann) : ApprovalAnswer.decline(ann, "No.");
        if (!streamed) {
            return runtime.answer(approval, answer, o -> {}).result();
        }
        List<RunEvent> events = new ArrayList<>();
        RunResult result = runtime.answer(approval, answer, o -> o.addListener(events::add))
                .result();
        assertThatEvents(events).arePaired().endWithRunFinish();
        return result;
    }

    private Script script() {
        Script script = Scripts.on("boss");
        if (c.step() == 2) {
            script.calls("ok", "{}").then();
        }
        script.says(Verdict.STEP_TEXT);
        if (c.finish() != Finish.STOP_WITH_ANSWER) {
            // what was cut has a call too, which must not count
            script.and()
                    .calls(
                            c.finish() == Finish.ONLY_NOTES ? WorkingMemory.TOOL : "ok",
                            c.finish() == Finish.ONLY_NOTES ? "{\"edits\":[{\"find\":\"\",\"write\":\" x\"}]}" : "{}");
        }
        if (c.parked() != Parked.NOTHING) {
            script.and().calls("gated", "{}");
        }
        if (c.bail()) {
            script.and().delegates("child", "Help");
        }
        script.finishes(
                switch (c.finish()) {
                    case STOP_WITH_ANSWER, STOP_WITH_CALLS -> FinishReason.STOP;
                    case TOOL_CALLS, ONLY_NOTES -> FinishReason.TOOL_CALLS;
                    case LENGTH -> FinishReason.LENGTH;
                    case CONTENT_FILTER -> FinishReason.CONTENT_FILTER;
                    case MISSING -> FinishReason.MISSING;
                });
        return script.then().says(Verdict.TEXT_AFTER).on("child").says(Verdict.CHILD_TEXT);
    }

    private void options(RunOptions.Builder o, Consumer<RunId> cancel) {
        if (c.finish() == Finish.ONLY_NOTES) {
            o.thread("notes");
        }
        if (c.bail()) {
            o.onDelegationComplete(d -> DelegationVerdict.bail());
        }
        if (c.hook() != Says.NO_HOOK) {
            o.onIterationComplete(it -> decide(it, cancel));
        }
        if (c.scorers() != Scorers.NONE) {
            Completion completion = Completion.all(scorer())
                    .continueOnFail(c.scorers() != Scorers.FAIL_AND_END)
                    .feedbackToLLM(c.scorers() != Scorers.FAIL_AND_GO_ON_WITHOUT_FEEDBACK);
            o.completion(c.everyStep() ? completion.everyStep() : completion);
        }
        if (c.stopWhen() != Predicate.NONE) {
            o.stopWhen(step -> isAsked(Verdict.STOP_WHEN, step.step()) && stops());
        }
        if (c.limit() == Spent.MAX_STEPS) {
            o.maxSteps(c.step());
        } else if (c.limit() == Spent.TOKENS) {
            o.budget(b -> b.tokens(TOKENS_OF_AN_ANSWER * (c.bail() ? 2L : 1L)));
        } else if (c.limit() == Spent.IDENTICAL_CALLS) {
            o.limit(Limit.IDENTICAL_CALLS, 2);
        }
    }

    /** Takes down who is asked; tells whether it is at the gate that is looked at. */
    private boolean isAsked(String who, int step) {
        if (step == c.step()) {
            asked.add(who);
        } else if (step > c.step()) {
            askedAfter.add(who);
        }
        return step == c.step();
    }

    private IterationDecision decide(IterationContext it, Consumer<RunId> cancel) {
        if (!isAsked(Verdict.HOOK, it.iteration())) {
            return IterationDecision.proceed();
        }
        if (c.cancelInHook()) {
            cancel.accept(it.run().runId());
        }
        return switch (c.hook()) {
            case NO_HOOK -> throw new AssertionError("There is no hook.");
            case PROCEED -> IterationDecision.proceed();
            case PROCEED_WITH_FEEDBACK -> IterationDecision.proceedWith(HOOK_FEEDBACK);
            case STOP -> IterationDecision.stop();
            case STOP_WITH_FEEDBACK -> IterationDecision.stopWith(HOOK_FEEDBACK);
            case THROWS -> throw new IllegalStateException("The hook broke.");
        };
    }

    private Scorer scorer() {
        return Scorer.of("citations", context -> {
            if (!isAsked(Verdict.SCORER, context.step()) || c.scorers() == Scorers.PASS) {
                return Score.pass();
            }
            if (c.scorers() == Scorers.THROW) {
                throw new IllegalStateException("No citations.");
            }
            return Score.fail("No citations.");
        });
    }

    private boolean stops() {
        if (c.stopWhen() == Predicate.THROWS) {
            throw new IllegalStateException("The predicate broke.");
        }
        return c.stopWhen() == Predicate.TRUE;
    }

    /** What was said behind the user's back: the agent has no instructions, so that every system message is feedback. */
    private static Set<String> feedback(ModelRequest request) {
        Set<String> feedback = new TreeSet<>();
        for (Message message : request.messages()) {
            if (message.role() == Role.SYSTEM && message.internal()) {
                feedback.add(kind(message.text()));
            }
        }
        return feedback;
    }

    private static String kind(String text) {
        if (text.equals(HOOK_FEEDBACK)) {
            return Verdict.HOOK;
        }
        boolean says = text.contains("No citations.") || text.contains("the scorer failed (error ");
        return text.contains("citations") && says ? Verdict.SCORER : text;
    }
}
