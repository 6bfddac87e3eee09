package dev.chargehand.internal.event.conversation;

import dev.chargehand.completion.CompletionResult;
import dev.chargehand.event.RecalledMessages;
import dev.chargehand.event.RunEvent;
import dev.chargehand.internal.event.KindEvents;
import dev.chargehand.internal.event.RunEvents;
import dev.chargehand.internal.event.Slot;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.ObservedHistory;
import dev.chargehand.internal.fact.RequestedCall;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.ModelStep;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.StepState;
import dev.chargehand.run.ObjectResult;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * Reports the facts of a conversation: its steps, what its model answered, and its calls. Used by the run's own thread only.
 *
 * <p>What a fact does not hold - that a step started, whether the agent is a supervisor - it remembers while the run is
 * live.
 */
public final class ConversationEvents implements KindEvents {

    private final RunEvents events;
    private final StepEvents steps;
    private final CallEvents calls;
    private Instant stepStartedAt = Instant.EPOCH;
    private Instant scoringStartedAt = Instant.EPOCH;
    private int openStep;
    private int answeredStep;
    private boolean scoring;

    /** Make the events of a run. */
    public ConversationEvents(RunEvents events, StepEvents steps) {
        this.events = events;
        this.steps = steps;
        this.calls = new CallEvents(events, steps);
    }

    @Override
    public void continueAt(State state) {
        if (state.isOpen()) {
            openStep = state.stepNumber();
            answeredStep = openStep;
            stepStartedAt = state.conversation().step().answered().startedAt();
        }
    }

    /** Report that the model is about to be asked, for the first time in this step. */
    public void stepStarted(int step, Instant at) {
        if (openStep == step) {
            return;
        }
        stepStartedAt = at;
        openStep = step;
        events.beginStep();
        events.emitQuietly(() -> steps.began(step));
    }

    /** Report that scorers are about to be asked. */
    public void scoringStarted(int step, List<String> scorers, Instant at) {
        scoringStartedAt = at;
        scoring = true;
        events.emit(step, o -> new RunEvent.ScoringStart(o, scorers));
    }

    /** A fact that was not reported as it happened is reported with the start of its step. */
    @Override
    public void catchUp(Fact fact) {
        if (fact instanceof Fact.Answered answered) {
            stepStarted(answered.step(), answered.startedAt());
        } else if (fact instanceof Fact.Processed refused && refused.retry()) {
            stepStarted(refused.step(), refused.at());
        }
    }

    @Override
    public void note(Fact fact, State after) {
        switch (fact) {
            case Fact.Answered answered -> answered(answered);
            case Fact.StepClosed ignored -> stepOver();
            case Fact.Stopped ignored -> stepOver();
            default -> {}
        }
    }

    @Override
    public void wholeText(Fact fact, State after) {
        if (fact instanceof Fact.Answered answered && after.conversation().step() instanceof ModelStep) {
            String id = events.runId() + "." + answered.step() + ".whole.";
            events.emitReasoning(answered.step(), id + "0", answered.reasoning());
            events.emitText(answered.step(), id + "1", answered.text());
        }
    }

    @Override
    public void narrate(Fact fact, State after) {
        switch (fact) {
            case Fact.Recalled recalled -> recalled(recalled);
            case Fact.Answered answered ->
                answered(answered, after.conversation().step());
            case Fact.Processed processed -> processed(processed);
            case Fact.CallOpened opened -> calls.opened(opened, after);
            case Fact.CallParked parked -> calls.parked(parked, after);
            case Fact.CallDecided decided -> calls.decided(decided, after);
            case Fact.CallClosed closed -> calls.closed(closed, after);
            case Fact.StepClosed closed -> stepClosed(closed, after.conversation());
            case Fact.Stopped stopped -> stopped(stopped, after);
            default -> {}
        }
    }

    @Override
    public void runOver(State after, StopReason reason) {
        steps.runOver(after.conversation(), reason);
    }

    private void answered(Fact.Answered answered) {
        answeredStep = answered.step();
        stepStartedAt = answered.startedAt();
    }

    private void stepOver() {
        openStep = 0;
        scoring = false;
    }

    private void recalled(Fact.Recalled recalled) {
        ObservedHistory observed = recalled.observed();
        if (recalled.embedder() != null && (observed == null || !observed.isUpdate())) {
            events.emit(
                    recalled.step(),
                    Slot.MEMORY_RECALL,
                    o -> new RunEvent.MemoryRecall(
                            o,
                            recalled.hits().stream()
                                    .map(hit -> new RecalledMessages(hit.threadId(), hit.from(), hit.to(), hit.score()))
                                    .toList(),
                            recalled.spent().usageOf(Spending.MEMORY),
                            between(recalled.startedAt(), recalled.at())));
        }
        String problem = recalled.problem();
        if (problem != null) {
            events.emit(recalled.step(), Slot.MEMORY_PROBLEM, o -> new RunEvent.MemoryProblem(o, problem));
        }
    }

    private void answered(Fact.Answered answered, StepState step) {
        answered(answered);
        events.emit(
                answered.step(),
                Slot.USAGE,
                o -> new RunEvent.UsageReport(o, answered.model(), answered.usage(), answered.attempts()));
        steps.answered(step, between(answered.startedAt(), answered.at()));
        int index = 0;
        for (CallState state : step.calls()) {
            int at = index++;
            if (steps.emitsCall(state)) {
                RequestedCall call = state.call();
                events.emit(
                        answered.step(),
                        Slot.TOOL_CALL,
                        at,
                        o -> new RunEvent.ToolCall(o, call.callId(), call.name(), call.arguments()));
            }
        }
    }

    private void processed(Fact.Processed processed) {
        if (processed.trip() instanceof StopReason.Tripwire trip) {
            events.emit(
                    processed.step(),
                    Slot.TRIPWIRE,
                    o -> new RunEvent.Tripwire(
                            o,
                            trip.processor(),
                            trip.phase().key(),
                            trip.reason(),
                            processed.retry(),
                            trip.metadata()));
        }
    }

    private void stepClosed(Fact.StepClosed closed, ConversationState after) {
        steps.decided(closed);
        CompletionResult scored = closed.completion();
        if (scored != null) {
            events.emit(
                    closed.step(),
                    Slot.SCORING_COMPLETE,
                    o -> new RunEvent.ScoringComplete(
                            o,
                            scored.complete(),
                            scored.scorers(),
                            closed.judged().usageOf(Spending.SCORERS),
                            scored.duration()));
        }
        if (closed.stop() instanceof StopReason.Bailed bailed) {
            String name = after.steps().getLast().call(bailed.callId()).agentName();
            events.emit(
                    closed.step(),
                    Slot.DELEGATION_BAIL,
                    o -> new RunEvent.DelegationBail(o, bailed.callId(), bailed.agentId(), name, after.text()));
        }
        objectResult(closed);
        StepState step = after.steps().getLast();
        Duration took = between(step.answered().startedAt(), closed.at());
        String hook = closed.hook() == null ? null : closed.hook().name().toLowerCase(Locale.ROOT);
        steps.over(closed, hook, after, took);
        stepOver();
    }

    private void objectResult(Fact.StepClosed closed) {
        ObjectResult result = closed.object();
        if (result != null && closed.stop() != null) {
            events.emit(
                    closed.step(),
                    Slot.OBJECT_RESULT,
                    o -> new RunEvent.ObjectResult(
                            o,
                            result.object(),
                            result.fallback(),
                            result.problem(),
                            closed.judged().usageOf(Spending.STRUCTURING)));
        }
    }

    private void stopped(Fact.Stopped stopped, State after) {
        Usage lost = stopped.spent().usageOf(after.agentId());
        if (!lost.equals(Usage.NONE)) { // of answers that came to nothing
            int step = after.stepsOver() + 1;
            events.emit(
                    step,
                    Slot.USAGE,
                    o -> new RunEvent.UsageReport(o, "", lost, stopped.spent().modelCalls()));
        }
        if (openStep > 0) {
            scoringCutShort(stopped);
            Duration took = between(stepStartedAt, stopped.at());
            steps.cutShort(openStep, stopped.reason(), took, answeredStep == openStep);
        }
        stepOver();
    }

    /** No fact reports the start of a scoring. */
    private void scoringCutShort(Fact.Stopped stopped) {
        if (scoring) {
            Usage usage = stopped.spent().usageOf(Spending.SCORERS);
            Duration took = between(scoringStartedAt, stopped.at());
            events.emit(openStep, o -> new RunEvent.ScoringComplete(o, false, List.of(), usage, took));
        }
    }

    private static Duration between(Instant from, Instant to) {
        return to.isBefore(from) ? Duration.ZERO : Duration.between(from, to);
    }
}
