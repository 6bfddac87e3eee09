package dev.chargehand.internal.agent.model;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.processor.OutputResultProcessor;
import dev.chargehand.run.StopReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The facts of an answer and of the decisions of processors about it.
 *
 * @param run the run that gets the answer
 */
public record AnswerFacts(RunScope run) {

    /** Return the facts of an answer that is accepted; its text is withheld if processors look at the result. */
    public List<Fact> accepted(Fact.Answered answered, ProcessorChain processing) {
        List<Fact> facts = new ArrayList<>();
        facts.add(answered);
        boolean withheld = !run.options()
                .get(Options.OUTPUT_PROCESSORS, OutputResultProcessor.class)
                .isEmpty();
        if (withheld || !processing.spent().isNothing()) {
            facts.add(new Fact.Processed(answered.step(), null, false, withheld, null, processing.spent(), run.now()));
        }
        return facts;
    }

    /** Return the facts of a run that ends because a processor blocked the step. */
    public List<Fact> tripped(int step, StopReason.Tripwire trip, Spending spent) {
        Instant now = run.now();
        return List.of(
                new Fact.Processed(step, trip, false, false, null, spent, now),
                new Fact.Stopped(trip, "", Spending.NOTHING, now));
    }
}
