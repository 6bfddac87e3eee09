package dev.chargehand.internal.loop;

import dev.chargehand.internal.fact.CallState;
import dev.chargehand.internal.fact.Fact;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Executes calls side by side, each on a virtual thread of its own and at most so many at once.
 *
 * <p>Ends are handed to the run's own thread as they are known. Every call ends by itself - it is bounded by its limits
 * and by the cancellation of the run - so waiting for all of them needs no limit of its own.
 */
final class Fan {

    private final int concurrency;

    Fan(int concurrency) {
        this.concurrency = concurrency;
    }

    /** One of both is null. */
    private record End(
            Fact.@Nullable CallClosed fact, @Nullable RuntimeException thrown) {}

    /**
     * Executes calls.
     *
     * @param each executes one call
     * @param onEnd hears of each end on the calling thread, in the order of time
     */
    void each(List<CallState> calls, Function<CallState, Fact.CallClosed> each, Consumer<Fact.CallClosed> onEnd) {
        if (calls.size() == 1) {
            onEnd.accept(each.apply(calls.getFirst()));
            return;
        }
        Deque<CallState> waiting = new ArrayDeque<>(calls);
        BlockingQueue<End> ends = new LinkedBlockingQueue<>();
        int running = 0;
        RuntimeException first = null;
        while (running > 0 || !waiting.isEmpty()) {
            if (!waiting.isEmpty() && running < concurrency && first == null) {
                start(waiting.removeFirst(), each, ends);
                running++;
                continue;
            }
            if (running == 0) {
                break;
            }
            End end = take(ends);
            running--;
            RuntimeException thrown = end.fact() == null ? end.thrown() : hand(end.fact(), onEnd);
            first = first == null ? thrown : first;
        }
        if (first != null) {
            throw first;
        }
    }

    /** Hands an end over even if another call broke: what happened outside belongs on record. */
    private static @Nullable RuntimeException hand(Fact.CallClosed end, Consumer<Fact.CallClosed> onEnd) {
        try {
            onEnd.accept(end);
            return null;
        } catch (RuntimeException e) {
            return e;
        }
    }

    private static void start(CallState call, Function<CallState, Fact.CallClosed> each, BlockingQueue<End> ends) {
        Thread.ofVirtual().name("call " + call.callId()).start(() -> {
            try {
                ends.add(new End(each.apply(call), null));
            } catch (RuntimeException e) {
                ends.add(new End(null, e));
            } catch (Error e) {
                ends.add(new End(null, new IllegalStateException("Call " + call.callId() + " broke.", e)));
            }
        });
    }

    private static End take(BlockingQueue<End> ends) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return ends.take();
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
