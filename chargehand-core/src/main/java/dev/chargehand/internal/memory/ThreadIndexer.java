package dev.chargehand.internal.memory;

import dev.chargehand.error.StoreException;
import dev.chargehand.internal.call.BoundedCalls;
import dev.chargehand.internal.call.CallSite;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.journal.MessageCodec;
import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.memory.history.ThreadRanges;
import dev.chargehand.internal.memory.side.WorkMeter;
import dev.chargehand.memory.SemanticRecall;
import dev.chargehand.message.Message;
import dev.chargehand.run.Usage;
import dev.chargehand.spi.CallInfo;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.memory.IndexedRange;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.memory.MemoryUsage;
import dev.chargehand.store.memory.Passage;
import dev.chargehand.store.memory.UnitVector;
import dev.chargehand.store.memory.VectorSpace;
import dev.chargehand.thread.ThreadOwner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Gives the messages of threads their vectors: new ones first, then older ones, the newest of them first. */
final class ThreadIndexer {

    private static final Log LOG = Log.of(ThreadIndexer.class);

    private static final Duration EMBEDDING = Duration.ofSeconds(60);

    /** How many messages get their vectors in one transaction. */
    private static final int BATCH = 100;

    /** How many passages are embedded by one call. */
    private static final int MOST_TEXTS = 64;

    /** How many older messages get their vectors after one run. */
    private static final int OLDER = 500;

    /** After so many failed tries, a message whose vector cannot be compared is left out. */
    private static final int TRIES = 3;

    private final TimeSource time;
    private final BoundedCalls calls;
    private final Cancellation closing;
    private final Embedders embedders;
    private final String worker;

    ThreadIndexer(TimeSource time, BoundedCalls calls, Cancellation closing, Embedders embedders, String worker) {
        this.time = time;
        this.calls = calls;
        this.closing = closing;
        this.embedders = embedders;
        this.worker = worker;
    }

    /** Work on a thread, as its lease holder, until its messages have their vectors, or the embedding model fails. */
    LeasedWork.Progress index(Store store, MemoryWork.Task task, SemanticRecall semantic, WorkMeter meter)
            throws InterruptedException {
        OneThread thread = new OneThread(store, task, semantic, meter);
        try {
            thread.index(OLDER);
            return new LeasedWork.Progress(thread.isDone, thread.length, Optional.empty());
        } catch (EmbeddingFailedException e) {
            Duration wait = thread.failed();
            LOG.warn(
                    "thread {}: its messages have no vectors yet: {} They are tried again after the next run, or in {} min.",
                    task.threadId(),
                    e.problem(),
                    wait.toMinutes());
            return new LeasedWork.Progress(true, thread.length, Optional.of(wait));
        }
    }

    /**
     * How many messages of a thread were looked at.
     *
     * @param usage what the embedding model used
     */
    record Made(long messages, Usage usage) {}

    /** Make the vectors of all messages, as the lease holder; returns nothing if the work is not this worker's any more. */
    Optional<Made> indexAll(Store store, MemoryWork.Task task, SemanticRecall semantic, WorkMeter meter)
            throws InterruptedException, EmbeddingFailedException {
        OneThread thread = new OneThread(store, task, semantic, meter);
        try {
            thread.index(Long.MAX_VALUE);
            return thread.isDone ? Optional.of(new Made(thread.messages, thread.usage)) : Optional.empty();
        } catch (EmbeddingFailedException e) {
            Duration ignored = thread.failed();
            throw e;
        }
    }

    /** The work on one thread. */
    private final class OneThread {

        private final Store store;
        private final MemoryStore memory;
        private final MemoryWork.Task task;
        private final ThreadOwner owner;
        private final Embedder embedder;
        private final boolean toolResults;
        private final WorkMeter meter;
        private long length;

        private long messages;
        private Usage usage = Usage.NONE;

        /** Whether all messages have their vectors; false if another process has taken the work over. */
        private boolean isDone;

        private OneThread(Store store, MemoryWork.Task task, SemanticRecall semantic, WorkMeter meter) {
            this.store = store;
            this.memory = meter.memory();
            this.meter = meter;
            this.task = task;
            this.owner = task.owner();
            this.embedder = embedders.of(semantic);
            this.toolResults = semantic.toolResults();
            this.length = length();
        }

        private long length() {
            return LeasedWork.length(store, task);
        }

        /** Index until all is done, with so many older messages, or the work is not this worker's any more. */
        private void index(long older) throws EmbeddingFailedException, InterruptedException {
            VectorSpace space = space();
            Optional<IndexedRange> range = range(space);
            while (range.isPresent() && range.get().high() < length) {
                long high = range.get().high();
                range = step(space, range.get(), high, Math.min(length, high + BATCH));
                length = length();
            }
            long until = Math.max(0, range.map(IndexedRange::low).orElse(0L) - older);
            while (range.isPresent() && range.get().low() > until) {
                long low = range.get().low();
                range = step(space, range.get(), Math.max(until, low - BATCH), low);
            }
            isDone = range.isPresent();
        }

        /** Find out the space before it is known which messages have their vectors in it. */
        private VectorSpace space() throws EmbeddingFailedException {
            Optional<VectorSpace> known = embedder.space();
            return known.isPresent()
                    ? known.get()
                    : embed(List.of(task.threadId())).space();
        }

        /**
         * Return the range that is stored, which it is before anything is embedded: so the vectors of a deleted thread are
         * never stored for one that is made again under its id. A range beyond the end is one of the deleted thread.
         */
        private Optional<IndexedRange> range(VectorSpace space) {
            Optional<IndexedRange> stored = memory.indexed(owner, task.threadId(), space);
            Optional<IndexedRange> range = stored.isPresent() ? stored : move(space, stored, nothing(), List.of());
            length = length();
            return range.isPresent() && range.get().high() > length ? move(space, range, nothing(), List.of()) : range;
        }

        private IndexedRange nothing() {
            return IndexedRange.of(length, length);
        }

        /** Give messages next to a range their vectors; returns nothing if the work is not this worker's any more. */
        private Optional<IndexedRange> step(VectorSpace space, IndexedRange range, long from, long to)
                throws EmbeddingFailedException, InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (!memory.take(owner, task.threadId(), worker, LeasedWork.LEASE)) {
                return Optional.empty();
            }
            List<ThreadEntry> entries = ThreadRanges.read(store, task.threadId(), owner, from, to);
            List<Passage> passages = passages(space, entries, range.tries() >= TRIES);
            IndexedRange next = IndexedRange.of(Math.min(range.low(), from), Math.max(range.high(), to));
            Optional<IndexedRange> moved = move(space, Optional.of(range), next, passages);
            messages += moved.isPresent() ? entries.size() : 0;
            return moved;
        }

        private Optional<IndexedRange> move(
                VectorSpace space, Optional<IndexedRange> from, IndexedRange to, List<Passage> passages) {
            try {
                return memory.index(owner, task.threadId(), space, from, to, passages)
                        ? Optional.of(to)
                        : Optional.empty();
            } catch (StoreException e) {
                if (e.kind() == StoreException.Kind.NOT_FOUND) {
                    return Optional.empty();
                }
                throw e;
            }
        }

        private List<Passage> passages(VectorSpace space, List<ThreadEntry> entries, boolean leavesOut)
                throws EmbeddingFailedException {
            List<Place> places = new ArrayList<>();
            for (ThreadEntry entry : entries) {
                Message message = MessageCodec.read(entry.text());
                List<String> texts = Passages.of(message, toolResults);
                int leftOut = texts.size() < Passages.MOST ? 0 : Passages.leftOut(message, toolResults);
                if (leftOut > 0) {
                    LOG.warn(
                            "thread {}: message {} is too long to be found by all of its text: the last {} of its {} passages"
                                    + " get no vectors.",
                            task.threadId(),
                            entry.position(),
                            leftOut,
                            texts.size() + leftOut);
                }
                for (int part = 0; part < texts.size(); part++) {
                    places.add(new Place(entry.position(), part, texts.get(part)));
                }
            }
            List<Passage> passages = new ArrayList<>();
            for (int from = 0; from < places.size(); from += MOST_TEXTS) {
                List<Place> some = places.subList(from, Math.min(places.size(), from + MOST_TEXTS));
                Embedder.Embedded embedded =
                        embed(some.stream().map(Place::text).toList());
                if (!embedded.space().equals(space)) {
                    throw new EmbeddingFailedException("embedding-invalid: The embedding model '" + embedder.name()
                            + "' returns vectors of other dimensions than before.");
                }
                for (int i = 0; i < some.size(); i++) {
                    Optional<UnitVector> vector = embedded.vectors().get(i);
                    if (vector.isPresent()) {
                        passages.add(
                                new Passage(some.get(i).position(), some.get(i).part(), vector.get()));
                    } else if (!leavesOut) {
                        throw new EmbeddingFailedException("embedding-invalid: The embedding model '" + embedder.name()
                                + "' returned a vector that cannot be compared.");
                    }
                }
            }
            return passages;
        }

        private Embedder.Embedded embed(List<String> texts) throws EmbeddingFailedException {
            meter.requireTokens();
            Usage used = Usage.NONE;
            try {
                Embedder.Embedded embedded = embedder.passages(
                        texts, EMBEDDING, calls, CallSite.of(CallInfo.Kind.EMBEDDER, embedder.name()), closing);
                used = embedded.usage();
                return embedded;
            } catch (EmbeddingFailedException e) {
                used = e.usage();
                throw e;
            } finally {
                usage = usage.plus(used);
                meter.count(MemoryUsage.Part.EMBEDDINGS, embedder.name(), used);
            }
        }

        /** Note a failed try; returns how long to wait for the next one. */
        private Duration failed() {
            Optional<VectorSpace> space = embedder.space();
            if (space.isEmpty()) {
                return LeasedWork.WAITS.getFirst();
            }
            Optional<IndexedRange> stored = memory.indexed(owner, task.threadId(), space.get());
            IndexedRange range = stored.orElseGet(this::nothing);
            Duration wait = LeasedWork.WAITS.get(Math.min(range.tries(), LeasedWork.WAITS.size() - 1));
            IndexedRange tried = new IndexedRange(
                    range.low(), range.high(), range.tries() + 1, time.now().plus(wait));
            try {
                boolean ignored = memory.index(owner, task.threadId(), space.get(), stored, tried, List.of());
            } catch (StoreException e) {
                LOG.warn("thread {}: a failed try could not be stored: {}", task.threadId(), e.getMessage());
            }
            return wait;
        }
    }

    /** A passage before it is embedded. */
    private record Place(long position, int part, String text) {}
}
