package dev.chargehand.internal.run;

import dev.chargehand.Agent;
import dev.chargehand.Fork;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Transcript;
import dev.chargehand.internal.journal.Opening;
import dev.chargehand.message.Message;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.ForkOrigin;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.ThreadOwner;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Begins runs that go on from a step of another run, which is only read. Thread-safe. */
public final class Forking {

    private final Environment environment;
    private final Engine engine;

    /** Makes it for a runtime. */
    public Forking(Environment environment, Engine engine) {
        this.environment = environment;
        this.engine = engine;
    }

    /** Forks a run and waits for the result. */
    public RunResult fork(RunId from, int afterStep, Fork changes, Function<String, Agent> agents) {
        return begin(new ForkOrigin(from, afterStep), changes, agents, false)
                .run()
                .result();
    }

    /** Forks a run and lets the fork be watched. */
    public RunStream forkStream(RunId from, int afterStep, Fork changes, Function<String, Agent> agents) {
        return begin(new ForkOrigin(from, afterStep), changes, agents, true).stream();
    }

    private Engine.Begun begin(ForkOrigin origin, Fork changes, Function<String, Agent> agents, boolean streamed) {
        RunRecord record = root(origin.runId());
        CopiedSteps copied = CopiedSteps.read(environment.store(), record, origin.step());
        Agent agent = changes.agent() == null ? agents.apply(record.agentId()) : changes.agent();
        RunOptions options = options(record, copied.started(), agent, changes);
        Fact.ThreadLink old = copied.started().thread();
        ThreadCopies copies = old == null ? null : new ThreadCopies(environment.store(), old, copied);
        List<ThreadEntry> earlier = copies == null ? List.of() : copies.earlier();
        Fact.ThreadLink thread = thread(old, options, earlier.size());
        Fact.Started started = started(origin, copied.started(), thread, agent, options, changes);
        copied.requireSomethingToDo(MaxSteps.of(started), changes.said());
        Opening opening = new Opening(
                started,
                ThreadTail.read(environment.store(), old, agent.lastMessages()),
                copied.facts(changes.said(), started),
                copies == null || thread == null ? List.of() : copies.to(thread, earlier, agent),
                List.of());
        RunOptions own = thread == null ? options : options.with(o -> o.thread(thread.id()));
        return engine.fork(agent, opening, own, streamed);
    }

    private RunRecord root(RunId runId) {
        RunRecord found = environment
                .store()
                .find(runId)
                .orElseThrow(() -> new StoreException(
                        StoreException.Kind.NOT_FOUND,
                        "There is no run " + runId + " in the store; runs(filter) lists those that can be forked.",
                        null));
        if (!found.isRoot()) {
            throw new ConfigurationException(
                    "Run " + runId + " is a delegation; fork its root run " + found.rootRunId() + " instead.");
        }
        return found;
    }

    /** The old run's, but for its thread; hooks are those of the agent, and those of the old run that are still here. */
    private RunOptions options(RunRecord record, Fact.Started old, Agent agent, Fork changes) {
        boolean same = agent.id().equals(old.agentId()) && !changes.withoutHooks();
        RunOptions base = same ? engine.optionsFor(agent, record.runId()) : agent.defaultOptions();
        Fact.ThreadLink thread = old.thread();
        RequestContext context = base.requestContext().merge(RequestContext.restore(old.requestContext()));
        String resource = thread == null ? base.resourceId() : thread.owner().resourceId();
        RunOptions options =
                new RunOptions(old.settings(), base.hooks(), null, resource, context).with(changes.options());
        if (thread != null && !Objects.equals(resource, options.resourceId())) {
            throw new ThreadOwnershipException(thread.id());
        }
        List<String> missing = GivenAgain.missing(old.hooks(), options, agent);
        if (!missing.isEmpty() && !changes.withoutHooks()) {
            throw GivenAgain.refusal(
                    record.runId().value(),
                    missing,
                    "Give them again as options of the fork, or say that it goes on withoutHooks().");
        }
        return options;
    }

    private Fact.Started started(
            ForkOrigin origin,
            Fact.Started old,
            Fact.@Nullable ThreadLink thread,
            Agent agent,
            RunOptions options,
            Fork changes) {
        RunId runId = new RunId(environment.ids().next("run_"));
        List<Message> input = new ArrayList<>(changes.input() == null ? old.input() : changes.input());
        if (origin.step() == 0) {
            input.addAll(changes.said());
        }
        boolean same = agent.id().equals(old.agentId());
        return new Fact.Started(
                agent.id(),
                AgentPath.root(agent.id()),
                runId,
                null,
                null,
                thread,
                List.of(),
                Transcript.input(runId, input),
                null,
                Engine.requested(options),
                GivenAgain.of(options, agent),
                options.requestContext().stored(),
                changes.models() == null && same ? old.models() : changes.models(),
                origin,
                environment.time().now());
    }

    /** A fork never appends to a thread that others have. */
    private Fact.@Nullable ThreadLink thread(Fact.@Nullable ThreadLink old, RunOptions options, long position) {
        String named = options.threadId();
        if (old == null && named == null) {
            return null;
        }
        if (named != null && environment.store().findThread(named).isPresent()) {
            throw new ConfigurationException("A fork begins a new thread, but thread '" + named
                    + "' is there already; give an id that no thread has, or none.");
        }
        String id = named == null ? environment.ids().next("thread_") : named;
        return new Fact.ThreadLink(id, new ThreadOwner(options.resourceId(), null), position);
    }
}
