package dev.chargehand.internal.workflow;

import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.internal.agent.act.ParkedCalls;
import dev.chargehand.internal.agent.delegation.BailArbiter;
import dev.chargehand.internal.call.BoundedCalls;
import dev.chargehand.internal.call.CallSite;
import dev.chargehand.internal.fact.ChildVerdict;
import dev.chargehand.internal.fact.ClosedCalls;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RoundFact;
import dev.chargehand.internal.fact.RoundFact.StepEffects;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.WorkflowState;
import dev.chargehand.internal.state.value.MergePatch;
import dev.chargehand.internal.text.ReadableTime;
import dev.chargehand.internal.text.WellFormed;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.spi.CallInfo;
import dev.chargehand.workflow.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Executes one attempt of a step. */
final class StepExecution {

    private static final Log LOG = Log.of(StepExecution.class);

    /** Of a longer result of a tool only the start is kept with the run. */
    private static final int MOST_CHARACTERS = 8_388_608;

    /** A wait between attempts varies by so much, so that calls which failed together do not come back together. */
    private static final double JITTER = 0.2;

    private final RunScope run;
    private final WorkflowState state;
    private final CallState call;
    private final Step<?, ?> step;
    private final BailArbiter siblings;
    private final Json input;

    StepExecution(RunScope run, WorkflowState state, CallState call, Step<?, ?> step, BailArbiter siblings) {
        this.run = run;
        this.state = state;
        this.call = call;
        this.step = step;
        this.siblings = siblings;
        this.input = Json.parse(call.call().arguments());
    }

    /** Return how the call ended, or that another attempt follows. */
    Fact execute() {
        Optional<String> fault = fault();
        if (fault.isPresent()) {
            return recovered(fault.get(), null);
        }
        if (step.scorer().isEmpty()) {
            return attempt(null);
        }
        try (StepScoring scoring = new StepScoring(run, state, step.scorer().get())) {
            return scoring.charged(attempt(scoring));
        }
    }

    /** Return why the handler is not called, of a step that makes a value of that. */
    Optional<String> fault() {
        Optional<String> refused = StepOpener.refusal(call);
        return refused.isPresent() || !step.recovers() ? refused : StepOpener.misfit(run, step, input);
    }

    private Fact attempt(@Nullable StepScoring scoring) {
        LiveWorkflowContext context = context();
        Duration limit = step.timeout().orElse(run.limit(TimeLimit.TOOL));
        try {
            Json output = called(limit, context, scoring);
            if (context.question().isPresent()) {
                return suspended(context.question().get(), context);
            }
            String wrong = wrongWith(output, context);
            return wrong == null ? ended(output, context) : recovered(wrong, null);
        } catch (BoundedCalls.TimedOutException e) {
            if (scoring != null) {
                scoring.tooLong();
            }
            return failed("Step '" + step.id() + "' took longer than " + ReadableTime.of(limit) + ".", null);
        } catch (BoundedCalls.ThrewException e) {
            return threw(e.thrown());
        } finally {
            context.close();
        }
    }

    /**
     * Return how the call ended whose output is known.
     *
     * @param change a JSON merge patch of the shared state, or null
     */
    Fact given(Json output, @Nullable Json change) {
        LiveWorkflowContext context = context();
        if (change != null) {
            context.updateState(change);
        }
        String wrong = wrongWith(output, context);
        return wrong == null ? ended(output, context) : recovered(wrong, null);
    }

    private LiveWorkflowContext context() {
        return new LiveWorkflowContext(run, state, LiveWorkflowContext.Place.of(state.round(), call), call);
    }

    private Json called(Duration limit, LiveWorkflowContext context, @Nullable StepScoring scoring)
            throws BoundedCalls.TimedOutException, BoundedCalls.ThrewException {
        return run.root().callouts().call(site(), limit, run.cancellation(), () -> {
            Json made = step.call(input, context);
            if (step.tool().isPresent()) {
                return written(
                        step.tool().get().handler().handle(made, new StepToolContext(state.stepNumber(), context)));
            }
            return scoring == null
                    ? made
                    : scoring.result(
                            scoring.scorer().score(scoring.context(made.string().orElse(made.text()))));
        });
    }

    private static Json written(@Nullable Object result) {
        return Json.ofAtMost(result, MOST_CHARACTERS);
    }

    private CallSite site() {
        CallSite site = step.tool()
                .map(tool -> run.call(CallInfo.Kind.TOOL, tool.name()))
                .or(() -> step.scorer().map(scorer -> run.call(CallInfo.Kind.SCORER, scorer.name())))
                .orElseGet(() -> run.call(CallInfo.Kind.STEP, step.id()));
        return site.atStep(state.stepNumber()).executing(call.callId());
    }

    private Fact threw(Throwable thrown) {
        String error = run.root().redactor().sentence(thrown);
        String detail = run.root().redactor().describeWithCauses(thrown);
        LOG.warn("run {} call {}: step {} failed: {}", run.events().runId(), call.callId(), step.id(), detail);
        return thrown instanceof InvalidJsonException ? recovered(error, detail) : failed(error, detail);
    }

    /** An attempt failed: another one follows, or the call has failed. */
    Fact failed(String error, @Nullable String detail) {
        int attempt = call.attempt();
        if (attempt > step.retries()) {
            return recovered(error, detail);
        }
        double spread = 1 - JITTER / 2 + JITTER * run.root().jitter().getAsDouble();
        Duration wait = Duration.ofNanos((long) (step.backoff().delay(attempt).toNanos() * spread));
        Instant now = run.now();
        return new RoundFact.CallRetried(
                call.callId(), attempt, run.root().redactor().redact(WellFormed.text(error)), now.plus(wait), now);
    }

    /** The call has failed, unless the step makes an output of the failure. */
    Fact recovered(String error, @Nullable String detail) {
        LiveWorkflowContext context = context();
        Duration limit = run.limit(TimeLimit.HOOK);
        try {
            Optional<Json> output = run.root()
                    .callouts()
                    .call(
                            run.call(CallInfo.Kind.HOOK, "fallback of " + step.id())
                                    .atStep(state.stepNumber()),
                            limit,
                            run.cancellation(),
                            () -> step.recover(input, error, context));
            if (context.question().isPresent()) {
                return closed(
                        error + " Its fallback asked a question, which only the handler of a step may do; a fallback"
                                + " returns an output.",
                        detail);
            }
            if (output.isEmpty()) {
                return closed(error, detail);
            }
            String wrong = wrongWith(output.get(), context);
            return wrong == null ? ended(output.get(), context) : closed(wrong, detail);
        } catch (BoundedCalls.TimedOutException e) {
            return closed(error + " Its fallback took longer than " + ReadableTime.of(limit) + ".", detail);
        } catch (BoundedCalls.ThrewException e) {
            return closed(
                    error + " Its fallback failed: " + run.root().redactor().sentence(e.thrown()), detail);
        } finally {
            context.close();
        }
    }

    private Fact closed(String error, @Nullable String detail) {
        return ClosedCalls.failed(
                call.callId(), run.root().redactor().redact(WellFormed.text(error)), detail, run.now());
    }

    private @Nullable String wrongWith(Json output, LiveWorkflowContext context) {
        if (context.bailed().isEmpty()) { // else the output is not looked at any more
            List<String> violations = run.validation().violations("output of " + step.id(), step.output(), output);
            if (!violations.isEmpty()) {
                return "The output of step '" + step.id() + "' breaks its schema: " + String.join("; ", violations)
                        + ".";
            }
        }
        return wrongWith(context.patch());
    }

    private @Nullable String wrongWith(@Nullable Json patch) {
        return patch == null
                ? null
                : new StateCheck(run)
                        .wrongWith(
                                MergePatch.applied(state.sharing().seenBy(call.callId()), patch),
                                "step '" + step.id() + "'");
    }

    /** The step asks for data, and has changed the shared state already if it has. */
    private Fact suspended(Json question, LiveWorkflowContext context) {
        List<String> violations = step.question()
                .map(schema -> run.validation().violations("question of " + step.id(), schema, question))
                .orElse(List.of());
        if (!violations.isEmpty()) {
            return recovered(
                    "The question of step '" + step.id() + "' breaks its schema: " + String.join("; ", violations)
                            + ".",
                    null);
        }
        Json patch = context.patch();
        String wrong = wrongWith(patch);
        Json answer = step.answer().map(JsonSchema::json).orElse(null);
        return wrong == null
                ? ParkedCalls.asking(run, call, question, answer, patch, run.now())
                : recovered(wrong, null);
    }

    private Fact ended(Json output, LiveWorkflowContext context) {
        Json given = context.bailed().orElse(output);
        ChildVerdict verdict =
                context.bailed().isEmpty() ? null : new ChildVerdict(siblings.bail(call.callId()), null, null);
        Json patch = context.patch();
        return new Fact.CallClosed(
                call.callId(),
                run.root().redactor().redact(given),
                null,
                null,
                null,
                null,
                null,
                verdict,
                patch == null ? null : new StepEffects(run.root().redactor().redact(patch), Spending.NOTHING),
                run.now());
    }
}
