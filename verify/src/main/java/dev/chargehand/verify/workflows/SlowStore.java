package dev.chargehand.verify.workflows;

import dev.chargehand.run.RunId;
import dev.chargehand.store.Append;
import dev.chargehand.store.Appended;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A store whose claims, and some of its appends, reach it late, when another process may have been faster. */
final class SlowStore extends ForwardingStore {

    private static final long MOST_DELAY = TimeUnit.MILLISECONDS.toNanos(15);

    /** One of so many appends is late. */
    private static final int APPENDS = 20;

    SlowStore(Store store) {
        super(store);
    }

    @Override
    public Appended append(List<Append> appends) {
        delay(APPENDS);
        return super.append(appends);
    }

    @Override
    public RunRecord claim(RunId runId, long expectedEpoch, long expectedLength, String owner) {
        delay(2);
        return super.claim(runId, expectedEpoch, expectedLength, owner);
    }

    @Override
    public RunRecord claimToWake(
            RunId runId, long expectedEpoch, long expectedLength, String owner, Instant notBefore) {
        delay(2);
        return super.claimToWake(runId, expectedEpoch, expectedLength, owner, notBefore);
    }

    private static void delay(int oneOf) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        if (random.nextInt(oneOf) == 0) {
            LockSupport.parkNanos(random.nextLong(MOST_DELAY));
        }
    }
}
