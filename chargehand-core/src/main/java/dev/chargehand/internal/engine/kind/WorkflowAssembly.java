package dev.chargehand.internal.engine.kind;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.event.Narrator;
import dev.chargehand.internal.event.RunEvents;
import dev.chargehand.internal.event.WorkflowEvents;
import dev.chargehand.internal.option.Option;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.workflow.WorkflowStages;
import java.util.Objects;
import java.util.Set;

/** The assembly of a workflow's run. */
record WorkflowAssembly() implements RunAssembly {

    /** The options that a workflow has a use for. */
    private static final Set<Option<?>> USED = Set.of(
            Options.KIND,
            Options.TOOL_CALL_CONCURRENCY,
            Options.LIMITS,
            Options.TIME_LIMITS,
            Options.REQUESTER,
            Options.METADATA,
            Options.ON_FINISH,
            Options.ON_ERROR,
            Options.ON_ABORT,
            Options.LISTENERS,
            Options.REQUEST_CONTEXT,
            Options.IDEMPOTENCY_KEY,
            Options.ON_CLOSE);

    /** An option that would have no effect is rejected. */
    @Override
    public void check(RunDefinition definition, OptionValues options) {
        for (Option<?> option : Options.all()) {
            if (!USED.contains(option) && !Objects.equals(options.get(option), option.byDefault())) {
                throw new ConfigurationException("Workflow '" + definition.id() + "': option '" + option.name()
                        + "' is for agents, and a workflow has no use for it; leave it out.");
            }
        }
    }

    @Override
    public Parts assemble(RunEvents events, boolean supervisor, int maxSteps) {
        return new Parts(
                new Narrator(events, new WorkflowEvents(events)),
                run -> new WorkflowStages(run, run.workflow(), run.options().get(Options.TOOL_CALL_CONCURRENCY)));
    }

    @Override
    public String route() {
        return "workflows/";
    }

    @Override
    public boolean needsThread() {
        return false;
    }

    @Override
    public boolean hasNamesOfNetworks() {
        return false;
    }
}
