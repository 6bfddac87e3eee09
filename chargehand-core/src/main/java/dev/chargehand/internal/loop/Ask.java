package dev.chargehand.internal.loop;

import dev.chargehand.error.ModelException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Spent;
import dev.chargehand.internal.fact.State;
import dev.chargehand.internal.limit.RunInterrupted;
import dev.chargehand.internal.stream.AnswerEvents;
import dev.chargehand.internal.stream.ObjectEvents;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelAnswer;
import dev.chargehand.processor.OutputResultProcessor;
import dev.chargehand.processor.OutputStepProcessor;
import dev.chargehand.processor.OutputStreamProcessor;
import dev.chargehand.run.Limit;
import dev.chargehand.run.ProcessorPhase;
import dev.chargehand.run.StopReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Second stage: gets the model's answer as processors let it pass, and mints the ids of its calls. */
final class Ask {

    /** An answer of more calls ends the run: each call beyond the limit of a step gets a result, which costs. */
    private static final int MOST_CALLS = 10_000;

    private final RunScope run;

    Ask(RunScope run) {
        this.run = run;
    }

    /**
     * Returns the answer and what processors made of it, or why the run ends without it; or why the model is to answer
     * again.
     *
     * @throws ModelFailed if no model answered
     * @throws ProcessingFailed if a processor failed
     */
    List<Fact> ask(State state, StepRequest request) {
        if (request.trip() != null) {
            return tripped(
                    state.stepNumber(), request.trip(), request.processing().spent());
        }
        return state.isRouting() ? routed(state, request) : answer(state, request);
    }

    /** A decision is no text that anybody is told: what processors look at is the input before it, and what is found. */
    private List<Fact> routed(State state, StepRequest request) {
        Spent judged = request.processing().spent();
        return switch (new Routing(run, state, request).decide()) {
            case Fact.Answered answered -> onRecord(answered, request.processing());
            case Fact.Stopped stopped ->
                List.of(new Fact.Stopped(
                        stopped.reason(), stopped.partialText(), stopped.spent().plus(judged), stopped.at()));
            case Fact other -> throw new IllegalStateException("A router decides, or ends the run: " + other);
        };
    }

    private List<Fact> answer(State state, StepRequest request) {
        Instant startedAt = run.now();
        int step = state.stepNumber();
        Processing processing = request.processing();
        AtomicReference<@Nullable AnswerEvents> telling = new AtomicReference<>();
        Asking asking = new Asking(
                run,
                attempt -> {
                    telling.set(events(request, step, attempt));
                    return Objects.requireNonNull(telling.get());
                },
                (attempt, model, failure, wait) -> tellRetry(step, attempt, model, failure, wait),
                () -> StreamProcessing.of(processing, run.hooks().outputProcessors(OutputStreamProcessor.class)));
        Asking.Asked asked = asking.ask(request.request(), request.models());
        if (asked.stop() != null) {
            Spent spent = processing.spent().plus(Spent.onAttempts(asked.attempts()));
            return List.of(new Fact.Stopped(asked.stop(), asked.partialText(), spent, run.now()));
        }
        if (asked.tripped() != null) {
            return refused(state, asked.tripped(), asked, asked.told(), processing.spent());
        }
        return processed(state, request, asked, Objects.requireNonNull(telling.get()), startedAt);
    }

    /** The finished answer is looked at before it is on record, and before one of its calls is. */
    private List<Fact> processed(
            State state, StepRequest request, Asking.Asked asked, AnswerEvents telling, Instant startedAt) {
        Processing processing = request.processing();
        List<OutputStepProcessor> processors = run.hooks().outputProcessors(OutputStepProcessor.class);
        ModelAnswer answer = Objects.requireNonNull(asked.answer());
        Processing.Passed<ModelAnswer> passed;
        try {
            passed = processing.ask(
                    processors, ProcessorPhase.OUTPUT_STEP, answer, OutputStepProcessor::processOutputStep);
        } catch (RunInterrupted e) {
            return List.of(new Fact.Stopped(e.reason(), "", processing.spent().plus(cost(asked)), run.now()));
        } catch (ProcessingFailed e) {
            throw e.plus(cost(asked));
        }
        if (passed.trip() != null) {
            boolean told = !processors.isEmpty() && !telling.isHeld();
            return refused(state, passed, asked, told, processing.spent());
        }
        telling.release(passed.rewritten() ? passed.value() : null);
        if (passed.value().toolCalls().size() > Math.max(MOST_CALLS, run.limit(Limit.CALLS_PER_STEP))) {
            StopReason tooMany = new StopReason.LimitReached(Limit.CALLS_PER_STEP.key());
            Spent spent = processing.spent().plus(cost(asked));
            return List.of(new Fact.Stopped(tooMany, passed.value().text(), spent, run.now()));
        }
        return onRecord(answered(state.stepNumber(), request, asked, passed.value(), startedAt), processing);
    }

    private List<Fact> onRecord(Fact.Answered answered, Processing processing) {
        List<Fact> facts = new ArrayList<>();
        facts.add(answered);
        boolean withheld =
                !run.hooks().outputProcessors(OutputResultProcessor.class).isEmpty();
        if (withheld || !processing.spent().equals(Spent.NOTHING)) {
            facts.add(new Fact.Processed(answered.step(), null, false, withheld, null, processing.spent(), run.now()));
        }
        return facts;
    }

    /** Nothing passes: the model answers again if that is wanted and possible, or the run ends. */
    private List<Fact> refused(
            State state, Processing.Passed<?> passed, Asking.Asked asked, boolean told, Spent judged) {
        Spent spent = judged.plus(cost(asked));
        StopReason.Tripwire trip = Objects.requireNonNull(passed.trip());
        boolean isFinal = told && run.root().textIsFinal().get();
        boolean again = passed.retry()
                && !isFinal
                && state.refused().size() < run.settings().processorRetries();
        return again
                ? List.of(new Fact.Processed(state.stepNumber(), trip, true, false, null, spent, run.now()))
                : tripped(state.stepNumber(), trip, spent);
    }

    private List<Fact> tripped(int step, StopReason.Tripwire trip, Spent spent) {
        Instant now = run.now();
        return List.of(
                new Fact.Processed(step, trip, false, false, null, spent, now),
                new Fact.Stopped(trip, "", Spent.NOTHING, now));
    }

    /** What an answer used up that is not on record. */
    private Spent cost(Asking.Asked asked) {
        ModelAnswer answer = asked.answer();
        if (answer == null) {
            return Spent.onAttempts(asked.attempts());
        }
        long characters = (long) answer.text().length() + answer.reasoning().length();
        return new Spent(
                asked.attempts(),
                0,
                characters,
                asked.cost(),
                Map.of(run.agent().id(), answer.usage()));
    }

    private AnswerEvents events(StepRequest request, int step, int attempt) {
        AnswerEvents events = new AnswerEvents(run.events(), run.root().time(), step, attempt, objects(request, step));
        for (OutputStepProcessor processor : run.hooks().outputProcessors(OutputStepProcessor.class)) {
            if (processor.holdsBack()) {
                return events.hold();
            }
        }
        return events;
    }

    private @Nullable ObjectEvents objects(StepRequest request, int step) {
        return request.request().output() == null ? null : new ObjectEvents(run.events(), step);
    }

    private void tellRetry(int step, int attempt, Model model, ModelException failure, Duration wait) {
        run.events().tell(step, o -> new RunEvent.StepRetry(o, attempt, model.name(), failure.code(), wait));
    }

    private Fact.Answered answered(
            int step, StepRequest request, Asking.Asked asked, ModelAnswer answer, Instant startedAt) {
        List<Fact.Call> calls = new ArrayList<>(answer.toolCalls().size());
        for (ModelAnswer.RequestedCall call : answer.toolCalls()) {
            calls.add(new Fact.Call(run.root().ids().next("call_"), call.providerId(), call.name(), call.arguments()));
        }
        return new Fact.Answered(
                step,
                asked.model(),
                answer.text(),
                answer.reasoning(),
                calls,
                Objects.requireNonNull(asked.answer()).finish(),
                asked.answer().usage(),
                asked.attempts(),
                asked.cost(),
                request.offered(),
                Objects.requireNonNull(asked.answer())
                        .withReasoning(answer.reasoning())
                        .providerState(),
                startedAt,
                run.now());
    }
}
