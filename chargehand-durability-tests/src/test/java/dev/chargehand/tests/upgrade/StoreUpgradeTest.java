package dev.chargehand.tests.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunResult;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.run.RunStatus;
import dev.chargehand.spi.IdSource;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.RunSummary;
import dev.chargehand.store.Store;
import dev.chargehand.store.WaitingCall.WaitingFilter;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.testkit.TestRuntime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A store that a version with an earlier schema wrote is upgraded whole, and all its runs go on. */
class StoreUpgradeTest {

    private static final Approver ANN = Approver.of("ann");

    @TempDir
    Path folder;

    /** One database for each schema, in turn, and both for the newest; all with {@code -Dchargehand.everyRecording=true}. */
    static List<Path> files() throws IOException {
        List<Path> all = PackedStore.files("schema-");
        int newest = all.stream().mapToInt(PackedStore::schema).max().orElseThrow();
        return all.stream()
                .filter(file -> Boolean.getBoolean("chargehand.everyRecording")
                        || PackedStore.schema(file) == newest
                        || PackedStore.isDump(file) == (PackedStore.schema(file) % 2 == 0))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("files")
    void everyRunGoesOnAndNoMessageIsLost(Path packed) throws Exception {
        assertGoesOn(PackedStore.unpack(packed, folder));
    }

    private static void assertGoesOn(PackedStore unpacked) {
        Map<String, List<String>> before = unpacked.messages();
        assertThat(before.get("long")).hasSize(1_000);
        try (TestRuntime test = opened(unpacked.opening().get())) {
            Store store = test.store();
            assertThat(store.list(RunFilter.ALL.outdated(true))).isEmpty();
            List<RunRecord> waiting = store.list(RunFilter.ROOTS.statuses(RunStatus.SUSPENDED));
            List<RunRecord> interrupted = store.list(RunFilter.ROOTS.statuses(RunStatus.RUNNING));
            assertThat(waiting).hasSize(3);
            assertThat(interrupted).hasSizeGreaterThan(8);
            assertThat(unpacked.messagesIn(store)).isEqualTo(before);
            assertThat(test.runtime().pendingApprovals(WaitingFilter.ALL))
                    .as("with descriptions, although no row had one")
                    .hasSize(3)
                    .containsExactlyInAnyOrderElementsOf(waiting.stream()
                            .flatMap(run -> test.runtime().handle(run.runId()).pendingApprovals().stream())
                            .toList());
            if (unpacked.schema() >= Memories.FIRST) {
                Memories.assertKept(store, unpacked.schema());
            }

            waiting.forEach(run -> approve(test, run));
            interrupted.forEach(run -> resume(test, run));

            assertThat(store.list(RunFilter.ROOTS.statuses(RunStatus.SUSPENDED, RunStatus.RUNNING)))
                    .isEmpty();
            unpacked.messagesIn(store).forEach((thread, now) -> {
                List<String> old = Objects.requireNonNull(before.get(thread));
                assertThat(now.subList(0, old.size())).as(thread).isEqualTo(old);
                assertThat(now.getLast()).as(thread).contains("\"ASSISTANT\"");
            });
        }
    }

    private static void approve(TestRuntime test, RunRecord run) {
        assertThat(run.summary().map(RunSummary::firstWords))
                .hasValueSatisfying(words -> assertThat(words).startsWith("pay bill"));
        assertThat(run.expiresAt()).isPresent();
        PendingApproval pending =
                test.runtime().handle(run.runId()).pendingApprovals().getFirst();
        assertThat(pending.path().toString()).isEqualTo("boss/lead/clerk");
        assertThat(test.store().waiting(run.runId())).singleElement().satisfies(call -> assertThat(call.callId())
                .isEqualTo(pending.callId()));

        RunResult result = test.runtime().approve(pending, ANN).result();

        assertThat(result.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(result.text()).startsWith("Done: ");
    }

    private static void resume(TestRuntime test, RunRecord run) {
        RunResult result = test.runtime().resume(run.runId(), o -> {}).result();

        assertThat(result.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(result.text()).startsWith("Done: ");
    }

    /** Open a store at the time at which it was written: the approvals that its runs wait for expire after a day. */
    private static TestRuntime opened(Store store) {
        Instant written = store.list(RunFilter.ALL.limit(1_000)).stream()
                .map(RunRecord::updatedAt)
                .max(Comparator.naturalOrder())
                .orElseThrow();
        AtomicLong count = new AtomicLong();
        IdSource ids = prefix -> prefix + "new" + count.incrementAndGet();
        return TestRuntime.builder(Office.script())
                .store(store)
                .time(new ManualClock(written.plusSeconds(1)))
                .ids(ids)
                .unrecorded()
                .agents(Office.agents())
                .build();
    }
}
