package dev.chargehand.internal.engine.threads;

import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.MemoryException;
import dev.chargehand.internal.engine.AccessGate;
import dev.chargehand.internal.engine.Engine;
import dev.chargehand.internal.memory.Recall;
import dev.chargehand.internal.memory.WorkingMemoryTexts;
import dev.chargehand.memory.Forgotten;
import dev.chargehand.memory.FoundMessage;
import dev.chargehand.memory.MemoryApi;
import dev.chargehand.memory.Reindexed;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.memory.SemanticRecall;
import dev.chargehand.run.Usage;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.memory.MemoryUsage;
import dev.chargehand.store.memory.ObservationLog;
import dev.chargehand.store.memory.WorkingMemoryRevision;
import dev.chargehand.thread.DeletionOptions;
import dev.chargehand.thread.ThreadOwner;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The memory of a tenant, for its application. Thread-safe. */
public final class StoredMemory implements MemoryApi {

    private static final int MOST = 50;

    private static final int LONGEST_KEY = 200;

    private final Engine engine;
    private final AccessGate access;
    private final StoredDeletions deletions;

    /** Make it for a tenant. */
    public StoredMemory(Engine engine, AccessGate access, StoredDeletions deletions) {
        this.engine = engine;
        this.access = access;
        this.deletions = deletions;
    }

    private MemoryStore store() {
        engine.requireOpen();
        return engine.store()
                .memory()
                .orElseThrow(() -> new MemoryException(
                        MemoryException.Kind.UNSUPPORTED, "This store keeps no memory; use one with memory()."));
    }

    private Recall recall() {
        return engine.environment().memories();
    }

    @Override
    public List<FoundMessage> search(String agentId, ScopeRef where, String words, int topK) {
        MemoryStore ignored = store(); // which is an error if there is none
        if (topK < 1 || topK > MOST) {
            throw new ConfigurationException("A search finds 1 to " + MOST + " messages, not " + topK + ".");
        }
        SemanticRecall semantic = semantic(agentId);
        return access.mayOpenMemory(where, false) ? recall().search(semantic, where, words, topK) : List.of();
    }

    private SemanticRecall semantic(String agentId) {
        return engine.definitions()
                .require(agentId)
                .memory()
                .semanticRecall()
                .orElseThrow(() -> new ConfigurationException("Agent '" + agentId
                        + "' has no semantic recall, so that its messages cannot be searched; set it with"
                        + " memory(m -> m.semanticRecall(…))."));
    }

    @Override
    public Reindexed reindex(String agentId, ScopeRef where) {
        MemoryStore ignored = store(); // which is an error if there is none
        SemanticRecall semantic = semantic(agentId);
        return access.mayOpenMemory(where, true)
                ? recall().reindex(semantic, where)
                : new Reindexed(0, 0, 0, Usage.NONE);
    }

    @Override
    public ObservationLog observations(ThreadOwner owner, String threadId) {
        MemoryStore store = store();
        return access.mayOpenMemory(ScopeRef.thread(owner, threadId), false)
                ? store.observations(owner, threadId)
                : ObservationLog.EMPTY;
    }

    @Override
    public Optional<WorkingMemoryRevision> workingMemory(ScopeRef where) {
        MemoryStore store = store();
        return access.mayOpenMemory(where, false)
                ? store.workingMemory(where.owner(), where.threadId())
                : Optional.empty();
    }

    @Override
    public WorkingMemoryRevision editWorkingMemory(ScopeRef where, UnaryOperator<String> edit, String key) {
        if (key.isEmpty() || key.length() > LONGEST_KEY) {
            throw new ConfigurationException(
                    "The key of an edit has 1 to " + LONGEST_KEY + " characters, not " + key.length() + ".");
        }
        return edited(where, edit, "/" + key);
    }

    @Override
    public WorkingMemoryRevision undo(ScopeRef where, long revision) {
        MemoryStore store = store();
        Optional<WorkingMemoryRevision> earlier = access.mayOpenMemory(where, true)
                ? store.workingMemory(where.owner(), where.threadId(), revision)
                : Optional.empty();
        String text = earlier.map(WorkingMemoryRevision::text)
                .orElseThrow(() -> new ConfigurationException("Revision " + revision
                        + " of this working memory does not exist, or its text is not kept any more: the last "
                        + WorkingMemoryRevision.KEPT + " are."));
        return edited(where, newest -> text, "/" + engine.environment().ids().next("undo_"));
    }

    private WorkingMemoryRevision edited(ScopeRef where, UnaryOperator<String> edit, String key) {
        MemoryStore store = store();
        if (!access.mayOpenMemory(where, true)) {
            throw denied(where);
        }
        return new WorkingMemoryTexts(
                        store,
                        where.owner(),
                        where.threadId(),
                        "",
                        engine.environment().time())
                .changed(edit, key, null);
    }

    /** A thread that is denied is like a missing one; a resource is never missing. */
    private static ChargehandException denied(ScopeRef where) {
        return where.threadId() == null
                ? new ConfigurationException("The access check denies to change the working memory of this resource.")
                : CheckedThreads.missing(where.threadId());
    }

    @Override
    public List<MemoryUsage> usage(@Nullable String resourceId) {
        MemoryStore store = store();
        return access.mayOpenMemory(new ScopeRef(new ThreadOwner(resourceId, null), null), false)
                ? store.usage(resourceId, LocalDate.EPOCH)
                : List.of();
    }

    @Override
    public Forgotten forget(String resourceId, UnaryOperator<DeletionOptions> how) {
        if (resourceId.isBlank()) {
            throw new ConfigurationException("The id of the resource to forget must not be blank.");
        }
        DeletionOptions options = StoredDeletions.given(how.apply(DeletionOptions.DEFAULT));
        return access.mayOpenMemory(ScopeRef.resource(resourceId), true)
                ? deletions.forget(resourceId, options.cancelsRuns())
                : new Forgotten(0, 0, 0);
    }

    @Override
    public boolean settled(Duration atMost) {
        engine.requireOpen();
        if (atMost.isNegative()) {
            throw new ConfigurationException("The time to wait for work on memory must not be negative, but is "
                    + atMost + "; Duration.ZERO only looks whether it is done.");
        }
        return recall().settled(atMost);
    }
}
