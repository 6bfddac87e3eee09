package dev.chargehand.internal.agent.model;

import dev.chargehand.error.HookException;
import dev.chargehand.internal.call.BoundedCalls;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.call.RunInterruptedException;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.text.Excerpt;
import dev.chargehand.internal.text.ReadableTime;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.processor.Processed;
import dev.chargehand.processor.Processor;
import dev.chargehand.processor.ProcessorContext;
import dev.chargehand.run.Limit;
import dev.chargehand.run.ProcessorPhase;
import dev.chargehand.run.RunInfo;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.spi.CallInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Asks the processors of one step, on threads that can be abandoned, and counts what their judges use. One that fails
 * fails the run.
 */
public final class ProcessorChain {

    private final RunScope run;
    private final int step;
    private final List<Message> messages;
    private final int retryCount;

    /** Null if there are no processors, which is nearly always. */
    private final @Nullable SideModelCalls sideCalls;

    /**
     * Prepare asking.
     *
     * @param step the step, 0 for the input
     * @param messages the conversation so far
     * @param retryCount how many answers processors have had made again
     */
    public ProcessorChain(RunScope run, int step, List<Message> messages, int retryCount) {
        this.run = run;
        this.step = step;
        this.retryCount = retryCount;
        boolean asks = !run.options().get(Options.INPUT_PROCESSORS).isEmpty()
                || !run.options().get(Options.OUTPUT_PROCESSORS).isEmpty();
        this.messages = asks ? List.copyOf(messages) : List.of();
        this.sideCalls = asks ? new SideModelCalls(run, step, Spending.PROCESSORS) : null;
    }

    /**
     * The outcome.
     *
     * @param value what passes, if nothing tripped
     * @param rewritten whether that is something else than before
     * @param trip the tripwire, or null
     * @param retry whether the model should answer again after the tripwire
     */
    public record Passed<T>(T value, boolean rewritten, StopReason.@Nullable Tripwire trip, boolean retry) {

        static <T> Passed<T> as(T value) {
            return new Passed<>(value, false, null, false);
        }
    }

    /** Asks one processor of a kind. */
    @FunctionalInterface
    public interface Question<P, T> {

        /** Ask. */
        public Processed<T> ask(P processor, ProcessorContext context, T value) throws Exception;
    }

    /** Return what was used so far. */
    public Spending spent() {
        return sideCalls == null ? Spending.NOTHING : sideCalls.spent();
    }

    /**
     * Ask processors one after the other.
     *
     * @throws ProcessingFailedException if one failed
     * @throws dev.chargehand.internal.call.RunInterruptedException if the run is to end
     */
    public <P extends Processor, T> Passed<T> ask(
            List<P> processors, ProcessorPhase phase, T value, Question<P, T> question) {
        Passed<T> passed = Passed.as(value);
        for (P processor : processors) {
            T before = passed.value();
            passed = after(processor, phase, passed, call(processor, phase, context -> {
                Processed<T> said = question.ask(processor, context, before);
                return whole(Objects.requireNonNull(said, "it returned null"));
            }));
            if (passed.trip() != null) {
                return passed;
            }
        }
        return passed;
    }

    private static <T> Processed<T> whole(Processed<T> said) {
        if (said instanceof Processed.Rewritten<T> other
                && other.value() instanceof List<?> list
                && list.stream().anyMatch(Objects::isNull)) {
            throw new IllegalStateException("it returned a list with a null in it");
        }
        return said;
    }

    /** Apply what a processor said. */
    <T> Passed<T> after(Processor processor, ProcessorPhase phase, Passed<T> before, Processed<T> said) {
        return switch (said) {
            case Processed.Unchanged<T> ignored -> before;
            case Processed.Rewritten<T> other -> new Passed<>(other.value(), true, null, false);
            case Processed.Aborted<T> aborted ->
                new Passed<>(before.value(), before.rewritten(), trip(processor, phase, aborted), aborted.retry());
        };
    }

    private StopReason.Tripwire trip(Processor processor, ProcessorPhase phase, Processed.Aborted<?> aborted) {
        Json metadata = aborted.metadata();
        return new StopReason.Tripwire(
                processor.name(),
                phase,
                Excerpt.within(run.root().redactor().redact(aborted.reason()), run.limit(Limit.TOOL_RESULT_BYTES)),
                metadata == null ? null : run.root().redactor().redact(metadata));
    }

    /** What is done where a processor is called. */
    @FunctionalInterface
    interface Work<R> {

        /** Does it. */
        R in(ProcessorContext context) throws Exception;
    }

    /** Call a processor within its limits; its judge's calls end with it. */
    <R> R call(Processor processor, ProcessorPhase phase, Work<R> work) {
        if (!belongsToAnswer(phase)) {
            run.cancellation().admit();
        }
        List<Cancellation.Registration> ties = new ArrayList<>();
        Cancellation part = run.cancellation().part(ties);
        Callable<R> callable = () -> work.in(new Context(run.under(part)));
        try {
            R result = run.root()
                    .callouts()
                    .call(
                            run.call(CallInfo.Kind.PROCESSOR, processor.name() + " " + phase.key())
                                    .atStep(step),
                            run.limit(TimeLimit.HOOK),
                            run.cancellation(),
                            callable);
            sideCalls().requireAsked();
            return result;
        } catch (BoundedCalls.TimedOutException e) {
            part.cancel(new StopReason.Cancelled("processor-timeout")); // a judge's connection must not outlive it
            throw failed(processor, phase, "it took longer than " + ReadableTime.of(run.limit(TimeLimit.HOOK)), e);
        } catch (BoundedCalls.ThrewException e) {
            run.cancellation().check(); // a run that was cancelled first did not fail
            sideCalls().requireAsked();
            StopReason spentOut = sideCalls().stopped();
            if (spentOut != null) {
                throw new RunInterruptedException(spentOut); // nor did one whose budget is spent
            }
            throw failed(processor, phase, run.root().redactor().words(e.thrown()), e.thrown());
        } finally {
            ties.forEach(Cancellation.Registration::close);
        }
    }

    /** What looks at an answer that is in flight is a part of that call: without it the answer could not be stored. */
    private static boolean belongsToAnswer(ProcessorPhase phase) {
        return phase == ProcessorPhase.OUTPUT_STREAM || phase == ProcessorPhase.OUTPUT_STEP;
    }

    private SideModelCalls sideCalls() {
        return Objects.requireNonNull(sideCalls, "without processors there are no side calls");
    }

    private ProcessingFailedException failed(Processor processor, ProcessorPhase phase, String why, Throwable cause) {
        HookException failure = new HookException(
                "Processor '" + processor.name() + "' (" + phase.key() + ") of agent '"
                        + run.agent().id() + "' failed: " + why + (why.endsWith(".") ? " " : ". ")
                        + "Nothing passes a processor that fails.",
                cause);
        return new ProcessingFailedException(failure, spent());
    }

    private final class Context implements ProcessorContext {

        private final RunScope scope;

        private Context(RunScope scope) {
            this.scope = scope;
        }

        @Override
        public RunInfo run() {
            return run.info();
        }

        @Override
        public int step() {
            return step;
        }

        @Override
        public String instructions() {
            return run.instructions();
        }

        @Override
        public List<Message> messages() {
            return messages;
        }

        @Override
        public int retryCount() {
            return retryCount;
        }

        @Override
        public ModelResponse ask(ModelChoice model, List<Message> question) {
            return sideCalls().ask(scope, model, question);
        }
    }
}
