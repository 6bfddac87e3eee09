package dev.chargehand.internal.agent.model;

import dev.chargehand.error.HookException;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.log.Redactor;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.Transcript;
import dev.chargehand.message.Message;
import dev.chargehand.processor.InputProcessor;
import dev.chargehand.processor.Processed;
import dev.chargehand.run.ProcessorPhase;
import dev.chargehand.run.StopReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Calls the processors of a run's input before anything of the run is in the store: content that they remove is never
 * stored.
 */
public final class InputScreening {

    private final RunScope run;
    private final List<InputProcessor> processors;

    /** Prepare screening the input of a run that is about to start. */
    public InputScreening(RunScope run) {
        this.run = run;
        this.processors = run.options().get(Options.INPUT_PROCESSORS, InputProcessor.class);
    }

    /**
     * What passed.
     *
     * @param input the input
     * @param said what was said to a fork after the steps that it has of another run
     * @param trip the tripwire, or null; then nothing passed
     * @param spent what judges used
     * @param failure what a processor failed with, or null; then nothing passed either
     */
    public record Screened(
            List<Message> input,
            List<Message> said,
            StopReason.@Nullable Tripwire trip,
            Spending spent,
            @Nullable HookException failure) {

        /** Return what continues record after the run's first fact: nothing if all passed and nothing was used. */
        public List<Fact> facts(Instant now, Redactor redactor) {
            List<Fact> facts = new ArrayList<>();
            if (trip != null || !spent.isNothing()) {
                facts.add(new Fact.Processed(0, trip, false, false, null, spent, now));
            }
            if (trip != null) {
                facts.add(new Fact.Stopped(trip, "", Spending.NOTHING, now));
            }
            if (failure != null) {
                facts.add(new Fact.Stopped(redactor.failure(failure), "", Spending.NOTHING, now));
            }
            return facts;
        }
    }

    /**
     * Ask the processors.
     *
     * @throws dev.chargehand.internal.call.RunInterruptedException if the run is to end
     */
    public Screened screen(Fact.Started started, List<Message> said) {
        ProcessorChain processing = new ProcessorChain(run, 0, started.context(), 0);
        try {
            ProcessorChain.Passed<List<Message>> input = pass(processing, started.input());
            ProcessorChain.Passed<List<Message>> more =
                    said.isEmpty() || input.trip() != null ? ProcessorChain.Passed.as(said) : pass(processing, said);
            StopReason.Tripwire trip = input.trip() == null ? more.trip() : input.trip();
            return trip == null
                    ? new Screened(
                            Transcript.input(run.info().runId(), input.value()),
                            more.value(),
                            null,
                            processing.spent(),
                            null)
                    : new Screened(List.of(), List.of(), trip, processing.spent(), null);
        } catch (ProcessingFailedException e) {
            return new Screened(List.of(), List.of(), null, e.spent(), e.failure());
        }
    }

    private ProcessorChain.Passed<List<Message>> pass(ProcessorChain processing, List<Message> messages) {
        return processing.ask(processors, ProcessorPhase.INPUT, messages, (processor, context, before) -> {
            var said = processor.processInput(context, before);
            if (said instanceof Processed.Rewritten<List<Message>> other
                    && other.value().isEmpty()) {
                throw new IllegalStateException("it left nothing of the input; abort ends a run");
            }
            return said;
        });
    }
}
