package dev.chargehand.internal.agent;

import dev.chargehand.completion.Completion;
import dev.chargehand.completion.CompletionResult;
import dev.chargehand.completion.Scorer;
import dev.chargehand.hook.Hook;
import dev.chargehand.hook.IterationContext;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.hook.StepContext;
import dev.chargehand.internal.agent.act.RepeatedCalls;
import dev.chargehand.internal.agent.completion.CompletionEvaluator;
import dev.chargehand.internal.agent.model.ProcessingFailedException;
import dev.chargehand.internal.agent.model.ProcessorChain;
import dev.chargehand.internal.agent.model.TypedAnswer;
import dev.chargehand.internal.call.RunInterruptedException;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.HookDecision;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.fact.StopReasons;
import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.Hooks;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.StepState;
import dev.chargehand.internal.state.Transcript;
import dev.chargehand.internal.text.Excerpt;
import dev.chargehand.processor.OutputResultProcessor;
import dev.chargehand.run.BailStrategy;
import dev.chargehand.run.Limit;
import dev.chargehand.run.ObjectResult;
import dev.chargehand.run.ProcessorPhase;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.StructuredOutput;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Fifth stage, the gate: decides whether the run continues after a step. The order of its questions is the contract.
 */
public final class DecideStage {

    private static final Log LOG = Log.of(DecideStage.class);

    private final RunScope run;
    private final Hooks hooks;
    private final GateRules rules;

    public DecideStage(RunScope run, Hooks hooks, GateRules rules) {
        this.run = run;
        this.hooks = hooks;
        this.rules = rules;
    }

    /** Return whether the decision calls foreign code, which may then receive stored facts only. */
    public boolean callsForeignCode(ConversationState state) {
        return !run.options().get(Options.STOP_WHEN).isEmpty()
                || run.options().get(Options.ON_ITERATION_COMPLETE) != null
                || rules.isScored(state.step())
                || !run.options()
                        .get(Options.OUTPUT_PROCESSORS, OutputResultProcessor.class)
                        .isEmpty()
                || !run.structuringModels().isEmpty();
    }

    /**
     * Decide. A run that was cancelled before the decision is ended instead, regardless of the results of hooks; the
     * usage of judges and structuring models is stored with its end.
     *
     * @param onScoring receives the names of the scorers that are about to be asked
     */
    public List<Fact> decide(ConversationState state, Consumer<List<String>> onScoring) {
        Verdicts verdicts = new Verdicts();
        try {
            run.cancellation().admit();
            Fact.StepClosed decided = decided(state, verdicts, onScoring);
            run.cancellation().admit(); // a judge may have been refused meanwhile
            Fact.Processed processed = verdicts.processed(state.stepNumber(), run.now());
            return processed == null ? List.of(decided) : List.of(processed, decided);
        } catch (RunInterruptedException e) {
            return List.of(new Fact.Stopped(e.reason(), "", verdicts.allSpent(), run.now()));
        } catch (ProcessingFailedException e) {
            throw e.plus(verdicts.spent());
        }
    }

    private Fact.StepClosed decided(ConversationState state, Verdicts verdicts, Consumer<List<String>> onScoring) {
        Optional<StopReason> stop = wanted(state, verdicts, onScoring);
        if (stop.isPresent() && StopReasons.isByItself(stop.get()) && hasUnreadMessages()) {
            stop = Optional.empty();
        }
        if (stop.isEmpty() && verdicts.lastStop == null) {
            stop = spent(state);
        }
        if (stop.isPresent()) {
            stop = processed(state, verdicts, stop.get());
        }
        if (stop.isPresent()) {
            stop = structured(state, verdicts, stop.get());
        }
        return closed(state, verdicts, stop.orElse(null));
    }

    /** Return the first reason to stop that there is, in this order. */
    private Optional<StopReason> wanted(ConversationState state, Verdicts verdicts, Consumer<List<String>> onScoring) {
        Optional<StopReason> stop = cutShort(state.step());
        stop = stop.isPresent() ? stop : state.lastStop();
        stop = stop.isPresent() ? stop : bailed(state, verdicts);
        stop = stop.isPresent() ? stop : stoppedByHook(state, verdicts);
        stop = stop.isPresent() ? stop : scored(state, verdicts, onScoring);
        stop = stop.isPresent() || verdicts.lastStop != null ? stop : stopWhen(state);
        return stop.isPresent() ? stop : finished(state.step(), verdicts);
    }

    /** A run does not end by itself before its model has seen every message to the run. */
    private boolean hasUnreadMessages() {
        return run.root().deliveries().hasMessages(run.events().runId());
    }

    private Fact.StepClosed closed(ConversationState state, Verdicts verdicts, @Nullable StopReason stop) {
        return new Fact.StepClosed(
                state.stepNumber(),
                stop,
                stop == null ? verdicts.lastStop : null,
                verdicts.hook,
                stop == null ? verdicts.feedback : List.of(),
                verdicts.scored,
                verdicts.areScoresKept(),
                verdicts.spent(),
                verdicts.object,
                verdicts.answer,
                List.of(),
                run.now());
    }

    /** What was said on the way through the gate. */
    private static final class Verdicts {
        private @Nullable HookDecision hook;
        private @Nullable StopReason lastStop;
        private @Nullable CompletionEvaluator scoring;
        private @Nullable CompletionResult scored;
        private @Nullable ObjectExtraction structuring;
        private @Nullable ObjectResult object;
        private @Nullable String answer;
        private @Nullable ProcessorChain processing;
        private StopReason.@Nullable Tripwire trip;
        private boolean retry;
        private @Nullable String passes;
        private final List<String> feedback = new ArrayList<>();

        private boolean areRemembered() {
            return !feedback.isEmpty() || lastStop != null || (scored != null && !scored.complete());
        }

        private boolean areScoresKept() {
            return scored != null && scoring != null && scoring.keepsScores();
        }

        private Spending spent() {
            Spending judged = scoring == null ? Spending.NOTHING : scoring.judged();
            return structuring == null ? judged : judged.plus(structuring.spent());
        }

        private Spending allSpent() {
            return processing == null ? spent() : spent().plus(processing.spent());
        }

        private Fact.@Nullable Processed processed(int step, Instant now) {
            if (processing == null
                    || (trip == null && passes == null && processing.spent().isNothing())) {
                return null;
            }
            return new Fact.Processed(step, trip, retry, false, passes, processing.spent(), now);
        }
    }

    /**
     * Has processors look at the answer that a run is about to end with. A blocked answer is requested again if a
     * processor wants that and a step is left; else the run ends with the tripwire.
     */
    private Optional<StopReason> processed(ConversationState state, Verdicts verdicts, StopReason reason) {
        List<OutputResultProcessor> processors =
                run.options().get(Options.OUTPUT_PROCESSORS, OutputResultProcessor.class);
        String text = processors.isEmpty()
                ? ""
                : state.after(closed(state, verdicts, reason)).text();
        if (text.isBlank()) {
            return Optional.of(reason);
        }
        ProcessorChain processing = new ProcessorChain(
                run,
                state.stepNumber(),
                Transcript.conversation(state),
                state.rejected().size());
        verdicts.processing = processing;
        ProcessorChain.Passed<String> passed = processing.ask(
                processors, ProcessorPhase.OUTPUT_RESULT, text, OutputResultProcessor::processOutputResult);
        StopReason.Tripwire trip = passed.trip();
        if (trip == null) {
            verdicts.passes = passed.rewritten() ? passed.value() : null;
            return Optional.of(reason);
        }
        verdicts.trip = trip;
        verdicts.passes = "";
        verdicts.retry = passed.retry()
                && reason.status() == RunStatus.COMPLETED
                && state.lastStop().isEmpty()
                && state.rejected().size() < run.options().get(Options.MAX_PROCESSOR_RETRIES)
                && spent(state).isEmpty();
        if (!verdicts.retry) {
            return Optional.of(trip);
        }
        verdicts.feedback.add(Transcript.refusal(trip));
        return Optional.empty();
    }

    /**
     * Make the object of the answer that a run is about to end with. One that does not fit is fixed once, in one more
     * answer such as the one after a stop with feedback; then the run ends as its structured output says. A run that
     * ends without an answer has no object.
     */
    private Optional<StopReason> structured(ConversationState state, Verdicts verdicts, StopReason reason) {
        StructuredOutput wanted = run.options().get(Options.STRUCTURED_OUTPUT);
        if (wanted == null || reason.status() != RunStatus.COMPLETED) {
            return Optional.of(reason);
        }
        String text = verdicts.passes == null
                ? state.after(closed(state, verdicts, reason)).text()
                : verdicts.passes;
        ObjectExtraction structuring = new ObjectExtraction(run, wanted, state.stepNumber());
        verdicts.structuring = structuring;
        TypedAnswer read = structuring.read(text);
        if (read.value() != null) {
            verdicts.object = ObjectResult.of(read.value());
            return Optional.of(reason);
        }
        ObjectResult invalid = ObjectResult.invalid(run.root().redactor().redact(String.valueOf(read.problem())));
        boolean correctable = !(reason instanceof StopReason.Bailed)
                && run.structuringModels().isEmpty()
                && state.misfits() < rules.acceptedMisfits();
        if (correctable) {
            verdicts.object = invalid;
            verdicts.lastStop = reason;
            verdicts.feedback.clear();
            verdicts.feedback.add(rules.requestForObject(state.step(), String.valueOf(invalid.problem())));
            return Optional.empty();
        }
        LOG.warn("run {}: its answer does not fit its schema; see the result", state.runId());
        verdicts.object = wanted.fallback() == null ? invalid : invalid.orElse(wanted.fallback());
        return Optional.of(
                wanted.onInvalid() == StructuredOutput.OnInvalid.STRICT ? structuring.failure(invalid) : reason);
    }

    private static Optional<StopReason> cutShort(StepState step) {
        return switch (step.answered().finish()) {
            case LENGTH -> Optional.of(new StopReason.OutputTruncated());
            case CONTENT_FILTER -> Optional.of(new StopReason.ContentFiltered());
            case UNKNOWN, MISSING -> Optional.of(new StopReason.AnswerIncomplete());
            case STOP, TOOL_CALLS -> Optional.empty();
        };
    }

    private Optional<StopReason> bailed(ConversationState state, Verdicts verdicts) {
        Optional<CallState> winner = bailOf(state);
        if (winner.isEmpty()) {
            return Optional.empty();
        }
        IterationDecision ignored = callHook(state, verdicts); // it observes; what it decides changes nothing
        return Optional.of(bailedBy(winner.get()));
    }

    private Optional<CallState> bailOf(ConversationState state) {
        BailStrategy strategy = run.options().get(Options.BAIL_STRATEGY);
        return state.step().bailed(strategy);
    }

    private static StopReason bailedBy(CallState call) {
        Fact.CallClosed end = Objects.requireNonNull(call.closed());
        return new StopReason.Bailed(
                Objects.requireNonNull(end.child()).agentId(),
                call.callId(),
                Objects.requireNonNull(end.verdict()).failure());
    }

    private Optional<StopReason> stoppedByHook(ConversationState state, Verdicts verdicts) {
        IterationDecision decision = callHook(state, verdicts);
        Optional<String> feedback = decision.feedback();
        if (feedback.isPresent()) {
            verdicts.feedback.add(bounded(run.root().redactor().redact(feedback.get())));
        }
        if (decision instanceof IterationDecision.Stop && feedback.isPresent()) {
            verdicts.lastStop = new StopReason.StoppedByHook();
            return Optional.empty();
        }
        return decision instanceof IterationDecision.Stop
                ? Optional.of(new StopReason.StoppedByHook())
                : Optional.empty();
    }

    /** Text for a model has the limit of a tool result. */
    private String bounded(String text) {
        return Excerpt.within(text, run.limit(Limit.TOOL_RESULT_BYTES));
    }

    private IterationDecision callHook(ConversationState state, Verdicts verdicts) {
        var hook = run.options().get(Options.ON_ITERATION_COMPLETE);
        if (hook == null) {
            return IterationDecision.proceed();
        }
        boolean isFinal =
                state.step().isCandidate() || bailOf(state).isPresent() || state.stepNumber() >= run.maxSteps();
        IterationContext context = new OpenIteration(run, state, isFinal);
        Optional<IterationDecision> said = hooks.ask(
                state.stepNumber(),
                Hook.ON_ITERATION_COMPLETE,
                Optional.empty(),
                () -> Optional.of(Objects.requireNonNull(hook.apply(context), "it returned null")));
        said.ifPresent(decision ->
                verdicts.hook = decision instanceof IterationDecision.Stop ? HookDecision.STOP : HookDecision.PROCEED);
        return said.orElse(IterationDecision.proceed());
    }

    private Optional<StopReason> scored(ConversationState state, Verdicts verdicts, Consumer<List<String>> onScoring) {
        if (!rules.isScored(state.step()) || verdicts.lastStop != null) {
            return Optional.empty();
        }
        GateRules.Scoring wanted = rules.scoring(state);
        Completion completion = wanted.completion();
        onScoring.accept(completion.scorers().stream().map(Scorer::name).toList());
        CompletionEvaluator scoring = new CompletionEvaluator(run, completion, state);
        verdicts.scoring = scoring;
        CompletionResult scored = scoring.score();
        verdicts.scored = scored;
        if (scored.complete()) {
            verdicts.answer = wanted.answer().get().orElse(null);
            return Optional.of(new StopReason.TaskComplete());
        }
        if (!completion.continueOnFail()) {
            return Optional.of(new StopReason.TaskIncomplete());
        }
        if (completion.feedbackToLLM()) {
            verdicts.feedback.add(scoring.feedback(scored, rules.requestAfterScoring(state.step())));
        }
        return Optional.empty();
    }

    private Optional<StopReason> stopWhen(ConversationState state) {
        List<Predicate<StepContext>> predicates = run.options().get(Options.STOP_WHEN);
        if (predicates.isEmpty()) {
            return Optional.empty();
        }
        StepContext context = run.stepContext(state);
        return IntStream.range(0, predicates.size())
                .filter(i ->
                        hooks.ask(state.stepNumber(), Hook.STOP_WHEN, "stopWhen[" + i + "]", false, () -> predicates
                                .get(i)
                                .test(context)))
                .mapToObj(i -> (StopReason) new StopReason.StopConditionMet(i))
                .findFirst();
    }

    /**
     * A model that called tools has not finished, regardless of its text; nor has one that must receive feedback. One
     * that returns no text has no answer: a delegation makes an error result of that, and a missing object is requested
     * again.
     */
    private Optional<StopReason> finished(StepState step, Verdicts verdicts) {
        if (!step.isCandidate() || verdicts.areRemembered()) {
            return Optional.empty();
        }
        boolean silent = step.text().isBlank()
                && run.events().path().depth() == 1
                && run.options().get(Options.STRUCTURED_OUTPUT) == null;
        return Optional.of(silent ? new StopReason.AnswerIncomplete() : new StopReason.Finished());
    }

    private Optional<StopReason> spent(ConversationState state) {
        if (RepeatedCalls.isRepeated(state, run.toolbox(), run.limit(Limit.IDENTICAL_CALLS))) {
            return Optional.of(new StopReason.LimitReached(Limit.IDENTICAL_CALLS.key()));
        }
        if (state.stepNumber() >= run.maxSteps()) {
            return Optional.of(new StopReason.MaxStepsReached(run.maxSteps()));
        }
        return run.root().ledger().spentOut();
    }
}
