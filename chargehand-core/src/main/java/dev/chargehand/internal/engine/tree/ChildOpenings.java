package dev.chargehand.internal.engine.tree;

import dev.chargehand.internal.agent.delegation.ForwardedMessages;
import dev.chargehand.internal.definition.AgentDefinition;
import dev.chargehand.internal.engine.kind.MaxSteps;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.journal.RunOpening;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.DelegationPrompts;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.Transcript;
import dev.chargehand.message.Message;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes of an opened delegation with what its child run starts.
 *
 * @param threads find the threads of children
 */
record ChildOpenings(RuntimeEnvironment environment, ChildThreads threads) {

    /**
     * Make the opening of a child run.
     *
     * @param state of the run above it
     * @param context the values of the request
     */
    RunOpening of(
            RunScope parent, ConversationState state, CallState call, AgentDefinition agent, RequestContext context) {
        AgentPath path = parent.events().path().child(call.agentKey());
        RunId runId = call.child().runId();
        List<Message> seen = new ArrayList<>(ForwardedMessages.context(state, call.child()));
        seen.addAll(ChildThreads.recalled(state, call, agent));
        Fact.Started started = new Fact.Started(
                agent.id(),
                agent.name(),
                path,
                state.started().rootRunId(),
                state.runId(),
                call.callId(),
                threads.of(state, call, agent, path),
                seen,
                Transcript.input(runId, List.of(DelegationPrompts.of(state, call, agent))),
                call.child().instructions(),
                settings(parent.options(), agent, call),
                List.of(),
                context.stored(),
                null,
                null,
                !agent.agents().isEmpty(),
                false,
                null,
                environment.time().now());
        return environment.opening(agent, started);
    }

    private OptionValues settings(OptionValues above, AgentDefinition agent, CallState call) {
        OptionValues own = agent.defaultOptions();
        OptionValues inherited = own.settingsUnder(above);
        Integer maxSteps = MaxSteps.ofDelegation(agent, own, call);
        OptionValues settings =
                maxSteps == null ? inherited.without(Options.MAX_STEPS) : inherited.with(Options.MAX_STEPS, maxSteps);
        return settings.equals(own.settings()) ? own.settings() : settings; // mostly; thousands of runs then share them
    }
}
