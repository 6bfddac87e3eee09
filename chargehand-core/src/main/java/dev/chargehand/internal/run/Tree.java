package dev.chargehand.internal.run;

import dev.chargehand.Agent;
import dev.chargehand.RunHooks;
import dev.chargehand.RunSettings;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.HookException;
import dev.chargehand.internal.fact.CallState;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Spent;
import dev.chargehand.internal.fact.State;
import dev.chargehand.internal.fact.Transcript;
import dev.chargehand.internal.journal.Journal;
import dev.chargehand.internal.limit.Callouts;
import dev.chargehand.internal.limit.Cancellation;
import dev.chargehand.internal.limit.Ledger;
import dev.chargehand.internal.limit.RunInterrupted;
import dev.chargehand.internal.loop.Delegations;
import dev.chargehand.internal.loop.Ending;
import dev.chargehand.internal.loop.RootScope;
import dev.chargehand.internal.loop.RunScope;
import dev.chargehand.internal.loop.Toolbox;
import dev.chargehand.internal.stream.EventSink;
import dev.chargehand.internal.stream.Narrator;
import dev.chargehand.internal.stream.RunEvents;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.model.Model;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.ThreadOwner;
import dev.chargehand.tool.Tool;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A root run and its descendants while they are live: begins them, takes them up again, and shares what they share. */
final class Tree implements Delegations {

    private static final int STEPS_OF_A_ROOT = 10;
    private static final int STEPS_OF_A_DELEGATION = 5;

    private final Environment environment;
    private final RootScope scope;
    private final @Nullable EventSink sink;
    private final boolean resumed;

    /**
     * Makes a tree.
     *
     * @param settings the root's: their limits and budget hold for the whole tree
     * @param sink where the tree tells its events, or null if nobody listens
     * @param resumed whether children may be in the store already
     */
    Tree(Environment environment, RunSettings settings, @Nullable EventSink sink, boolean resumed) {
        this.environment = environment;
        this.sink = sink;
        this.resumed = resumed;
        this.scope = new RootScope(
                environment.time(),
                environment.ids(),
                environment.jitter(),
                environment.callouts(),
                new Cancellation(),
                new Ledger(settings.limits(), settings.budget()),
                environment.redactor(),
                environment.models()::of,
                this,
                new AtomicBoolean());
    }

    RootScope scope() {
        return scope;
    }

    /** What an agent is for one request. */
    private record Resolved(String instructions, List<Model> models, Toolbox toolbox) {}

    /** Begins a run: what can be wrong with its definition is found before anything is stored. */
    LiveRun start(Agent agent, RunId runId, Fact.Started started, RunHooks hooks, RequestContext context) {
        int maxSteps = maxSteps(started);
        RunScope run = scopeOf(agent, runId, started, hooks, context, maxSteps);
        List<Message> tail = ThreadTail.read(environment.store(), started.thread(), agent.lastMessages());
        Journal journal = Journal.start(environment.store(), runId, environment.owner(), started, tail);
        Narrator narrator = new Narrator(run.events(), !agent.agents().isEmpty(), maxSteps);
        narrator.tell(List.of(new Journal.Stored(started, journal.state())));
        return new LiveRun(run, journal, narrator);
    }

    /** Takes a run up that was claimed for this process and has not ended. */
    LiveRun resume(Agent agent, Journal journal, RunHooks hooks, RequestContext more) {
        Fact.Started started = journal.state().started();
        RequestContext context =
                RequestContext.restore(started.requestContext()).merge(more);
        int maxSteps = maxSteps(started);
        RunScope run = scopeOf(agent, journal.state().runId(), started, hooks, context, maxSteps);
        enter(journal.state().spent());
        Narrator narrator = new Narrator(run.events(), !agent.agents().isEmpty(), maxSteps);
        journal.add(new Fact.Resumed(environment.owner(), environment.time().now()));
        journal.add(Ending.ofInterrupted(journal.state(), environment.time().now()));
        narrator.tell(journal.commit());
        return new LiveRun(run, journal, narrator);
    }

    private static int maxSteps(Fact.Started started) {
        Integer set = started.settings().maxSteps();
        int byDefault = started.path().isRoot() ? STEPS_OF_A_ROOT : STEPS_OF_A_DELEGATION;
        return set == null ? byDefault : set;
    }

    private void enter(Spent spent) {
        scope.ledger()
                .enter(
                        spent.modelCalls(),
                        spent.toolCalls(),
                        spent.outputCharacters(),
                        spent.totalUsage().totalTokens(),
                        spent.cost());
    }

    private RunScope scopeOf(
            Agent agent, RunId runId, Fact.Started started, RunHooks hooks, RequestContext context, int maxSteps) {
        Resolved resolved = resolve(agent, context, started.settings());
        return new RunScope(
                scope,
                agent,
                resolved.instructions(),
                resolved.models(),
                resolved.toolbox(),
                started.settings(),
                hooks,
                maxSteps,
                context,
                new RunEvents(sink, runId, started.path()));
    }

    private Resolved resolve(Agent agent, RequestContext context, RunSettings settings) {
        if (!agent.isDynamic()) {
            return define(agent, context);
        }
        try {
            return scope.callouts()
                    .call(
                            "dynamic settings of " + agent.id(),
                            settings.timeLimits().get(TimeLimit.HOOK),
                            scope.cancellation(),
                            () -> define(agent, context));
        } catch (Callouts.TimedOut e) {
            throw new HookException("The dynamic settings of agent '" + agent.id() + "' took too long.", e);
        } catch (Callouts.Threw e) {
            if (e.thrown() instanceof ConfigurationException wrong) {
                throw wrong;
            }
            throw new HookException(
                    "The dynamic settings of agent '" + agent.id() + "' threw "
                            + scope.redactor().describe(e.thrown()) + ".",
                    e.thrown());
        }
    }

    private Resolved define(Agent agent, RequestContext context) {
        List<Tool> tools = agent.toolsFor(context);
        return new Resolved(
                agent.instructionsFor(context),
                environment.models().of(agent.modelFor(context)),
                Toolbox.of(agent.agents(), tools));
    }

    @Override
    public Fact.ChildEnd run(RunScope parent, State state, CallState call) {
        Fact.ChildLink link = Objects.requireNonNull(call.opened()).child();
        RunId runId = Objects.requireNonNull(link).runId();
        AgentPath path = parent.events().path();
        String key = call.call().name().substring(Toolbox.AGENT_PREFIX.length());
        Agent agent = Objects.requireNonNull(parent.agent().agents().get(key));
        try {
            State ended = child(parent, state, call, agent, runId, path.child(key));
            return new Fact.ChildEnd(
                    runId, agent.id(), ended.status(), ended.stopReason().orElseThrow(), ended.text(), ended.spent());
        } catch (RunInterrupted e) {
            return neverBegan(runId, agent, e.reason());
        } catch (ChargehandException e) {
            return neverBegan(
                    runId,
                    agent,
                    new StopReason.Failed(e.code(), scope.redactor().redact(e.getMessage()), e.retryable()));
        }
    }

    private static Fact.ChildEnd neverBegan(RunId runId, Agent agent, StopReason reason) {
        return new Fact.ChildEnd(runId, agent.id(), reason.status(), reason, "", Spent.NOTHING);
    }

    private State child(RunScope parent, State state, CallState call, Agent agent, RunId runId, AgentPath path) {
        RunHooks hooks = agent.defaultOptions().hooks();
        Optional<RunRecord> there = resumed ? environment.store().find(runId) : Optional.empty();
        if (there.isPresent()) {
            RunRecord claimed = environment.store().claim(runId, there.get().epoch(), environment.owner());
            Journal journal = environment.load(agent, claimed);
            return claimed.status().isEnded()
                    ? journal.state()
                    : resume(agent, journal, hooks, parent.requestContext())
                            .advance()
                            .state();
        }
        return firstTime(parent, state, call, agent, runId, path).advance().state();
    }

    private LiveRun firstTime(RunScope parent, State state, CallState call, Agent agent, RunId runId, AgentPath path) {
        RunSettings settings =
                inherited(parent.settings(), agent.defaultOptions().settings(), stepsFor(agent, call));
        Fact.Started started = new Fact.Started(
                agent.id(),
                path,
                state.started().rootRunId(),
                state.runId(),
                call.callId(),
                ownThread(state, path),
                Forwarding.context(state),
                Transcript.input(runId, Forwarding.prompt(agent, call)),
                settings,
                parent.requestContext().stored(),
                environment.time().now());
        return start(agent, runId, started, agent.defaultOptions().hooks(), parent.requestContext());
    }

    /** A delegation remembers in a thread of its own, if the conversation above it is remembered at all. */
    private Fact.@Nullable ThreadLink ownThread(State parent, AgentPath path) {
        Fact.ThreadLink above = parent.started().thread();
        return above == null
                ? null
                : new Fact.ThreadLink(
                        environment.ids().next("thread_"),
                        new ThreadOwner(above.owner().resourceId(), path.toString()),
                        0);
    }

    private static @Nullable Integer stepsFor(Agent agent, CallState call) {
        Integer set = agent.defaultOptions().settings().maxSteps();
        int most = set == null ? STEPS_OF_A_DELEGATION : set;
        return agent.acceptsModelMaxSteps()
                ? Json.parse(call.call().arguments())
                        .at("/maxSteps")
                        .map(asked -> (int) Math.min(most, asked.as(Double.class)))
                        .orElse(set)
                : set;
    }

    /** Limits, budget and prices are the tree's; the rest is the sub-agent's own. */
    private static RunSettings inherited(RunSettings tree, RunSettings own, @Nullable Integer maxSteps) {
        return new RunSettings(
                maxSteps,
                own.toolCallConcurrency(),
                own.retries(),
                own.toolChoice(),
                own.activeTools(),
                tree.limits(),
                tree.timeLimits(),
                tree.budget(),
                tree.prices(),
                own.modelSettings(),
                tree.metadata());
    }
}
