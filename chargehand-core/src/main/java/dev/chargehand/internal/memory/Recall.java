package dev.chargehand.internal.memory;

import dev.chargehand.error.MemoryException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.internal.call.BoundedCalls;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.ObservedHistory;
import dev.chargehand.internal.fact.RecalledRange;
import dev.chargehand.internal.fact.RootNotes;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.internal.journal.ThreadTexts;
import dev.chargehand.internal.memory.history.HistoryBounds;
import dev.chargehand.internal.memory.history.HistoryCut;
import dev.chargehand.internal.memory.history.ThreadRanges;
import dev.chargehand.internal.memory.observation.ObservedHistories;
import dev.chargehand.internal.memory.observation.RecallTool;
import dev.chargehand.internal.memory.side.SideModels;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.Memories;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.Transcript;
import dev.chargehand.internal.state.value.Remembered;
import dev.chargehand.memory.FoundMessage;
import dev.chargehand.memory.Memory;
import dev.chargehand.memory.MemoryOptions;
import dev.chargehand.memory.Observations;
import dev.chargehand.memory.Reindexed;
import dev.chargehand.memory.Scope;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.memory.SemanticRecall;
import dev.chargehand.memory.ThreadTitles;
import dev.chargehand.memory.WorkingMemory;
import dev.chargehand.message.Message;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.run.Usage;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.store.Store;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.tool.Tool;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Recalls what the runs of a tenant remember, once for each run, and hands their threads to the work after them. */
public final class Recall implements Memories {

    private final String tenantId;
    private final Store store;
    private final Embedders embedders;
    private final SideModels models;
    private final MemoryWork work;
    private final BoundedCalls calls;
    private final TimeSource time;
    private final MessageSearch search;
    private final RecalledTexts texts;
    private final WorkingText workingText;
    private final ObservedHistories histories;

    /** Make it for a tenant of a runtime. */
    public Recall(
            String tenantId,
            Store store,
            Embedders embedders,
            SideModels models,
            MemoryWork work,
            BoundedCalls calls,
            TimeSource time) {
        this.tenantId = tenantId;
        this.store = store;
        this.embedders = embedders;
        this.models = models;
        this.work = work;
        this.calls = calls;
        this.time = time;
        this.search = new MessageSearch(store, embedders, calls);
        this.workingText = new WorkingText(store);
        this.texts = new RecalledTexts(store, workingText);
        this.histories = new ObservedHistories(store, models);
    }

    /** Return what recalls for another tenant. */
    public Recall forTenant(String id, Store storeOfTenant) {
        return new Recall(id, storeOfTenant, embedders, models, work, calls, time);
    }

    /** The memory of a run: what its agent has, and what its options leave of that. */
    private record Parts(
            @Nullable SemanticRecall semantic,
            @Nullable WorkingMemory working,
            @Nullable Observations observations) {

        static Parts of(Memory memory, OptionValues options) {
            MemoryOptions run = options.get(Options.MEMORY);
            SemanticRecall recall = memory.semanticRecall().orElse(null);
            return new Parts(
                    recall == null || !run.recalls() ? null : recall.with(run.recall()),
                    memory.workingMemory().orElse(null),
                    memory.observations().orElse(null));
        }

        private boolean isEmpty() {
            return semantic == null && working == null && observations == null;
        }

        private boolean areOfResource() {
            return (semantic != null && semantic.scope() == Scope.RESOURCE)
                    || (working != null && working.scope() == Scope.RESOURCE)
                    || (observations != null && observations.scope() == Scope.RESOURCE);
        }
    }

    @Override
    public void check(String agentId, Memory memory, OptionValues options, @Nullable ThreadLink thread) {
        Parts parts = Parts.of(memory, options);
        SemanticRecall semantic = parts.semantic();
        boolean bounded = HistoryBounds.of(memory, options).tokens().isPresent();
        boolean titled = memory.title().isPresent();
        if (thread == null || (parts.isEmpty() && !bounded && !titled)) {
            return;
        }
        if (store.memory().isEmpty()) {
            throw new MemoryException(
                    MemoryException.Kind.UNSUPPORTED,
                    "Agent '" + agentId + "' has a memory beyond the last messages, which this store does not keep;"
                            + " use a store with memory(), or only lastMessages.");
        }
        if (parts.areOfResource() && thread.owner().resourceId() == null) {
            throw new MemoryException(
                    MemoryException.Kind.NEEDS_RESOURCE,
                    "Agent '" + agentId + "' remembers across the conversations of a resource, and the run has none:"
                            + " add .resource(\"…\") to its options, or give the memory scope(Scope.THREAD).");
        }
        if (semantic != null) {
            embedders.requireNamed(semantic, agentId);
            Embedder ignored = embedders.of(semantic); // an unknown name is an error now
        }
        memory.title().map(ThreadTitles::model).ifPresent(this::requireKnown);
        memory.observations().map(Observations::model).ifPresent(this::requireKnown);
        memory.observations().map(Observations::reflector).ifPresent(this::requireKnown);
    }

    private void requireKnown(ModelChoice choice) {
        Model ignored = models.of(choice); // an unknown name is an error now
    }

    @Override
    public Optional<Remembered> recall(RunScope run, ConversationState state) {
        ThreadLink thread = state.started().thread();
        Parts parts = Parts.of(run.agent().memory(), run.options());
        RootNotes notes = notesOfRoot(run);
        if (thread == null || (parts.isEmpty() && notes == null)) {
            return Optional.empty();
        }
        run.events().wakeReaders();
        Remembered before = state.remembered();
        if (before.fact() == null) {
            return Optional.of(recalled(run, state, thread, parts, notes));
        }
        if (!before.isWhole()) {
            return Optional.of(texts.read(run.agent().memory(), state, whatIsLeft(run, state, thread)));
        }
        Observations observations = parts.observations();
        return observations == null ? Optional.empty() : observedLater(run, state, thread, observations);
    }

    private Optional<Remembered> observedLater(
            RunScope run, ConversationState state, ThreadLink thread, Observations observations) {
        Instant startedAt = run.now();
        Fact.Recalled before = state.remembered().recalled();
        return histories.later(run, state, thread, observations).map(found -> {
            Fact.Recalled recalled = new Fact.Recalled(
                    state.stepNumber(),
                    before.embedder(),
                    before.hits(),
                    before.withToolResults(),
                    before.workingRevision(),
                    before.rootNotes(),
                    found.history(),
                    found.problem(),
                    found.spent(),
                    startedAt,
                    run.now());
            return texts.read(run.agent().memory(), state, recalled, found.recent());
        });
    }

    /** Return where the working memory of the root run is, if the agent reads it: below the root, that is. */
    private static @Nullable RootNotes notesOfRoot(RunScope run) {
        boolean isBelow = run.agentsOnPath().size() > 1;
        return isBelow && run.agent().memory().readsWorkingMemoryOf().isPresent() ? run.notesOfRoot() : null;
    }

    private Remembered recalled(
            RunScope run, ConversationState state, ThreadLink thread, Parts parts, @Nullable RootNotes notes) {
        Instant startedAt = run.now();
        Observations observations = parts.observations();
        ObservedHistories.@Nullable Found observed =
                observations == null ? null : histories.start(run, state, thread, observations);
        SemanticRecall semantic = parts.semantic();
        MessageSearch.Found found = semantic == null
                ? MessageSearch.Found.NOTHING
                : search.forRun(run, state, thread, semantic, shownFrom(run, thread, observed));
        WorkingMemory working = parts.working();
        Long revision = working == null ? null : workingText.revision(working, thread);
        Fact.Recalled recalled = new Fact.Recalled(
                state.stepNumber(),
                semantic == null ? null : embedders.of(semantic).name(),
                found.hits(),
                semantic != null && semantic.toolResults(),
                revision,
                notes == null ? null : workingText.newest(notes),
                observed == null ? null : observed.history(),
                problem(
                        observed == null ? null : observed.problem(),
                        problem(found.problem(), tooLong(run, state, semantic))),
                spent(found.usage()).plus(observed == null ? Spending.NOTHING : observed.spent()),
                startedAt,
                run.now());
        return texts.read(run.agent().memory(), state, recalled, observed == null ? null : observed.recent());
    }

    /** A run that only reads leaves its input to no later run. */
    private static @Nullable String tooLong(RunScope run, ConversationState state, @Nullable SemanticRecall semantic) {
        return semantic == null || run.options().get(Options.MEMORY).isReadOnly()
                ? null
                : MessageSearch.tooLong(state, semantic);
    }

    private static @Nullable String problem(@Nullable String one, @Nullable String other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one + " " + other;
    }

    /** Return the position from which on the run sees its thread as it is. */
    private static long shownFrom(RunScope run, ThreadLink thread, ObservedHistories.@Nullable Found observed) {
        int last = HistoryBounds.of(run.agent().memory(), run.options()).lastMessages();
        return Math.max(observed == null ? 0 : observed.history().from(), Math.max(0, thread.first(last)));
    }

    private static Spending spent(Usage usage) {
        return usage.equals(Usage.NONE)
                ? Spending.NOTHING
                : new Spending(0, 0, 0, BigDecimal.ZERO, Map.of(Spending.MEMORY, usage));
    }

    /** Something that the run recalled was deleted before it was resumed. */
    private Fact.Recalled whatIsLeft(RunScope run, ConversationState state, ThreadLink thread) {
        Fact.Recalled before = state.remembered().recalled();
        List<RecalledRange> left =
                before.hits().stream().filter(hit -> isThere(hit, thread)).toList();
        Long revision = before.workingRevision() == null
                ? null
                : run.agent()
                        .memory()
                        .workingMemory()
                        .map(working -> workingText.revision(working, thread))
                        .orElse(null);
        RootNotes notes = before.rootNotes();
        ObservedHistory observed = before.observed();
        return new Fact.Recalled(
                state.stepNumber(),
                before.embedder(),
                left,
                before.withToolResults(),
                revision,
                notes == null ? null : workingText.newest(notes),
                observed == null
                        ? null
                        : run.agent()
                                .memory()
                                .observations()
                                .map(observations -> histories.left(observed, thread, observations))
                                .orElse(null),
                "memory-changed: Something that the run had recalled was deleted.",
                Spending.NOTHING,
                run.now(),
                run.now());
    }

    private boolean isThere(RecalledRange hit, ThreadLink thread) {
        return ThreadRanges.read(store, hit.threadId(), thread.owner(), hit.from(), hit.to())
                        .size()
                == hit.to() - hit.from();
    }

    @Override
    public List<Tool> tools(Memory memory, OptionValues options, @Nullable ThreadLink thread) {
        if (thread == null || options.get(Options.MEMORY).isReadOnly()) {
            return List.of();
        }
        List<Tool> tools = new ArrayList<>();
        memory.workingMemory()
                .ifPresent(working -> tools.add(new WorkingMemoryTool(
                                working,
                                new WorkingMemoryTexts(
                                        memory(),
                                        thread.owner(),
                                        WorkingText.threadOf(working, thread),
                                        WorkingText.beginning(working),
                                        time))
                        .tool()));
        memory.observations()
                .filter(Observations::recallTool)
                .ifPresent(observations -> tools.add(new RecallTool(store, thread, observations.scope()).tool()));
        return tools;
    }

    /** Search messages for the application; see {@link dev.chargehand.memory.MemoryApi#search}. */
    public List<FoundMessage> search(SemanticRecall semantic, ScopeRef where, String words, int topK) {
        return search.forApplication(semantic, where, words, topK);
    }

    /** Make the vectors of all messages; see {@link dev.chargehand.memory.MemoryApi#reindex}. */
    public Reindexed reindex(SemanticRecall semantic, ScopeRef where) {
        return work.reindexing().reindex(tenantId, store, semantic, where);
    }

    /** Return the work on memory that follows runs. */
    public MemoryWork work() {
        return work;
    }

    /** Wait until the work on memory is done here; see {@link MemoryWork#await}. */
    public boolean settled(Duration atMost) {
        try {
            return work.await(atMost);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void runEnded(RunScope run, ConversationState state) {
        ThreadLink thread = state.started().thread();
        if (thread == null || run.options().get(Options.MEMORY).isReadOnly()) {
            return;
        }
        Memory memory = run.agent().memory();
        MemoryWork.Task task = MemoryWork.Task.of(
                tenantId,
                thread.id(),
                thread.owner(),
                memory,
                Transcript.isIndexedAfter(state, memory),
                Transcript.isObservedAfter(state, memory),
                title -> run.events()
                        .emit(state.stepNumber(), origin -> new RunEvent.ThreadTitle(origin, thread.id(), title)));
        if (!task.isEmpty()) {
            work.add(task);
        }
    }

    /**
     * Return the position of the first message of its thread that a run may see from its start on.
     *
     * @param thread the thread as the run finds it, or null
     * @return null if no bound of tokens decides it
     */
    public @Nullable Long historyFrom(Memory memory, OptionValues options, @Nullable ThreadLink thread) {
        boolean writes = !options.get(Options.MEMORY).isReadOnly();
        return thread == null || store.memory().isEmpty() // which the check rejects, if there is a bound
                ? null
                : HistoryCut.of(store, thread, HistoryBounds.of(memory, options), writes);
    }

    /** Return what reads the texts of a run that is continued. */
    public ThreadTexts reading(Memory memory, Function<Fact.Started, List<Message>> tail) {
        return new ThreadTexts() {
            @Override
            public List<Message> tail(Fact.Started started) {
                return tail.apply(started);
            }

            @Override
            public Remembered recalled(ConversationState before, Fact.Recalled recalled) {
                return texts.read(memory, before, recalled);
            }
        };
    }

    private MemoryStore memory() {
        return WorkingText.memory(store);
    }
}
