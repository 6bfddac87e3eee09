package dev.chargehand.internal.memory;

import dev.chargehand.error.ModelException;
import dev.chargehand.error.StoreException;
import dev.chargehand.internal.call.BoundedCalls;
import dev.chargehand.internal.call.CallSite;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.fact.RecalledRange;
import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.internal.journal.MessageCodec;
import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.memory.history.ThreadRanges;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.memory.FoundMessage;
import dev.chargehand.memory.Scope;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.memory.SemanticRecall;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.run.Usage;
import dev.chargehand.spi.CallInfo;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.memory.PassageHits;
import dev.chargehand.store.memory.PassageQuery;
import dev.chargehand.store.memory.UnitVector;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.thread.ThreadOwner;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Searches the messages of a tenant by their meaning. Thread-safe.
 *
 * @param calls calls embedding models for the application; a run has calls of its own
 */
record MessageSearch(Store store, Embedders embedders, BoundedCalls calls) {

    private static final Log LOG = Log.of(MessageSearch.class);

    /** How long a run waits for the embedding of what is searched for. */
    private static final Duration FOR_A_RUN = Duration.ofSeconds(2);

    /** How long a search of the application waits for it. */
    private static final Duration FOR_THE_APPLICATION = Duration.ofSeconds(10);

    /**
     * What a run found.
     *
     * @param problem why something was not searched, or null
     */
    record Found(
            List<RecalledRange> hits, Usage usage, @Nullable String problem) {

        static final Found NOTHING = new Found(List.of(), Usage.NONE, null);

        private static Found nothing(Usage usage, String problem) {
            return new Found(List.of(), usage, problem);
        }
    }

    /**
     * Search for what has to do with the newest text of a run's user; a fault is a problem of what is found.
     *
     * @param shownFrom the position from which on the run sees its thread anyway
     */
    Found forRun(RunScope run, ConversationState state, ThreadLink thread, SemanticRecall semantic, long shownFrom) {
        String text = newestUserText(state);
        Found found = text.isBlank() ? Found.NOTHING : found(run, state, thread, semantic, shownFrom, text);
        if (found.problem() != null) {
            LOG.warn("run {}: earlier messages were not all searched: {}", state.runId(), found.problem());
        }
        return found;
    }

    /** Return that the end of what the user says cannot be found later, or null if all of it can. */
    static @Nullable String tooLong(ConversationState state, SemanticRecall semantic) {
        int leftOut = state.started().input().stream()
                .mapToInt(message -> Passages.leftOut(message, semantic.toolResults()))
                .sum();
        return leftOut == 0
                ? null
                : "input-too-long: The input is too long to be found later by all of its text: " + leftOut
                        + " passages at its end are left out.";
    }

    private static String newestUserText(ConversationState state) {
        return state.started().input().stream()
                .filter(message -> message.role() == Role.USER && !message.internal())
                .reduce((one, two) -> two)
                .map(Message::text)
                .orElse("");
    }

    private Found found(
            RunScope run,
            ConversationState state,
            ThreadLink thread,
            SemanticRecall semantic,
            long shownFrom,
            String text) {
        Usage usage = Usage.NONE;
        try {
            Embedder embedder = embedders.of(semantic);
            Embedder.Embedded query = embedder.query(
                    Passages.of(text).getFirst(),
                    FOR_A_RUN,
                    run.root().callouts(),
                    run.call(CallInfo.Kind.EMBEDDER, embedder.name()).atStep(state.stepNumber()),
                    run.cancellation());
            usage = query.usage();
            run.root().ledger().debit(usage.totalTokens(), BigDecimal.ZERO);
            Optional<UnitVector> vector = query.vectors().getFirst();
            if (vector.isEmpty()) {
                return Found.nothing(usage, invalid(embedder));
            }
            PassageHits hits = WorkingText.memory(store)
                    .nearest(new PassageQuery(
                            thread.owner(),
                            query.space(),
                            vector.get(),
                            among(thread, semantic, shownFrom),
                            semantic.topK(),
                            semantic.threshold()));
            return new Found(
                    new HitRanges(thread, semantic, (id, from, to) -> positions(id, thread.owner(), from, to))
                            .of(owned(hits, thread.owner())),
                    usage,
                    hits.complete()
                            ? null
                            : "Only the newest " + PassageQuery.MOST_PASSAGES + " passages were searched.");
        } catch (EmbeddingFailedException e) {
            run.root().ledger().debit(e.usage().totalTokens(), BigDecimal.ZERO);
            return Found.nothing(usage.plus(e.usage()), e.problem());
        } catch (StoreException e) {
            return Found.nothing(usage, run.root().redactor().redact(e.publicMessage()));
        }
    }

    /** The messages that the conversation shows anyway are left out. */
    private static PassageQuery.Among among(ThreadLink thread, SemanticRecall semantic, long shownFrom) {
        return new PassageQuery.Among(semantic.scope() == Scope.THREAD ? thread.id() : null, thread.id(), shownFrom);
    }

    private static String invalid(Embedder embedder) {
        return "embedding-invalid: The embedding model '" + embedder.name()
                + "' returned a vector that cannot be compared.";
    }

    private Set<Long> positions(String threadId, ThreadOwner owner, long from, long to) {
        return ThreadRanges.read(store, threadId, owner, from, to).stream()
                .map(ThreadEntry::position)
                .collect(Collectors.toSet());
    }

    /** A store that mixes owners is not read any further. */
    private static List<PassageHits.Hit> owned(PassageHits found, ThreadOwner owner) {
        for (PassageHits.Hit hit : found.hits()) {
            if (!hit.owner().equals(owner)) {
                LOG.error("SECURITY: the store returned a message of {} in a search for {}", hit.owner(), owner);
                throw new StoreException(
                        StoreException.Kind.UNUSABLE, "The store returned a message of another owner.", null);
            }
        }
        return found.hits();
    }

    /** Search for the application; see {@link dev.chargehand.memory.MemoryApi#search}. */
    List<FoundMessage> forApplication(SemanticRecall semantic, ScopeRef where, String words, int topK) {
        if (words.isBlank()) {
            return List.of();
        }
        Embedder embedder = embedders.of(semantic);
        Embedder.Embedded query;
        try {
            query = embedder.query(
                    Passages.of(words).getFirst(),
                    FOR_THE_APPLICATION,
                    calls,
                    CallSite.of(CallInfo.Kind.EMBEDDER, embedder.name()),
                    new Cancellation());
        } catch (EmbeddingFailedException e) {
            throw new ModelException(ModelException.Kind.CONNECTION, e.problem(), e);
        }
        UnitVector vector = query.vectors()
                .getFirst()
                .orElseThrow(() -> new ModelException(ModelException.Kind.PROTOCOL, invalid(embedder), null));
        PassageHits found = WorkingText.memory(store)
                .nearest(new PassageQuery(
                        where.owner(),
                        query.space(),
                        vector,
                        new PassageQuery.Among(where.threadId(), null, 0),
                        topK,
                        semantic.threshold()));
        return owned(found, where.owner()).stream()
                .flatMap(hit ->
                        ThreadRanges.read(store, hit.threadId(), where.owner(), hit.position(), hit.position() + 1)
                                .stream()
                                .map(entry -> found(hit, entry)))
                .toList();
    }

    private static FoundMessage found(PassageHits.Hit hit, ThreadEntry entry) {
        return new FoundMessage(
                hit.threadId(),
                new ThreadMessage(entry.position(), MessageCodec.read(entry.text()), Optional.ofNullable(entry.at())),
                hit.score());
    }
}
