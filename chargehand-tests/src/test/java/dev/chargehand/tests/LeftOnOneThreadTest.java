package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.Until;
import dev.chargehand.Until.Advanced;
import dev.chargehand.Wakeups;
import dev.chargehand.error.StoreException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.jdbc.SqliteOptions;
import dev.chargehand.run.RunId;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.store.WaitingCall;
import dev.chargehand.testkit.ForwardingStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several runs that closed runtimes have left on one thread are all resumed, however many processes claim them at once. */
@Timeout(120)
class LeftOnOneThreadTest extends LeftRunFixture {

    @TempDir
    Path folder;

    @Test
    void wakeUpsThatClaimThemAtOnceResumeBoth() {
        RunId first = left("one");
        RunId second = left("two");
        mayEnd.countDown();

        try (AgentRuntime runtime = runtime(new BothClaimed(store()), Wakeups.all())) {
            assertThat(runtime.handle(first).result().text()).isEqualTo("Heard one");
            assertThat(runtime.handle(second).result().text()).isEqualTo("Heard two");
        }
    }

    @Test
    void processesThatClaimThemAtOnceResumeBoth() throws InterruptedException {
        RunId first = left("one");
        RunId second = left("two");
        mayEnd.countDown();
        BothClaimed claims = new BothClaimed(store());

        try (AgentRuntime one = runtime(claims, Wakeups.off());
                AgentRuntime other = runtime(claims.again(store()), Wakeups.off())) {
            Thread resuming = Thread.ofVirtual().start(() -> one.resume(first, o -> {}));
            RunHandle resumed = other.resume(second, o -> {});

            assertThat(resumed.result().text()).isEqualTo("Heard two");
            resuming.join();
            assertThat(one.handle(first).result().text()).isEqualTo("Heard one");
        }
    }

    @Test
    void aRunThatCannotBeResumedIsNotKeptFromOtherProcesses() {
        RunId run = left("one");
        mayEnd.countDown();

        try (AgentRuntime cannot = runtime(new DamagedCalls(store()), Wakeups.off());
                AgentRuntime can = runtime(store(), Wakeups.off())) {
            assertThatThrownBy(() -> cannot.resume(run, o -> {})).isInstanceOf(StoreException.class);

            assertThat(can.resume(run, o -> {}).result().text()).isEqualTo("Heard one");
        }
    }

    @Test
    void aRunWhoseThreadIsBusyIsNotKeptFromOtherProcesses() {
        RunId first = left("one");
        RunId second = left("two");

        try (AgentRuntime busy = runtime(store(), Wakeups.off());
                AgentRuntime advances = runtime(store(), Wakeups.off())) {
            RunHandle atWork = busy.resume(second, o -> {});
            assertThat(advances.advance(first, Until.never())).isEqualTo(new Advanced.Queued());
            mayEnd.countDown();
            assertThat(atWork.result().text()).isEqualTo("Heard two");

            assertThat(busy.resume(first, o -> {}).result().text()).isEqualTo("Heard one");
        }
    }

    private RunId left(String prompt) {
        return left(store(), prompt);
    }

    private Store store() {
        return JdbcStore.sqlite(folder.resolve("store.db"), SqliteOptions.DEFAULT.threadGrace(Duration.ZERO));
    }

    /** Lets a claim return when there are two, so that neither run has continued when the other is claimed. */
    private static final class BothClaimed extends ForwardingStore {

        private final CountDownLatch claims;

        BothClaimed(Store store) {
            this(store, new CountDownLatch(2));
        }

        private BothClaimed(Store store, CountDownLatch claims) {
            super(store);
            this.claims = claims;
        }

        BothClaimed again(Store store) {
            return new BothClaimed(store, claims);
        }

        @Override
        public RunRecord claim(RunId runId, long epoch, long length, String owner) {
            return withOther(super.claim(runId, epoch, length, owner));
        }

        @Override
        public RunRecord claimToWake(RunId runId, long epoch, long length, String owner, Instant notBefore) {
            return withOther(super.claimToWake(runId, epoch, length, owner, notBefore));
        }

        private RunRecord withOther(RunRecord claimed) {
            claims.countDown();
            try {
                boolean ignored = claims.await(5, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return claimed;
        }
    }

    /** Cannot read the calls that wait, after a run has been claimed. */
    private static final class DamagedCalls extends ForwardingStore {

        DamagedCalls(Store store) {
            super(store);
        }

        @Override
        public List<WaitingCall> waiting(RunId root) {
            throw new StoreException(StoreException.Kind.UNREADABLE, "The calls of " + root + " are damaged.", null);
        }
    }
}
