package dev.chargehand.internal.engine;

import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.engine.kind.RunAssembly;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.journal.RunOpening;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.message.Message;
import java.time.Instant;
import java.util.List;

/**
 * What a caller wants to run.
 *
 * @param definition what it calls
 * @param input the messages
 * @param options those of the definition with the changes of the call
 * @param spent what models have used for the call before, which is on the account of the run
 */
public record RunRequest(RunDefinition definition, List<Message> input, OptionValues options, Spending spent) {

    /** Make a request for which no model was called before. */
    public static RunRequest of(RunDefinition definition, List<Message> input, OptionValues options) {
        return new RunRequest(definition, input, options, Spending.NOTHING);
    }

    /** Return the same request, for which models have been called. */
    public RunRequest after(Spending value) {
        return new RunRequest(definition, input, options, value);
    }

    /** Return the opening of a run that this is stored for. */
    RunOpening opened(Fact.Started started, RuntimeEnvironment environment) {
        return opened(RunOpening.of(started, List.of()), environment);
    }

    /** Return the opening of its run with what its caller gives of the work, and with what was used for it. */
    RunOpening opened(RunOpening opening, RuntimeEnvironment environment) {
        List<Fact> given = RunAssembly.of(options).given(definition, options, opening.started(), environment.ids());
        return opening.having(given).decided(decided(environment.time().now()));
    }

    /** Return the facts of what was used. */
    private List<Fact> decided(Instant now) {
        return spent.isNothing() ? List.of() : List.of(new Fact.Processed(0, null, false, false, null, spent, now));
    }
}
