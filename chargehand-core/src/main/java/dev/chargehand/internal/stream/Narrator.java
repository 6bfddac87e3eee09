package dev.chargehand.internal.stream;

import dev.chargehand.RunSettings;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.event.RunEvent;
import dev.chargehand.internal.fact.CallState;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Pending;
import dev.chargehand.internal.fact.Spent;
import dev.chargehand.internal.fact.State;
import dev.chargehand.internal.fact.StepState;
import dev.chargehand.internal.journal.Journal;
import dev.chargehand.json.Json;
import dev.chargehand.run.CompletionResult;
import dev.chargehand.run.ObjectResult;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.ScorerResult;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * Tells facts as events, once they are on record. Used by the run's own thread only.
 *
 * <p>What a fact does not hold - that a step began, whether the agent is a supervisor - the narrator remembers while
 * the run is live.
 */
public final class Narrator {

    private final RunEvents events;
    private final Steps steps;
    private final RoutedSteps routed;
    private final int maxSteps;
    private Instant stepStartedAt = Instant.EPOCH;
    private Instant scoringStartedAt = Instant.EPOCH;
    private int openStep;
    private boolean scoring;

    /** As what the steps of a run are told. */
    public enum Steps {
        /** As steps. */
        PLAIN,
        /** As iterations too: the agent has sub-agents. */
        ITERATIONS,
        /** As decisions of a router. */
        ROUTED;

        /** Returns as what the steps of a run with these settings are told. */
        public static Steps of(RunSettings settings, boolean supervisor) {
            if (settings.kind().isNetwork()) {
                return ROUTED;
            }
            return supervisor ? ITERATIONS : PLAIN;
        }
    }

    /** Makes the narrator of a run. */
    public Narrator(RunEvents events, Steps steps, int maxSteps) {
        this.events = events;
        this.steps = steps;
        this.routed = new RoutedSteps(events, maxSteps);
        this.maxSteps = maxSteps;
    }

    /** Tells that a run goes on. */
    private void resumed(State state) {
        events.tell(state.stepNumber(), o -> new RunEvent.RunResume(o, state.agentId()));
        takeUp(state);
    }

    /** Takes up a run that others have told of; the start of a step that is open was told before. */
    public void takeUp(State state) {
        if (state.open() != null) {
            openStep = state.stepNumber();
            stepStartedAt = state.step().answered().startedAt();
        }
    }

    /** Tells that the model is about to be asked, for the first time in this step. */
    public void stepStarted(int step, Instant at) {
        if (openStep == step) {
            return;
        }
        stepStartedAt = at;
        openStep = step;
        switch (steps) {
            case PLAIN -> events.tell(step, RunEvent.StepStart::new);
            case ITERATIONS -> {
                events.tell(step, o -> new RunEvent.IterationStart(o, maxSteps));
                events.tell(step, RunEvent.StepStart::new);
            }
            case ROUTED -> routed.began(step);
        }
    }

    /** Tells that scorers are about to be asked. */
    public void scoringStarted(int step, List<String> scorers, Instant at) {
        scoringStartedAt = at;
        scoring = true;
        events.tell(step, o -> new RunEvent.ScoringStart(o, scorers));
    }

    /** Tells facts that are on record. */
    public void tell(List<Journal.Stored> facts) {
        if (events.areHeard()) {
            facts.forEach(stored -> tell(stored.fact(), stored.after()));
        }
    }

    private void tell(Fact fact, State after) {
        switch (fact) {
            case Fact.Started started -> started(started);
            case Fact.Suspended ignored -> {}
            case Fact.Resumed ignored -> resumed(after);
            case Fact.Said ignored -> {}
            case Fact.Answered answered -> answered(answered, after.step());
            case Fact.Processed processed -> processed(processed);
            case Fact.CallOpened opened -> opened(opened, after);
            case Fact.CallParked parked -> parked(parked, after);
            case Fact.CallDecided decided -> decided(decided, after);
            case Fact.CallClosed closed -> closed(closed, after);
            case Fact.StepClosed closed -> stepClosed(closed, after);
            case Fact.Stopped stopped -> stopped(stopped, after);
        }
    }

    private void started(Fact.Started started) {
        Fact.ThreadLink thread = started.thread();
        events.tell(
                0,
                o -> new RunEvent.RunStart(
                        o,
                        started.agentId(),
                        started.parentRunId(),
                        thread == null ? null : thread.id(),
                        started.fork()));
    }

    private void answered(Fact.Answered answered, StepState step) {
        events.tell(
                answered.step(),
                o -> new RunEvent.UsageReport(o, answered.model(), answered.usage(), answered.attempts()));
        if (steps == Steps.ROUTED) {
            routed.decided(step, between(answered.startedAt(), answered.at()));
        }
        for (CallState state : step.calls()) {
            if (isToldAsCall(state)) {
                Fact.Call call = state.call();
                events.tell(
                        answered.step(), o -> new RunEvent.ToolCall(o, call.callId(), call.name(), call.arguments()));
            }
        }
    }

    /** Emits a router's choice of an agent as its decision and as the delegation, not as a call of that agent. */
    private boolean isToldAsCall(CallState call) {
        return steps != Steps.ROUTED || !call.isDelegation();
    }

    private void processed(Fact.Processed processed) {
        if (processed.trip() instanceof StopReason.Tripwire trip) {
            events.tell(
                    processed.step(),
                    o -> new RunEvent.Tripwire(
                            o,
                            trip.processor(),
                            trip.phase().key(),
                            trip.reason(),
                            processed.retry(),
                            trip.metadata()));
        }
    }

    private void opened(Fact.CallOpened opened, State after) {
        Fact.ChildLink child = opened.child();
        if (child != null) {
            events.tell(
                    after.stepNumber(),
                    o -> new RunEvent.DelegationStart(
                            o, opened.callId(), child.agentId(), child.prompt(), child.runId()));
        }
    }

    private void parked(Fact.CallParked parked, State after) {
        PendingApproval approval = Pending.of(after, after.step().call(parked.callId()));
        events.tell(
                after.stepNumber(),
                o -> parked.kind() == PendingApproval.Kind.DATA
                        ? new RunEvent.ToolCallSuspended(o, approval)
                        : new RunEvent.ToolCallApproval(o, approval));
    }

    private void decided(Fact.CallDecided decided, State after) {
        String tool = after.step().call(decided.callId()).call().name();
        String answer = decided.answer().name().toLowerCase(Locale.ROOT);
        events.tell(
                after.stepNumber(),
                o -> new RunEvent.ToolCallAnswered(
                        o, decided.callId(), tool, answer, decided.approver(), decided.reason()));
    }

    private void closed(Fact.CallClosed closed, State after) {
        int step = after.stepNumber();
        CallState call = after.step().call(closed.callId());
        Duration took =
                call.opened() == null ? Duration.ZERO : between(call.opened().at(), closed.at());
        if (closed.refusal() != null) {
            refused(step, closed.callId(), call.call().name(), closed.refusal());
        }
        Fact.ChildEnd child = closed.child();
        if (child != null) {
            events.tell(
                    step,
                    o -> new RunEvent.DelegationEnd(
                            o,
                            closed.callId(),
                            child.agentId(),
                            child.runId(),
                            child.status(),
                            child.stop(),
                            child.text(),
                            child.spent().totalUsage(),
                            took));
        }
        if (!isToldAsCall(call)) {
            return;
        }
        String error = closed.error();
        String tool = call.call().name();
        if (error != null) {
            events.tell(step, o -> new RunEvent.ToolError(o, closed.callId(), tool, error, closed.detail(), took));
        } else {
            Json output = closed.output() == null ? Json.of(null) : closed.output(); // as a null result is read back
            events.tell(step, o -> new RunEvent.ToolResult(o, closed.callId(), tool, output, took));
        }
    }

    private void refused(int step, String callId, String tool, Fact.Refusal refusal) {
        String agentId = refusal.agentId();
        events.tell(
                step,
                o -> agentId == null
                        ? new RunEvent.ToolOutputDenied(o, callId, tool, refusal.reason())
                        : new RunEvent.DelegationRejected(o, callId, agentId, refusal.reason()));
    }

    private void stepClosed(Fact.StepClosed closed, State after) {
        if (closed.answer() != null) {
            routed.said(closed.step(), closed.answer());
        }
        CompletionResult scored = closed.completion();
        if (scored != null) {
            scoringOver(closed.step(), scored.complete(), scored.scorers(), closed.judged(), scored.duration());
        }
        if (closed.stop() instanceof StopReason.Bailed bailed) {
            events.tell(
                    closed.step(),
                    o -> new RunEvent.DelegationBail(o, bailed.callId(), bailed.agentId(), after.text()));
        }
        objectResult(closed);
        StepState step = after.steps().getLast();
        Duration took = between(step.answered().startedAt(), closed.at());
        String finish = step.answered().finish().name().toLowerCase(Locale.ROOT).replace('_', '-');
        Usage usage = step.answered().usage();
        String hook = closed.hook() == null ? null : closed.hook().name().toLowerCase(Locale.ROOT);
        switch (steps) {
            case PLAIN -> stepFinished(step, finish, usage, took);
            case ITERATIONS -> {
                stepFinished(step, finish, usage, took);
                events.tell(
                        closed.step(), o -> new RunEvent.IterationEnd(o, closed.stop(), hook, closed.feedback(), took));
            }
            case ROUTED -> routed.over(closed, hook, after, took);
        }
        openStep = 0;
    }

    private void stepFinished(StepState step, String finish, Usage usage, Duration took) {
        events.tell(
                step.number(),
                o -> new RunEvent.StepFinish(o, finish, step.calls().size(), usage, took));
    }

    private void objectResult(Fact.StepClosed closed) {
        ObjectResult result = closed.object();
        if (result != null && closed.stop() != null) {
            events.tell(
                    closed.step(),
                    o -> new RunEvent.ObjectResult(
                            o,
                            result.object(),
                            result.fallback(),
                            result.problem(),
                            closed.judged().usageOf(Spent.STRUCTURING)));
        }
    }

    private void scoringOver(int step, boolean complete, List<ScorerResult> results, Spent judged, Duration took) {
        scoring = false;
        events.tell(step, o -> new RunEvent.ScoringComplete(o, complete, results, judged.usageOf(Spent.SCORERS), took));
    }

    private void stopped(Fact.Stopped stopped, State after) {
        Usage lost = stopped.spent().usageOf(after.agentId());
        if (!lost.equals(Usage.NONE)) { // of answers that came to nothing
            int step = after.steps().size() + 1;
            events.tell(
                    step,
                    o -> new RunEvent.UsageReport(o, "", lost, stopped.spent().modelCalls()));
        }
        if (openStep > 0) {
            if (scoring) {
                scoringOver(openStep, false, List.of(), stopped.spent(), between(scoringStartedAt, stopped.at()));
            }
            StopReason reason = stopped.reason();
            String finish = reason.status() == RunStatus.ABORTED ? "aborted" : reason.code();
            Duration took = between(stepStartedAt, stopped.at());
            switch (steps) {
                case PLAIN -> events.tell(openStep, o -> new RunEvent.StepFinish(o, finish, 0, Usage.NONE, took));
                case ITERATIONS -> {
                    events.tell(openStep, o -> new RunEvent.StepFinish(o, finish, 0, Usage.NONE, took));
                    events.tell(openStep, o -> new RunEvent.IterationEnd(o, reason, null, List.of(), took));
                }
                case ROUTED -> routed.cutShort(openStep, reason, took);
            }
            openStep = 0;
        }
    }

    /** Emits that this process does not execute the run any more, which has not ended. */
    public void left(int step) {
        events.tell(step, RunEvent.RunReleased::new);
    }

    /**
     * Tells that the run is over: its last event, so told when the hooks of its end have had their say; or that it waits.
     *
     * @param pending what it and those below it wait for
     */
    public void runOver(State after, List<PendingApproval> pending) {
        int step = after.stepNumber();
        if (after.status() == RunStatus.SUSPENDED) {
            events.tell(
                    step, o -> new RunEvent.RunSuspend(o, pending, after.spent().totalUsage(), after.activeTime()));
            return;
        }
        StopReason reason = after.stopReason().orElseThrow();
        if (reason instanceof StopReason.Failed failed) {
            events.tell(
                    step,
                    o -> new RunEvent.Error(
                            o, failed.error(), failed.message(), failed.retryable(), failed.providerMessage()));
        } else if (reason instanceof StopReason.Cancelled cancelled) {
            events.tell(step, o -> new RunEvent.Abort(o, cancelled.by()));
        } else if (steps == Steps.ROUTED) {
            routed.runOver(after, reason);
        }
        events.tell(
                step,
                o -> new RunEvent.RunFinish(
                        o, reason.status(), reason, after.text(), after.spent().totalUsage(), after.activeTime()));
    }

    private static Duration between(Instant from, Instant to) {
        return to.isBefore(from) ? Duration.ZERO : Duration.between(from, to);
    }
}
