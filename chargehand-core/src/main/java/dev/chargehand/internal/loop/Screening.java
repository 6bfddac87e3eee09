package dev.chargehand.internal.loop;

import dev.chargehand.error.HookException;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Spent;
import dev.chargehand.internal.fact.Transcript;
import dev.chargehand.internal.limit.Redactor;
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
 * Has processors look at what a run is asked for, before there is anything of the run in the store: what they take out of
 * it is never stored.
 */
public final class Screening {

    private final RunScope run;
    private final List<InputProcessor> processors;

    /** Prepares screening the input of a run that is about to begin. */
    public Screening(RunScope run) {
        this.run = run;
        this.processors = run.hooks().inputProcessors(InputProcessor.class);
    }

    /**
     * What passed.
     *
     * @param input the input
     * @param said what was said to a fork after the steps that it has of another run
     * @param trip the tripwire, or null; then nothing passed
     * @param spent what judges used up
     * @param failure what a processor failed with, or null; then nothing passed either
     */
    public record Screened(
            List<Message> input,
            List<Message> said,
            StopReason.@Nullable Tripwire trip,
            Spent spent,
            @Nullable HookException failure) {

        /** Returns what goes on record after the run's first fact: nothing if all passed and nothing was used up. */
        public List<Fact> facts(Instant now, Redactor redactor) {
            List<Fact> facts = new ArrayList<>();
            if (trip != null || !spent.equals(Spent.NOTHING)) {
                facts.add(new Fact.Processed(0, trip, false, false, null, spent, now));
            }
            if (trip != null) {
                facts.add(new Fact.Stopped(trip, "", Spent.NOTHING, now));
            }
            if (failure != null) {
                facts.add(new Fact.Stopped(redactor.failure(failure), "", Spent.NOTHING, now));
            }
            return facts;
        }
    }

    /**
     * Asks the processors.
     *
     * @throws dev.chargehand.internal.limit.RunInterrupted if the run is to end
     */
    public Screened screen(Fact.Started started, List<Message> said) {
        Processing processing = new Processing(run, 0, started.context(), 0);
        try {
            Processing.Passed<List<Message>> input = pass(processing, started.input());
            Processing.Passed<List<Message>> more =
                    said.isEmpty() || input.trip() != null ? Processing.Passed.as(said) : pass(processing, said);
            StopReason.Tripwire trip = input.trip() == null ? more.trip() : input.trip();
            return trip == null
                    ? new Screened(
                            Transcript.input(run.info().runId(), input.value()),
                            more.value(),
                            null,
                            processing.spent(),
                            null)
                    : new Screened(List.of(), List.of(), trip, processing.spent(), null);
        } catch (ProcessingFailed e) {
            return new Screened(List.of(), List.of(), null, e.spent(), e.failure());
        }
    }

    private Processing.Passed<List<Message>> pass(Processing processing, List<Message> messages) {
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
