package dev.chargehand.internal.engine.fork;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.WorkflowUnknownException;
import dev.chargehand.internal.definition.WorkflowDefinition;
import dev.chargehand.internal.engine.AccessGate;
import dev.chargehand.internal.engine.Engine;
import dev.chargehand.internal.engine.LocalRun;
import dev.chargehand.internal.engine.RunKeys;
import dev.chargehand.internal.engine.RunStarter;
import dev.chargehand.internal.engine.UnstoredOptions;
import dev.chargehand.internal.engine.kind.RunAssembly;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.internal.fact.DefinitionLink;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.task.Background;
import dev.chargehand.internal.journal.RunOpening;
import dev.chargehand.internal.option.Option;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.state.Transcript;
import dev.chargehand.internal.state.value.SharedState;
import dev.chargehand.internal.workflow.Misfit;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.ForkOrigin;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Append.IdempotencyKey;
import dev.chargehand.store.RunRecord;
import dev.chargehand.workflow.Workflow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Starts runs of workflows that continue before an entry of another run, which is only read. Thread-safe. */
public final class WorkflowForker {

    private final RuntimeEnvironment environment;
    private final Engine engine;
    private final RunStarter starter;
    private final AccessGate access;

    /** Make it for a runtime. */
    public WorkflowForker(RuntimeEnvironment environment, Engine engine, RunStarter starter, AccessGate access) {
        this.environment = environment;
        this.engine = engine;
        this.starter = starter;
        this.access = access;
    }

    /**
     * Start a fork, or find the one that an earlier call with its key has started.
     *
     * @param started returns what the caller gets of a fork that was started
     * @param found returns it of one that was found
     */
    public <T> T fork(
            RunId from, WorkflowForkChanges changes, Function<LocalRun, T> started, Function<RunId, T> found) {
        engine.requireOpen();
        environment.ownership().startHeartbeat();
        RunRecord record = RunForker.root(environment, access, from);
        SourceRounds source = SourceRounds.read(environment.store(), record, "");
        Fact.Started old = source.start().started();
        if (old.submitted()) {
            throw new ConfigurationException("Run " + from + " has not started, so that there is nothing to fork.");
        }
        WorkflowDefinition definition = definition(old, changes);
        OptionValues options = options(record, old, definition, changes);
        IdempotencyKey key = key(from, definition, changes, options);
        return RunKeys.once(engine, key, () -> started.apply(fork(source, definition, options, changes, key)), found);
    }

    private WorkflowDefinition definition(Fact.Started old, WorkflowForkChanges changes) {
        if (changes.workflow() != null) {
            return changes.workflow();
        }
        String version = old.definition() == null ? null : old.definition().version();
        return (WorkflowDefinition) engine.definitions()
                .find(old.agentId(), version)
                .orElseThrow(() -> new WorkflowUnknownException("The source run was started with version '" + version
                        + "' of workflow '" + old.agentId()
                        + "', which is not in this runtime. Give it to the runtime, or name a workflow with"
                        + " workflow(...) of the fork."));
    }

    private OptionValues options(
            RunRecord record, Fact.Started old, WorkflowDefinition definition, WorkflowForkChanges changes) {
        OptionValues base =
                changes.withoutHooks() ? definition.defaultOptions() : engine.optionsFor(definition, record.runId());
        OptionValues options = changes.options()
                .apply(RunForker.owned(base, old)
                        .with(Option.Part.SETTINGS, old.settings())
                        .plus(Options.REQUEST_CONTEXT, RequestContext.restore(old.requestContext()))
                        .without(Options.IDEMPOTENCY_KEY)
                        .without(Options.IDEMPOTENCY_DIGEST));
        RunForker.requireOwner(record, old, options);
        RunAssembly.of(options).check(definition, options);
        if (options.get(Options.FROM) != null) {
            throw new ConfigurationException("Fork of run " + record.runId()
                    + ": option 'from' has no meaning in a fork. Use before(...) and output(...) of the fork.");
        }
        if (options.get(Options.INITIAL_STATE) != null) {
            throw new ConfigurationException("Fork of run " + record.runId()
                    + ": option 'initialState' has no meaning in a fork. Use state(...) of the fork.");
        }
        List<String> missing = UnstoredOptions.missing(old.hooks(), options, definition.defaultOptions());
        if (!missing.isEmpty() && !changes.withoutHooks()) {
            throw UnstoredOptions.refusal(
                    record.runId().value(),
                    missing,
                    "Give them again as options of the fork, or continue withoutHooks().");
        }
        return options;
    }

    private @Nullable IdempotencyKey key(
            RunId from, WorkflowDefinition definition, WorkflowForkChanges changes, OptionValues options) {
        List<@Nullable String> input = new ArrayList<>(List.of(changes.place(), definition.id(), definition.version()));
        input.add(changes.input() == null ? null : changes.input().text());
        input.add(changes.state() == null ? null : changes.state().text());
        changes.outputs().forEach((path, output) -> input.addAll(List.of(path, output.text())));
        return RunKeys.of(environment.tenantId(), "runs/" + from + "/fork", input, options);
    }

    private LocalRun fork(
            SourceRounds source,
            WorkflowDefinition definition,
            OptionValues options,
            WorkflowForkChanges changes,
            @Nullable IdempotencyKey key) {
        Workflow<?, ?> workflow = definition.workflow();
        RunRecord record = source.run();
        Fact.Started old = source.start().started();
        RunId runId = new RunId(environment.ids().next("run_"));
        OptionValues settings = RunStarter.requested(options);
        Instant now = environment.time().now();
        ForkedRounds.Forked forked = new ForkedRounds(environment, options, changes, now)
                .of(
                        new ForkedRounds.Where(runId, runId, AgentPath.root(definition.id()), settings),
                        source,
                        definition);
        Fact.Started started = new Fact.Started(
                definition.id(),
                definition.name(),
                AgentPath.root(definition.id()),
                runId,
                null,
                null,
                null,
                options.get(Options.RESOURCE),
                List.of(),
                Transcript.input(runId, input(record, workflow, old, changes)),
                null,
                settings,
                UnstoredOptions.of(options, definition.defaultOptions()),
                options.get(Options.REQUEST_CONTEXT).stored(),
                null,
                new ForkOrigin(record.runId(), forked.count(), changes.replaced()),
                false,
                false,
                new DefinitionLink(workflow.version(), workflow.shape(), state(record, workflow, old, changes)),
                Background.NONE,
                now);
        RunOpening opening = RunOpening.of(started, List.of())
                .having(forked.facts())
                .above(forked.below())
                .keyed(key);
        return starter.fork(definition, opening, options);
    }

    private static List<Message> input(
            RunRecord record, Workflow<?, ?> workflow, Fact.Started old, WorkflowForkChanges changes) {
        Json input = changes.input();
        if (input == null) {
            return old.input();
        }
        Misfit.reject("Fork of run " + record.runId() + ": the input breaks its schema", workflow.input(), input);
        return List.of(Message.user(input.text()));
    }

    /** Return the initial state: with the copied changes, it becomes that of the source run. */
    private static @Nullable Json state(
            RunRecord record, Workflow<?, ?> workflow, Fact.Started old, WorkflowForkChanges changes) {
        Json state = changes.state();
        if (state == null) {
            return old.definition() == null ? null : old.definition().initialState();
        }
        SharedState.requireStartable("Fork of run " + record.runId() + ": the state", state);
        workflow.state()
                .ifPresent(schema -> Misfit.reject(
                        "Fork of run " + record.runId() + ": the state breaks its schema", schema, state));
        return state;
    }
}
