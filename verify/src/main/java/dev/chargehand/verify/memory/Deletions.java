package dev.chargehand.verify.memory;

import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.verify.harness.Tally;
import dev.chargehand.verify.stores.StorePlace;
import java.sql.SQLException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Deletes threads that another process has filled and is indexing. Used by one thread. */
final class Deletions implements AutoCloseable {

    private static final int MOST_MILLIS = 150;

    private final Rows rows;
    private final int threads;
    private final SplittableRandom random;
    private final Tally tally;
    private final AgentRuntime runtime;

    Deletions(StorePlace place, Rows rows, int threads, SplittableRandom random, Tally tally) {
        this.rows = rows;
        this.threads = threads;
        this.random = random;
        this.tally = tally;
        this.runtime = new MemoryCrew(what -> tally.addFault("foreign", what)).runtime(place.open(), Wakeups.off());
    }

    /** How a thread is handled. */
    private enum Fate {
        DELETED,
        /** Deleted, and then there is a new one of its id. */
        MADE_AGAIN,
        KEPT;

        static Fate of(int number) {
            return switch (number % 4) {
                case 0, 2 -> DELETED;
                case 1 -> MADE_AGAIN;
                default -> KEPT;
            };
        }
    }

    /** Handle a thread in its way. */
    void filled(int number) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(MOST_MILLIS)));
        Fate fate = Fate.of(number);
        if (fate != Fate.KEPT) {
            delete(number);
        }
        if (fate == Fate.MADE_AGAIN) {
            Fills.fillAgain(runtime, number);
        }
    }

    private void delete(int number) {
        while (true) {
            try {
                if (!runtime.threads().delete(Fills.OWNER, Fills.thread(number))) {
                    tally.addFault("lost", Fills.thread(number) + " was not there to be deleted");
                }
                return;
            } catch (ChargehandException e) {
                if (!e.retryable()) {
                    throw e;
                }
            }
        }
    }

    /** Look at what is left. */
    void check() throws SQLException {
        Settling.await(runtime, rows, tally);
        Indexed indexed = new Indexed(rows.vectors(), tally);
        for (int number = 0; number < threads; number++) {
            tally.addCase();
            String id = Fills.thread(number);
            Fate fate = Fate.of(number);
            boolean isThere = runtime.threads().find(Fills.OWNER, id).isPresent();
            if (isThere == (fate == Fate.DELETED)) {
                tally.addFault(isThere ? "orphans" : "lost", id + " is " + (isThere ? "there again" : "missing"));
            }
            List<ThreadMessage> messages = Indexed.messages(runtime, Fills.OWNER, id);
            indexed.check("local", id, messages);
            boolean isNoted = isThere
                    && runtime.memory()
                            .workingMemory(ScopeRef.thread(Fills.OWNER, id))
                            .isPresent();
            if (isNoted != (fate == Fate.KEPT)) {
                tally.addFault(isNoted ? "orphans" : "lost", "the working memory of " + id);
            }
        }
        indexed.checkNothingElse();
        rows.orphans().forEach((what, count) -> {
            if (count > 0) {
                tally.addFault("orphans", count + " rows: " + what);
            }
        });
    }

    @Override
    public void close() {
        runtime.close();
    }
}
