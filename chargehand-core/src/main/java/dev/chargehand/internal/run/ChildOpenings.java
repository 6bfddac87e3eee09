package dev.chargehand.internal.run;

import dev.chargehand.Agent;
import dev.chargehand.RunSettings;
import dev.chargehand.internal.fact.CallState;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.State;
import dev.chargehand.internal.fact.Transcript;
import dev.chargehand.internal.journal.Opening;
import dev.chargehand.internal.loop.Forwarding;
import dev.chargehand.internal.loop.Prompts;
import dev.chargehand.internal.loop.RunScope;
import dev.chargehand.message.Message;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunKind;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes of an opened delegation with what its child run begins.
 *
 * @param threads find the threads of children
 */
record ChildOpenings(Environment environment, ChildThreads threads) {

    /**
     * Makes the opening of a child run.
     *
     * @param state of the run above it
     * @param context the values of the request
     */
    Opening of(RunScope parent, State state, CallState call, Agent agent, RequestContext context) {
        AgentPath path = parent.events().path().child(call.agentKey());
        RunId runId = call.child().runId();
        List<Message> seen = new ArrayList<>(Forwarding.context(state, call.child()));
        seen.addAll(ChildThreads.recalled(state, call, agent));
        Fact.Started started = new Fact.Started(
                agent.id(),
                path,
                state.started().rootRunId(),
                state.runId(),
                call.callId(),
                threads.of(state, call, agent, path),
                seen,
                Transcript.input(runId, List.of(Prompts.of(state, call, agent))),
                call.child().instructions(),
                settings(parent.settings(), agent, call),
                List.of(),
                context.stored(),
                null,
                null,
                environment.time().now());
        return environment.opening(agent, started);
    }

    /** Limits, budget and prices are the tree's; the rest is the sub-agent's own. */
    private static RunSettings settings(RunSettings tree, Agent agent, CallState call) {
        RunSettings own = agent.defaultOptions().settings();
        RunSettings settings = new RunSettings(
                MaxSteps.ofDelegation(agent, call),
                own.toolCallConcurrency(),
                own.retries(),
                own.toolChoice(),
                own.activeTools(),
                tree.limits(),
                tree.timeLimits(),
                tree.budget(),
                tree.prices(),
                own.delegation(),
                own.approvals().under(tree.approvals()),
                own.busyThread(),
                own.hookPolicies(),
                own.modelSettings(),
                tree.metadata(),
                own.structuredOutput(),
                RunKind.ORDINARY,
                own.maxProcessorRetries());
        return settings.equals(own) ? own : settings; // mostly; thousands of runs then share them
    }
}
