package dev.chargehand.internal.engine.kind;

import dev.chargehand.internal.agent.AgentStages;
import dev.chargehand.internal.agent.ConversationStages;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.event.Narrator;
import dev.chargehand.internal.event.RunEvents;
import dev.chargehand.internal.event.conversation.ConversationEvents;
import dev.chargehand.internal.event.conversation.Iterations;
import dev.chargehand.internal.event.conversation.PlainSteps;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.state.State;

/** The assembly of an agent's run. */
record AgentAssembly() implements RunAssembly {

    @Override
    public void check(RunDefinition definition, OptionValues options) {
        RunAssembly.requireNoneOfWorkflows(definition, options);
    }

    /** The steps of a conversation do not depend on its definition. */
    @Override
    public void checkContinues(RunDefinition definition, State state) {}

    @Override
    public Parts assemble(RunEvents events, boolean supervisor, int maxSteps) {
        ConversationEvents conversation =
                new ConversationEvents(events, supervisor ? new Iterations(events, maxSteps) : new PlainSteps(events));
        return new Parts(
                new Narrator(events, conversation),
                run -> new ConversationStages(run, conversation, new AgentStages(run)));
    }

    @Override
    public String route() {
        return "agents/";
    }

    @Override
    public boolean startsTasks() {
        return true;
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
