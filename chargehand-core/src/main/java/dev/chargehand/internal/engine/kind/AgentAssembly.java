package dev.chargehand.internal.engine.kind;

import dev.chargehand.internal.agent.AgentStages;
import dev.chargehand.internal.agent.ConversationStages;
import dev.chargehand.internal.agent.Stages;
import dev.chargehand.internal.definition.AgentDefinition;
import dev.chargehand.internal.event.Iterations;
import dev.chargehand.internal.event.Narrator;
import dev.chargehand.internal.event.PlainSteps;
import dev.chargehand.internal.event.RunEvents;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.scope.RunScope;

/** The assembly of an agent's run. */
record AgentAssembly() implements RunAssembly {

    @Override
    public void check(AgentDefinition agent, OptionValues options) {}

    @Override
    public Stages stages(RunScope run, Narrator narrator) {
        return new ConversationStages(run, narrator, new AgentStages(run));
    }

    @Override
    public Narrator narrator(RunEvents events, boolean supervisor, int maxSteps) {
        return new Narrator(events, supervisor ? new Iterations(events, maxSteps) : new PlainSteps(events));
    }

    @Override
    public String route() {
        return "agents/";
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
