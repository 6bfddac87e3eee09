package dev.chargehand.internal.engine.tree;

import dev.chargehand.internal.agent.delegation.ForwardedMessages;
import dev.chargehand.internal.definition.AgentDefinition;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.definition.WorkflowDefinition;
import dev.chargehand.internal.engine.kind.MaxSteps;
import dev.chargehand.internal.fact.DefinitionLink;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.task.Background;
import dev.chargehand.internal.journal.Journal;
import dev.chargehand.internal.journal.RunOpening;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.DelegationPrompts;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.Transcript;
import dev.chargehand.internal.state.WorkflowState;
import dev.chargehand.message.Message;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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
    RunOpening of(RunScope parent, State state, CallState call, RunDefinition definition, RequestContext context) {
        AgentPath path = parent.events().path().child(parent.definition().keyOf(call));
        RunId runId = call.child().runId();
        Fact.Started started = new Fact.Started(
                definition.id(),
                definition.name(),
                path,
                state.started().rootRunId(),
                state.runId(),
                call.callId(),
                threads.of(state, call, definition, path),
                state.started().resourceId(),
                seen(state, call, definition),
                Transcript.input(runId, List.of(said(state, call, definition))),
                call.child().instructions(),
                settings(parent.options(), state, call, definition),
                List.of(),
                context.stored(),
                null,
                null,
                definition.isSupervisor(),
                false,
                link(state, definition),
                Background.NONE,
                environment.time().now());
        return environment.opening(definition, started);
    }

    /** Emit the starts of nested runs that started with a fork, and return which they are; they are resumed with the calls that they belong to. */
    List<RunId> replay(RunScopeFactory scopes, RunScope root, Journal journal) {
        List<RunId> started = new ArrayList<>();
        RunScope above = root;
        State state = journal.state();
        for (Journal nested : journal.below()) {
            State child = nested.state();
            Fact.Started first = child.started();
            CallState call = state.openCall(Objects.requireNonNull(first.parentCallId()));
            RunDefinition definition = environment.definitions().requireOfChild(above.definition(), call);
            RunScope run = scopes.of(
                    definition,
                    child.runId(),
                    first,
                    definition.defaultOptions(),
                    above.contextOf(call),
                    InheritedScope.childOf(above));
            RunTree.partsOf(run, definition, first).narrator().replay(nested.committed());
            started.add(child.runId());
            above = run;
            state = child;
        }
        return started;
    }

    /** A nested workflow that shares the state starts with that of the run above it. */
    private static @Nullable DefinitionLink link(State state, RunDefinition definition) {
        DefinitionLink link = definition.link();
        return link != null
                        && state instanceof WorkflowState above
                        && definition instanceof WorkflowDefinition nested
                        && nested.workflow().sharesState()
                ? new DefinitionLink(link.version(), link.shape(), above.shared())
                : link;
    }

    /** Return what an agent sees of the conversation above it. */
    private static List<Message> seen(State state, CallState call, RunDefinition definition) {
        if (!(state instanceof ConversationState conversation && definition instanceof AgentDefinition agent)) {
            return List.of();
        }
        List<Message> seen = new ArrayList<>(ForwardedMessages.context(conversation, call.child()));
        seen.addAll(ChildThreads.recalled(conversation, call, agent));
        return seen;
    }

    /** Return what the run works on; what a workflow says is said in full when the call is opened. */
    private static Message said(State state, CallState call, RunDefinition definition) {
        return state instanceof ConversationState conversation && definition instanceof AgentDefinition agent
                ? DelegationPrompts.of(conversation, call, agent)
                : Message.user(call.child().prompt());
    }

    private static OptionValues settings(OptionValues above, State state, CallState call, RunDefinition definition) {
        OptionValues own = definition.defaultOptions();
        OptionValues inherited = own.settingsUnder(above);
        Integer maxSteps = state instanceof ConversationState && definition instanceof AgentDefinition agent
                ? MaxSteps.ofDelegation(agent, own, call)
                : own.get(Options.MAX_STEPS);
        OptionValues settings =
                maxSteps == null ? inherited.without(Options.MAX_STEPS) : inherited.with(Options.MAX_STEPS, maxSteps);
        return settings.equals(own.settings()) ? own.settings() : settings; // mostly; thousands of runs then share them
    }
}
