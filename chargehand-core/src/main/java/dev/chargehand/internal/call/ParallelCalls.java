package dev.chargehand.internal.call;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Does pieces of work side by side, each on a virtual thread of its own and at most so many at once.
 *
 * <p>Ends are handed to the calling thread as they are known. Every piece ends by itself - it is bounded by its limits
 * and by the cancellation of the run - so waiting for all of them needs no limit of its own.
 */
public final class ParallelCalls {

    private final int concurrency;
    private final Supplier<CallerContext.Opened> around;
    private final Runnable beforeWaits;

    /**
     * Prepare work.
     *
     * @param around opens, on a thread that is started, what is current on the calling one
     * @param beforeWaits done on the calling thread before it waits
     */
    public ParallelCalls(int concurrency, Supplier<CallerContext.Opened> around, Runnable beforeWaits) {
        this.concurrency = concurrency;
        this.around = around;
        this.beforeWaits = beforeWaits;
    }

    /** Takes the ends of pieces. */
    @FunctionalInterface
    public interface OnEnd<P, R> {

        /** Take an end; returns what is to be done instead, which is nothing unless there is a free place. */
        List<P> over(R result, boolean place);

        /** Do what follows on ends that were taken together, before anything is done instead of them. */
        default void allOver() {}
    }

    /** Brings more pieces while others are being done. */
    public interface Arrivals<P> {

        /** Return the pieces that can be done now; called on the calling thread after every wake. */
        List<P> arrived();

        /** Call {@code wake} whenever pieces may have arrived, from any thread, until what is returned is closed. */
        Runnable listen(Runnable wake);
    }

    /** One of both is null; both are if pieces may have arrived. */
    private record End<R>(@Nullable R result, @Nullable RuntimeException thrown) {}

    /**
     * Do the pieces of a work.
     *
     * @param name names a piece, for thread dumps
     * @param begin starts one piece on the calling thread, when there is room for it; what it returns does the piece
     * @param onEnd takes each end on the calling thread, in the order of time
     */
    public <P, R> void each(
            List<P> pieces, Function<P, Object> name, Function<P, Supplier<R>> begin, OnEnd<P, R> onEnd) {
        List<P> alone = pieces;
        while (alone.size() == 1) {
            alone = onEnd.over(begin.apply(alone.getFirst()).get(), true);
            onEnd.allOver();
        }
        if (!alone.isEmpty()) {
            each(alone, name, begin, onEnd, null, new LinkedBlockingQueue<>());
        }
    }

    /** Do the pieces of a work, and those that arrive until all are done. */
    public <P, R> void each(
            List<P> pieces,
            Function<P, Object> name,
            Function<P, Supplier<R>> begin,
            OnEnd<P, R> onEnd,
            Arrivals<P> arrivals) {
        BlockingQueue<End<R>> ends = new LinkedBlockingQueue<>();
        Runnable stop = arrivals.listen(() -> ends.add(new End<>(null, null)));
        try {
            each(pieces, name, begin, onEnd, arrivals, ends);
        } finally {
            stop.run();
        }
    }

    private <P, R> void each(
            List<P> pieces,
            Function<P, Object> name,
            Function<P, Supplier<R>> begin,
            OnEnd<P, R> onEnd,
            @Nullable Arrivals<P> arrivals,
            BlockingQueue<End<R>> ends) {
        Deque<P> waiting = new ArrayDeque<>(pieces);
        int running = 0;
        RuntimeException first = null;
        while (running > 0 || !waiting.isEmpty()) {
            if (!waiting.isEmpty() && running < concurrency && first == null) {
                P piece = waiting.removeFirst();
                start(String.valueOf(name.apply(piece)), begin.apply(piece), ends);
                running++;
                continue;
            }
            if (running == 0) {
                break;
            }
            beforeWaits.run();
            for (End<R> end : take(ends)) {
                if (arrivals != null && end.result() == null && end.thrown() == null) {
                    if (first == null) {
                        waiting.addAll(arrivals.arrived());
                    }
                    continue;
                }
                running--;
                boolean place = first == null && running + waiting.size() < concurrency;
                RuntimeException thrown =
                        end.result() == null ? end.thrown() : hand(end.result(), place, onEnd, waiting);
                first = first == null ? thrown : first;
            }
            RuntimeException thrown = thrownBy(onEnd::allOver);
            first = first == null ? thrown : first;
        }
        if (first != null) {
            throw first;
        }
    }

    /** Execute the pieces of a work and return their results, in the order of the pieces. */
    public <P, R> List<R> all(List<P> pieces, Function<P, Object> name, Function<P, R> each) {
        List<Integer> places = IntStream.range(0, pieces.size()).boxed().toList();
        Map<Integer, R> results = new TreeMap<>();
        each(
                places,
                place -> name.apply(pieces.get(place)),
                place -> () -> new Done<>(place, each.apply(pieces.get(place))),
                (done, place) -> {
                    results.put(done.place(), done.result());
                    return List.of();
                });
        return List.copyOf(results.values());
    }

    private record Done<R>(int place, R result) {}

    /** Hand an end over even if another piece broke: what happened outside belongs stored. */
    private static <P, R> @Nullable RuntimeException hand(R end, boolean place, OnEnd<P, R> onEnd, Deque<P> waiting) {
        return thrownBy(() -> waiting.addAll(onEnd.over(end, place)));
    }

    private static @Nullable RuntimeException thrownBy(Runnable work) {
        try {
            work.run();
            return null;
        } catch (RuntimeException e) {
            return e;
        }
    }

    private <R> void start(String name, Supplier<R> piece, BlockingQueue<End<R>> ends) {
        Thread.ofVirtual().name(name).start(() -> ends.add(end(name, piece)));
    }

    private <R> End<R> end(String name, Supplier<R> piece) {
        try (CallerContext.Opened ignored = around.get()) {
            return new End<>(piece.get(), null);
        } catch (RuntimeException e) {
            return new End<>(null, e);
        } catch (Error e) {
            return new End<>(null, new IllegalStateException(name + " broke.", e));
        }
    }

    /** Wait for an end, and take all that have come with it. */
    private static <R> List<End<R>> take(BlockingQueue<End<R>> ends) {
        List<End<R>> taken = new ArrayList<>(1);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    taken.add(ends.take());
                    ends.drainTo(taken);
                    return taken;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
