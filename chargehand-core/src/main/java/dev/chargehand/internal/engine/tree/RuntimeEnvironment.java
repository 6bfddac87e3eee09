package dev.chargehand.internal.engine.tree;

import dev.chargehand.background.TaskFilter;
import dev.chargehand.background.TaskLink;
import dev.chargehand.event.RunListener;
import dev.chargehand.internal.call.BoundedCalls;
import dev.chargehand.internal.definition.AgentDefinition;
import dev.chargehand.internal.definition.DefinitionRegistry;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.engine.history.ForgottenTrees;
import dev.chargehand.internal.engine.kind.RunAssembly;
import dev.chargehand.internal.engine.lease.Ownership;
import dev.chargehand.internal.engine.task.TaskPlaces;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.StartedFacts;
import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.internal.fact.task.TaskMessages;
import dev.chargehand.internal.fact.task.TaskResult;
import dev.chargehand.internal.journal.Journal;
import dev.chargehand.internal.journal.MessageCodec;
import dev.chargehand.internal.journal.RunOpening;
import dev.chargehand.internal.journal.ThreadTexts;
import dev.chargehand.internal.log.Redactor;
import dev.chargehand.internal.memory.Recall;
import dev.chargehand.internal.memory.history.HistoryBounds;
import dev.chargehand.internal.memory.history.ThreadTail;
import dev.chargehand.internal.scope.StepResults;
import dev.chargehand.internal.state.State;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import dev.chargehand.spi.ContextPropagator;
import dev.chargehand.spi.IdSource;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What every run of a tenant of a runtime uses.
 *
 * @param tenantId the tenant
 * @param store where the runs and threads of the tenant are kept; every call of it is bounded
 * @param models makes models of names
 * @param time the clock of every limit
 * @param ids mints ids
 * @param jitter spreads retries, 0 to 1
 * @param callouts calls code that is not ours
 * @param redactor takes secrets out of what leaves
 * @param listeners receive every event of every run
 * @param propagators carry what callers have on their threads
 * @param threads the queues of those that want a thread, of any tenant
 * @param ownership of the runs of this runtime, of any tenant
 * @param definitions the agents and workflows of this runtime
 * @param memories the memory of runs
 * @param tasks the background tasks of this runtime, of any tenant
 * @param forgotten the facts of trees that the store has forgotten
 */
public record RuntimeEnvironment(
        String tenantId,
        Store store,
        NamedModels models,
        TimeSource time,
        IdSource ids,
        DoubleSupplier jitter,
        BoundedCalls callouts,
        Redactor redactor,
        List<RunListener> listeners,
        List<ContextPropagator> propagators,
        ThreadQueues threads,
        Ownership ownership,
        DefinitionRegistry definitions,
        Recall memories,
        TaskPlaces tasks,
        ForgottenTrees forgotten) {

    /** How many results of tasks a run gives to its model at its start; others wait for the next. */
    private static final int MOST_RESULTS = 100;

    public RuntimeEnvironment {
        listeners = List.copyOf(listeners);
        propagators = List.copyOf(propagators);
    }

    /** Return what the runs of another tenant use. */
    public RuntimeEnvironment forTenant(String id) {
        Store ofTenant = store.forTenant(id);
        return new RuntimeEnvironment(
                id,
                ofTenant,
                models,
                time,
                ids,
                jitter,
                callouts,
                redactor,
                listeners,
                propagators,
                threads,
                ownership,
                definitions.forTenant(id),
                memories.forTenant(id, ofTenant),
                tasks,
                forgotten.forTenant(id));
    }

    /** Take the last place in the queue of a thread of the tenant. */
    public ThreadQueues.Turn join(String threadId, RunId runId) {
        return threads.join(tenantId, threadId, runId);
    }

    /** Read a run from the store, if it exists. */
    public Optional<State> find(RunId runId) {
        return store.find(runId).map(record -> Journal.look(store, record));
    }

    /** Return what shows steps to application code. */
    public StepResults stepResults() {
        return new StepResults(this::find);
    }

    /** Return the name of this runtime in the store. */
    public String owner() {
        return ownership.owner();
    }

    /** Return the name under which a root run is executed here. */
    public String ownerOf(RunId root) {
        return ownership.ownerOf(root);
    }

    /** Make the opening of a run, with what its agent remembers of its thread. */
    public RunOpening opening(RunDefinition definition, Fact.Started started) {
        ThreadLink thread = started.thread();
        Fact.Started there = thread == null || started.submitted()
                ? started
                : StartedFacts.withResults(
                        StartedFacts.onThread(started, thread.from(historyFrom(definition, started, thread))),
                        unread(definition, started));
        return RunOpening.of(there, tail(definition, there));
    }

    /** Return the results of background tasks on its thread that a root run gives to its model: those that no run has given. */
    List<TaskResult> unread(RunDefinition definition, Fact.Started started) {
        ThreadLink thread = started.thread();
        boolean reads = definition instanceof AgentDefinition agent
                && agent.background().isUsed()
                && started.parentRunId() == null
                && RunAssembly.startsTasks(started.settings());
        if (!reads || thread == null) {
            return List.of();
        }
        List<TaskResult> unread = new ArrayList<>();
        for (RunRecord run : store.list(RunFilter.ROOTS
                .tasks(TaskFilter.ofThread(thread.id()).unread(true))
                .limit(MOST_RESULTS))) {
            TaskLink task = run.task().orElseThrow();
            unread.add(new TaskResult(task.taskId(), Objects.requireNonNull(task.resultAt())));
        }
        unread.sort(Comparator.comparingLong(TaskResult::position));
        return unread;
    }

    /** Return the position of the first message of its thread that a run may see; null if no bound of tokens decides it. */
    @Nullable
    Long historyFrom(RunDefinition definition, Fact.Started started, @Nullable ThreadLink thread) {
        return memories.historyFrom(definition.memory(), started.settings(), thread);
    }

    /** Return what an agent remembers of the thread of a run; with observations, that is known when the run recalls them. */
    List<Message> tail(RunDefinition definition, Fact.Started started) {
        if (definition.memory().observations().isPresent()) {
            return List.of();
        }
        int last = HistoryBounds.of(definition.memory(), started.settings()).lastMessages();
        return withResults(started, ThreadTail.read(store, started.thread(), last));
    }

    /** Return the tail of a thread with the results of tasks that the run has to give to its model and that are not in it. */
    private List<Message> withResults(Fact.Started started, List<Message> tail) {
        ThreadLink thread = started.thread();
        List<TaskResult> results = started.background().results();
        if (thread == null || results.isEmpty()) {
            return tail;
        }
        List<Message> all = new ArrayList<>();
        for (TaskResult result : results) {
            String id = TaskMessages.idOf(result.taskId());
            if (tail.stream().noneMatch(message -> message.id().equals(id))) {
                store.readThreadFrom(thread.id(), thread.owner(), result.position(), 1).stream()
                        .filter(entry -> entry.messageId().equals(id))
                        .forEach(entry -> all.add(MessageCodec.read(entry.text())));
            }
        }
        all.addAll(tail);
        return all;
    }

    /** Return whether the store forgets a run when it ends. */
    public boolean forgetsEndedRuns() {
        return store instanceof InMemoryStore memory && memory.forgetsEndedRuns();
    }

    /** Return what reads the texts of threads for the runs of an agent. */
    public ThreadTexts texts(RunDefinition definition) {
        return memories.reading(
                definition.memory(), started -> started.submitted() ? List.of() : tail(definition, started));
    }

    /**
     * Read a run back, with what its agent remembers of its thread.
     *
     * @param epoch the epoch of its root run
     */
    public Journal load(RunDefinition definition, RunRecord record, long epoch) {
        return Journal.load(store, record, epoch, texts(definition));
    }
}
