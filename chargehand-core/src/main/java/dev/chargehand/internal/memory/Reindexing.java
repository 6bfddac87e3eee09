package dev.chargehand.internal.memory;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.ModelException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.internal.call.RunInterruptedException;
import dev.chargehand.memory.Reindexed;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.memory.SemanticRecall;
import dev.chargehand.run.Usage;
import dev.chargehand.store.Store;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Makes the vectors of all messages of conversations on the calling thread. Thread-safe. */
record Reindexing(MemoryWork work, LeasedWork leased) {

    private static final int PAGE = 100;

    private static final Reindexed NOTHING = new Reindexed(0, 0, 0, Usage.NONE);

    /** Index the conversations of a tenant; see {@link dev.chargehand.memory.MemoryApi#reindex}. */
    Reindexed reindex(String tenantId, Store store, SemanticRecall semantic, ScopeRef where) {
        Reindexed done = NOTHING;
        try {
            if (where.threadId() != null) {
                return plus(done, one(tenantId, store, semantic, where, where.threadId()));
            }
            List<String> page = List.of("");
            do {
                page = WorkingText.memory(store).threads(where.owner(), page.getLast(), PAGE);
                for (String threadId : page) {
                    done = plus(done, oneOfAll(tenantId, store, semantic, where, threadId));
                }
            } while (page.size() == PAGE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RunInterruptedException e) {
            throw closed();
        } catch (EmbeddingFailedException e) {
            throw new ModelException(ModelException.Kind.CONNECTION, e.problem(), e);
        }
        return done;
    }

    /** A thread that was deleted, and made again for another owner, is left out. */
    private Reindexed oneOfAll(String tenantId, Store store, SemanticRecall semantic, ScopeRef where, String threadId)
            throws InterruptedException, EmbeddingFailedException {
        try {
            return one(tenantId, store, semantic, where, threadId);
        } catch (ThreadOwnershipException e) {
            return NOTHING;
        }
    }

    private Reindexed one(String tenantId, Store store, SemanticRecall semantic, ScopeRef where, String threadId)
            throws InterruptedException, EmbeddingFailedException {
        if (!work.enter(tenantId, threadId)) {
            throw closed();
        }
        try {
            MemoryWork.Parts parts = new MemoryWork.Parts(semantic, null, null, OptionalLong.empty());
            Optional<ThreadIndexer.Made> made = leased.indexAll(
                    store, new MemoryWork.Task(tenantId, threadId, where.owner(), parts, title -> {}), semantic);
            return made.map(all -> new Reindexed(1, all.messages(), 0, all.usage()))
                    .orElseGet(() ->
                            store.findThread(threadId).isPresent() ? new Reindexed(0, 0, 1, Usage.NONE) : NOTHING);
        } finally {
            work.leave(tenantId, threadId);
        }
    }

    private static Reindexed plus(Reindexed one, Reindexed other) {
        return new Reindexed(
                one.threads() + other.threads(),
                one.messages() + other.messages(),
                one.left() + other.left(),
                one.usage().plus(other.usage()));
    }

    private static ConfigurationException closed() {
        return new ConfigurationException(
                "The runtime was closed while it indexed conversations; what was done stays.");
    }
}
