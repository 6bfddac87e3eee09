package dev.chargehand.internal.agent;

import dev.chargehand.error.ModelException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.internal.agent.model.AnswerFacts;
import dev.chargehand.internal.agent.model.ModelCaller;
import dev.chargehand.internal.agent.model.ModelFailedException;
import dev.chargehand.internal.agent.model.ProcessingFailedException;
import dev.chargehand.internal.agent.model.ProcessorChain;
import dev.chargehand.internal.agent.model.StepRequest;
import dev.chargehand.internal.agent.model.StreamProcessors;
import dev.chargehand.internal.call.RunInterruptedException;
import dev.chargehand.internal.event.AnswerEvents;
import dev.chargehand.internal.event.ObjectEvents;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RequestedCall;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelResponse;
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
final class AskStage implements AnswerStage {

    /** An answer of more calls ends the run: each call beyond the limit of a step gets a result, which costs. */
    private static final int MOST_CALLS = 10_000;

    private final RunScope run;
    private final AnswerFacts facts;

    AskStage(RunScope run) {
        this.run = run;
        this.facts = new AnswerFacts(run);
    }

    /**
     * Return the answer and what processors built from it, or why the run ends without it; or why the model is to
     * answer again.
     *
     * @throws ModelFailedException if no model answered
     * @throws ProcessingFailedException if a processor failed
     */
    @Override
    public List<Fact> ask(ConversationState state, StepRequest request) {
        if (request.trip() != null) {
            return facts.tripped(
                    state.stepNumber(), request.trip(), request.processing().spent());
        }
        Instant startedAt = run.now();
        int step = state.stepNumber();
        ProcessorChain processing = request.processing();
        AtomicReference<@Nullable AnswerEvents> answerEvents = new AtomicReference<>();
        ModelCaller asking = new ModelCaller(
                run,
                attempt -> {
                    answerEvents.set(events(request, step, attempt));
                    return Objects.requireNonNull(answerEvents.get());
                },
                (attempt, model, failure, wait) -> emitRetry(step, attempt, model, failure, wait),
                () -> StreamProcessors.of(
                        processing, run.options().get(Options.OUTPUT_PROCESSORS, OutputStreamProcessor.class)));
        ModelCaller.CallResult asked = asking.ask(request.request(), request.models());
        if (asked.stop() != null) {
            Spending spent = processing.spent().plus(Spending.onAttempts(asked.attempts()));
            return List.of(new Fact.Stopped(asked.stop(), asked.partialText(), spent, run.now()));
        }
        if (asked.tripped() != null) {
            return rejected(state, asked.tripped(), asked, asked.emitted(), processing.spent());
        }
        return processed(state, request, asked, Objects.requireNonNull(answerEvents.get()), startedAt);
    }

    /** The finished answer is looked at before it is stored, and before one of its calls is. */
    private List<Fact> processed(
            ConversationState state,
            StepRequest request,
            ModelCaller.CallResult asked,
            AnswerEvents answerEvents,
            Instant startedAt) {
        ProcessorChain processing = request.processing();
        List<OutputStepProcessor> processors = run.options().get(Options.OUTPUT_PROCESSORS, OutputStepProcessor.class);
        ModelResponse answer = Objects.requireNonNull(asked.answer());
        ProcessorChain.Passed<ModelResponse> passed;
        try {
            passed = processing.ask(
                    processors, ProcessorPhase.OUTPUT_STEP, answer, OutputStepProcessor::processOutputStep);
        } catch (RunInterruptedException e) {
            return List.of(new Fact.Stopped(e.reason(), "", processing.spent().plus(cost(asked)), run.now()));
        } catch (ProcessingFailedException e) {
            throw e.plus(cost(asked));
        }
        if (passed.trip() != null) {
            boolean emitted = !processors.isEmpty() && !answerEvents.isHeld();
            return rejected(state, passed, asked, emitted, processing.spent());
        }
        answerEvents.release(passed.rewritten() ? passed.value() : null);
        if (passed.value().toolCalls().size() > Math.max(MOST_CALLS, run.limit(Limit.CALLS_PER_STEP))) {
            StopReason tooMany = new StopReason.LimitReached(Limit.CALLS_PER_STEP.key());
            Spending spent = processing.spent().plus(cost(asked));
            return List.of(new Fact.Stopped(tooMany, passed.value().text(), spent, run.now()));
        }
        return facts.accepted(
                answered(state.stepNumber(), request, asked, passed.value(), answerEvents, startedAt), processing);
    }

    /** Nothing passes: the model answers again if that is wanted and possible, or the run ends. */
    private List<Fact> rejected(
            ConversationState state,
            ProcessorChain.Passed<?> passed,
            ModelCaller.CallResult asked,
            boolean emitted,
            Spending judged) {
        Spending spent = judged.plus(cost(asked));
        StopReason.Tripwire trip = Objects.requireNonNull(passed.trip());
        boolean isFinal = emitted && run.root().textIsFinal().get();
        boolean again = passed.retry()
                && !isFinal
                && state.rejected().size() < run.options().get(Options.MAX_PROCESSOR_RETRIES);
        return again
                ? List.of(new Fact.Processed(state.stepNumber(), trip, true, false, null, spent, run.now()))
                : facts.tripped(state.stepNumber(), trip, spent);
    }

    /** What an answer used that is not stored. */
    private Spending cost(ModelCaller.CallResult asked) {
        ModelResponse answer = asked.answer();
        if (answer == null) {
            return Spending.onAttempts(asked.attempts());
        }
        long characters = (long) answer.text().length() + answer.reasoning().length();
        return new Spending(
                asked.attempts(),
                0,
                characters,
                asked.cost(),
                Map.of(run.agent().id(), answer.usage()));
    }

    private AnswerEvents events(StepRequest request, int step, int attempt) {
        AnswerEvents events = new AnswerEvents(
                run.events(), run.root().time(), run.root().ids(), step, attempt, objects(request, step));
        for (OutputStepProcessor processor : run.options().get(Options.OUTPUT_PROCESSORS, OutputStepProcessor.class)) {
            if (processor.holdsBack()) {
                return events.hold();
            }
        }
        return events;
    }

    private @Nullable ObjectEvents objects(StepRequest request, int step) {
        return request.request().output() == null ? null : new ObjectEvents(run.events(), step);
    }

    private void emitRetry(int step, int attempt, Model model, ModelException failure, Duration wait) {
        run.events().emitOfStep(step, o -> new RunEvent.StepRetry(o, attempt, model.name(), failure.code(), wait));
    }

    private Fact.Answered answered(
            int step,
            StepRequest request,
            ModelCaller.CallResult asked,
            ModelResponse answer,
            AnswerEvents answerEvents,
            Instant startedAt) {
        List<RequestedCall> calls = new ArrayList<>(answer.toolCalls().size());
        for (ModelResponse.RequestedCall call : answer.toolCalls()) {
            String id = answerEvents.callId(calls.size(), call.name());
            calls.add(new RequestedCall(id, call.providerId(), call.name(), call.arguments()));
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
