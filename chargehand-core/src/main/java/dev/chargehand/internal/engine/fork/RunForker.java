package dev.chargehand.internal.engine.fork;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.error.VersionUnknownException;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.definition.AgentDefinition;
import dev.chargehand.internal.definition.DefinitionRegistry;
import dev.chargehand.internal.engine.AccessGate;
import dev.chargehand.internal.engine.Engine;
import dev.chargehand.internal.engine.LocalRun;
import dev.chargehand.internal.engine.RunKeys;
import dev.chargehand.internal.engine.RunStarter;
import dev.chargehand.internal.engine.UnstoredOptions;
import dev.chargehand.internal.engine.kind.MaxSteps;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.internal.fact.DefinitionLink;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.StartedFacts;
import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.internal.fact.task.Background;
import dev.chargehand.internal.journal.RunOpening;
import dev.chargehand.internal.option.Option;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.Transcript;
import dev.chargehand.internal.state.value.Remembered;
import dev.chargehand.message.Message;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.ForkOrigin;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Append.IdempotencyKey;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.version.Version;
import dev.chargehand.version.Versions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Starts runs that continue from a step of another run, which is only read. Thread-safe. */
public final class RunForker {

    private final RuntimeEnvironment environment;
    private final Engine engine;
    private final RunStarter starter;
    private final AccessGate access;

    /** Make it for a runtime. */
    public RunForker(RuntimeEnvironment environment, Engine engine, RunStarter starter, AccessGate access) {
        this.access = access;
        this.starter = starter;
        this.environment = environment;
        this.engine = engine;
    }

    /**
     * Start a fork, or find the one that an earlier call with its key has started.
     *
     * @param started returns what the caller gets of a fork that was started
     * @param found returns it of one that was found
     */
    public <T> T fork(
            RunId from, int afterStep, ForkChanges changes, Function<LocalRun, T> started, Function<RunId, T> found) {
        engine.requireOpen();
        environment.ownership().startHeartbeat();
        ForkOrigin origin = new ForkOrigin(from, afterStep, changes.replaced());
        RunRecord record = root(environment, access, origin.runId());
        CopiedSteps copied = CopiedSteps.read(environment.store(), record, origin.step());
        AgentDefinition agent = agent(copied.started(), changes);
        OptionValues options = options(record, copied.started(), agent, changes);
        IdempotencyKey key = key(origin, agent, changes, options);
        return RunKeys.once(
                engine, key, () -> started.apply(fork(record, origin, copied, agent, options, changes, key)), found);
    }

    /** Return the agent that continues: in the version of the source run, unless the fork names another. */
    private AgentDefinition agent(Fact.Started old, ForkChanges changes) {
        if (changes.agent() != null) {
            return changes.agent();
        }
        DefinitionRegistry known = engine.definitions();
        AgentDefinition code = known.requireAgent(old.agentId());
        DefinitionLink link = old.definition();
        if (changes.version() != null || link == null) {
            return changes.version() == null ? code : known.resolve(code, changes.version(), new Cancellation());
        }
        return (AgentDefinition) known.find(code.id(), link.version())
                .orElseThrow(() -> new VersionUnknownException("The source run was started with version '"
                        + link.version() + "' of agent '" + code.id() + "', which is not in this runtime. It has: "
                        + known.versionsOf(code.id())
                        + ". Name one of them by version(...) of the fork, or give it that version too."));
    }

    /** The key counts for the source run; the options are not a part of the input, as with any call. */
    private @Nullable IdempotencyKey key(
            ForkOrigin origin, AgentDefinition agent, ForkChanges changes, OptionValues options) {
        List<@Nullable String> input = new ArrayList<>();
        input.add(Integer.toString(origin.step()));
        input.add(agent.id());
        if (changes.version() != null) {
            input.add(changes.version().toJson().text());
        }
        input.add(options.get(Options.THREAD));
        input.add(changes.models() == null ? null : String.join(" ", changes.models()));
        input.add(
                changes.input() == null
                        ? null
                        : Integer.toString(changes.input().size()));
        Stream.concat(Stream.ofNullable(changes.input()).flatMap(List::stream), changes.said().stream())
                .forEach(message -> input.add(RunKeys.textOf(message)));
        return RunKeys.of(environment.tenantId(), "runs/" + origin.runId() + "/fork", input, options);
    }

    private LocalRun fork(
            RunRecord record,
            ForkOrigin origin,
            CopiedSteps copied,
            AgentDefinition agent,
            OptionValues options,
            ForkChanges changes,
            @Nullable IdempotencyKey key) {
        requireHooks(record, copied.started(), agent, options, changes);
        ThreadLink old = copied.started().thread();
        ThreadCopies copies = old == null ? null : new ThreadCopies(environment.store(), old, copied);
        List<ThreadEntry> earlier = copies == null ? List.of() : copies.earlier();
        LongUnaryOperator places = ThreadCopies.placesIn(earlier);
        ThreadLink thread = thread(old, options, earlier.size(), places);
        Fact.Started started = started(origin, copied.started(), thread, agent, options, changes);
        copied.requireSomethingToDo(MaxSteps.of(started), changes.said());
        Fact.Started there = StartedFacts.onThread(started, old); // its copy is stored with the run
        List<Message> tail = environment.texts(agent).tail(there);
        RunOpening opening = new RunOpening(
                started,
                tail,
                copied.recalled(started, places)
                        .map(recalled -> remembered(
                                agent,
                                State.of(started.rootRunId(), there, tail).conversation(),
                                copied,
                                recalled))
                        .orElse(Remembered.NOTHING),
                copied.facts(changes.said(), started, places),
                copies == null || thread == null ? List.of() : copies.to(thread, earlier, agent),
                List.of(),
                List.of(),
                key);
        OptionValues own = thread == null ? options : options.with(Options.THREAD, thread.id());
        return starter.fork(agent, opening, own);
    }

    /** What the copied steps recalled is not searched again; its texts are those of the threads that the run read. */
    private Remembered remembered(
            AgentDefinition agent, ConversationState there, CopiedSteps copied, Fact.Recalled ofTheFork) {
        Remembered texts = environment
                .texts(agent)
                .recalled(there, copied.state().remembered().recalled());
        return new Remembered(ofTheFork, texts.before(), texts.tail(), texts.after(), texts.isWhole());
    }

    static RunRecord root(RuntimeEnvironment environment, AccessGate access, RunId runId) {
        RunRecord found = environment
                .store()
                .find(runId)
                .filter(run -> access.mayOpen(run, false))
                .orElseThrow(() -> AccessGate.missing(environment, runId));
        if (!found.isRoot()) {
            throw new ConfigurationException(
                    "Run " + runId + " is a delegation; fork its root run " + found.rootRunId() + " instead.");
        }
        return found;
    }

    /**
     * The old run's, but for its thread; hooks are those of the agent, and those of the old run that are still here.
     */
    private OptionValues options(RunRecord record, Fact.Started old, AgentDefinition agent, ForkChanges changes) {
        boolean same = agent.id().equals(old.agentId()) && !changes.withoutHooks();
        OptionValues base = same ? engine.optionsFor(agent, record.runId()) : agent.defaultOptions();
        OptionValues options = changes.options()
                .apply(owned(base, old)
                        .with(Option.Part.SETTINGS, old.settings())
                        .plus(Options.REQUEST_CONTEXT, RequestContext.restore(old.requestContext()))
                        .without(Options.THREAD)
                        .without(Options.IDEMPOTENCY_KEY)
                        .without(Options.IDEMPOTENCY_DIGEST));
        requireVersions(old, agent, options);
        requireOwner(record, old, options);
        return options;
    }

    /** A fork belongs to the resource of the run that it copies. */
    static OptionValues owned(OptionValues base, Fact.Started old) {
        String resource = old.resourceId();
        return resource == null ? base.without(Options.RESOURCE) : base.with(Options.RESOURCE, resource);
    }

    /** What a thread or a run of a resource has must not become that of another. */
    static void requireOwner(RunRecord record, Fact.Started old, OptionValues options) {
        ThreadLink thread = old.thread();
        if (Objects.equals(old.resourceId(), options.get(Options.RESOURCE))) {
            return;
        }
        if (thread != null) {
            throw new ThreadOwnershipException(thread.id());
        }
        if (old.resourceId() != null) {
            throw new ConfigurationException("Fork of run " + record.runId()
                    + ": it belongs to the resource of the run that it copies; leave option 'resource' out.");
        }
    }

    /** What a fork selects of sub-agents must exist, and what it says of its own agent must not be lost. */
    private void requireVersions(Fact.Started old, AgentDefinition agent, OptionValues options) {
        Version own = options.get(Options.VERSIONS).get(agent.id());
        boolean names =
                own != null && !own.equals(old.settings().get(Options.VERSIONS).get(agent.id()));
        boolean inRequest = !Versions.in(options.get(Options.REQUEST_CONTEXT))
                .equals(Versions.in(RequestContext.restore(old.requestContext())));
        if (names || inRequest) {
            throw new ConfigurationException("Agent '" + agent.id() + "': "
                    + (names ? "an option of the fork" : "the request context of the fork")
                    + " selects a version. Set that of the agent that continues by version(...) of the fork, and those of"
                    + " its sub-agents by option 'version'.");
        }
        engine.definitions()
                .requireKnown(
                        "The versions of a fork of a run of agent '" + agent.id() + "'",
                        options.get(Options.VERSIONS).keySet(),
                        List.of(agent));
    }

    private static void requireHooks(
            RunRecord record, Fact.Started old, AgentDefinition agent, OptionValues options, ForkChanges changes) {
        List<String> missing = UnstoredOptions.missing(old.hooks(), options, agent.defaultOptions());
        if (!missing.isEmpty() && !changes.withoutHooks()) {
            throw UnstoredOptions.refusal(
                    record.runId().value(),
                    missing,
                    "Give them again as options of the fork, or continue withoutHooks().");
        }
    }

    private Fact.Started started(
            ForkOrigin origin,
            Fact.Started old,
            @Nullable ThreadLink thread,
            AgentDefinition agent,
            OptionValues options,
            ForkChanges changes) {
        RunId runId = new RunId(environment.ids().next("run_"));
        List<Message> input = new ArrayList<>(changes.input() == null ? old.input() : changes.input());
        if (origin.step() == 0) {
            input.addAll(changes.said());
        }
        boolean same = agent.id().equals(old.agentId());
        return new Fact.Started(
                agent.id(),
                agent.name(),
                AgentPath.root(agent.id()),
                runId,
                null,
                null,
                thread,
                options.get(Options.RESOURCE),
                List.of(),
                Transcript.input(runId, input),
                null,
                RunStarter.requested(options),
                UnstoredOptions.of(options, agent.defaultOptions()),
                options.get(Options.REQUEST_CONTEXT).stored(),
                changes.models() == null && same ? old.models() : changes.models(),
                origin,
                agent.isSupervisor(),
                false,
                agent.link(),
                Background.NONE,
                environment.time().now());
    }

    /** A fork never appends to a thread that others have. */
    private @Nullable ThreadLink thread(
            @Nullable ThreadLink old, OptionValues options, long position, LongUnaryOperator places) {
        String named = options.get(Options.THREAD);
        if (old == null && named == null) {
            return null;
        }
        if (named != null && environment.store().findThread(named).isPresent()) {
            throw new ConfigurationException("The fork cannot create thread '" + named
                    + "': it already exists. Pass a thread id that is not in use, or omit it to create one.");
        }
        String id = named == null ? environment.ids().next("thread_") : named;
        ThreadOwner owner = new ThreadOwner(options.get(Options.RESOURCE), null);
        Long from = old == null ? null : old.historyFrom();
        return new ThreadLink(id, owner, position, from == null ? null : (Long) places.applyAsLong(from));
    }
}
