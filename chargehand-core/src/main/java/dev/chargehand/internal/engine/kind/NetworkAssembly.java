package dev.chargehand.internal.engine.kind;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.agent.ConversationStages;
import dev.chargehand.internal.agent.network.NetworkStages;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.event.Narrator;
import dev.chargehand.internal.event.RunEvents;
import dev.chargehand.internal.event.conversation.ConversationEvents;
import dev.chargehand.internal.event.conversation.NetworkSteps;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.state.State;
import dev.chargehand.processor.OutputStepProcessor;
import dev.chargehand.processor.OutputStreamProcessor;

/** The assembly of a network's run. */
record NetworkAssembly() implements RunAssembly {

    /** The text of a router is a decision and is not emitted as a text: nothing can be withheld or rewritten. */
    @Override
    public void check(RunDefinition definition, OptionValues options) {
        RunAssembly.requireNoneOfWorkflows(definition, options);
        boolean inspectsAnswers = !options.get(Options.OUTPUT_PROCESSORS, OutputStreamProcessor.class)
                        .isEmpty()
                || !options.get(Options.OUTPUT_PROCESSORS, OutputStepProcessor.class)
                        .isEmpty();
        if (inspectsAnswers) {
            throw new ConfigurationException(
                    "Agent '" + definition.id() + "': in a network no processor can inspect a router's answers as they"
                            + " arrive or before its calls, since they are decisions. Have an"
                            + " OutputResultProcessor inspect the result, input processors at what"
                            + " comes in, beforeToolCall and onDelegationStart at what is chosen; and"
                            + " the processors of the sub-agents at what those say.");
        }
    }

    /** The steps of a conversation do not depend on its definition. */
    @Override
    public void checkContinues(RunDefinition definition, State state) {}

    @Override
    public Parts assemble(RunEvents events, boolean supervisor, int maxSteps) {
        ConversationEvents conversation = new ConversationEvents(events, new NetworkSteps(events, maxSteps));
        return new Parts(
                new Narrator(events, conversation),
                run -> new ConversationStages(run, conversation, new NetworkStages(run)));
    }

    @Override
    public String route() {
        return "networks/";
    }

    @Override
    public boolean needsThread() {
        return true;
    }

    @Override
    public boolean hasNamesOfNetworks() {
        return true;
    }
}
