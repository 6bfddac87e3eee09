package dev.chargehand.internal.run;

import dev.chargehand.Agent;
import dev.chargehand.RunHooks;
import dev.chargehand.RunSettings;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.loop.RootScope;
import dev.chargehand.internal.loop.RunScope;
import dev.chargehand.internal.stream.EventSink;
import dev.chargehand.internal.stream.RunEvents;
import dev.chargehand.processor.OutputStepProcessor;
import dev.chargehand.processor.OutputStreamProcessor;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunInfo;
import org.jspecify.annotations.Nullable;

/**
 * Makes of a run's first fact and its agent's definition what the run works with.
 *
 * @param root what the whole tree shares
 * @param sink where the tree tells its events, or null if nobody listens
 */
record Scopes(RootScope root, @Nullable EventSink sink) {

    /**
     * Resolves what a run works with.
     *
     * @throws ConfigurationException if something of it does not fit, or cannot be found
     */
    RunScope of(Agent agent, RunId runId, Fact.Started started, RunHooks hooks, RequestContext context, Above above) {
        requireProcessorsThatFit(agent, started.settings(), hooks);
        Definitions.Resolved resolved = new Definitions(root)
                .resolve(agent, started.models(), context, started.settings(), above.cancellation());
        String added = started.instructions();
        Fact.ThreadLink thread = started.thread();
        return new RunScope(
                root,
                agent,
                added == null ? resolved.instructions() : Definitions.plus(resolved.instructions(), added),
                resolved.models(),
                resolved.structuringModels(),
                resolved.toolbox(),
                started.settings(),
                hooks,
                MaxSteps.of(started),
                new RunInfo(
                        runId,
                        started.path(),
                        agent.id(),
                        thread == null ? null : thread.id(),
                        thread == null ? null : thread.owner().resourceId(),
                        context),
                above.with(hooks.requireToolApproval()),
                above.with(agent),
                above.cancellation(),
                new RunEvents(sink, runId, started.path()));
    }

    /** What a router writes is a decision, of which nobody is told as a text: there is nothing to be held back or rewritten. */
    private static void requireProcessorsThatFit(Agent agent, RunSettings settings, RunHooks hooks) {
        if (settings.kind().isNetwork()
                && !(hooks.outputProcessors(OutputStreamProcessor.class).isEmpty()
                        && hooks.outputProcessors(OutputStepProcessor.class).isEmpty())) {
            throw new ConfigurationException(
                    "Agent '" + agent.id() + "': in a network no processor can look at a router's"
                            + " answers as they arrive or before its calls, since they are decisions. Have an OutputResultProcessor"
                            + " look at the result, input processors at what comes in, beforeToolCall and onDelegationStart at what"
                            + " is chosen; and the processors of the sub-agents at what those say.");
        }
    }
}
