package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.TenantRuntime;
import dev.chargehand.Until;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.IdempotencyKeyException;
import dev.chargehand.error.StoreException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.thread.ThreadOwner;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A runtime acts for tenants, none of whom reaches the runs and threads of another. */
@Timeout(120)
class TenantsTest {

    private static final Approver ANN = Approver.of("ann");
    private static final ThreadOwner OWNER = ThreadOwner.of("ann");

    private final Errands errands = new Errands();

    @TempDir
    Path folder;

    @Test
    void aTenantHasItsOwnRunsAndThreads() {
        try (AgentRuntime runtime = runtime(file(), Wakeups.off())) {
            TenantRuntime acme = runtime.forTenant("acme");
            RunResult mine =
                    runtime.agent("lead").generate("Hello", o -> o.thread("t").resource("ann"));
            RunResult theirs =
                    acme.agent("lead").generate("Hi", o -> o.thread("t").resource("ann"));

            assertThat(runtime.tenantId()).isEqualTo("local");
            assertThat(acme.tenantId()).isEqualTo("acme");
            assertThat(runtime.forTenant("local")).isSameAs(runtime);
            assertThat(ids(runtime.runs(RunFilter.ALL))).containsExactly(mine.runId());
            assertThat(ids(acme.runs(RunFilter.ALL))).containsExactly(theirs.runId());
            assertThat(ids(runtime.operator().runs(RunFilter.ALL)))
                    .containsExactlyInAnyOrder(mine.runId(), theirs.runId());
            assertThat(runtime.operator().runs(RunFilter.ALL))
                    .extracting(RunRecord::tenantId)
                    .containsExactlyInAnyOrder("local", "acme");
            assertThat(texts(runtime)).containsExactly("Hello", "Done: Hello");
            assertThat(texts(acme)).containsExactly("Hi", "Done: Hi");
            assertThatThrownBy(() -> runtime.forTenant("")).isInstanceOf(ConfigurationException.class);
        }
    }

    @Test
    void theWaitingRunOfAnotherTenantIsMissingForEveryMethod() {
        for (Store store : List.of(file(), InMemoryStore.create())) {
            try (AgentRuntime runtime = runtime(store, Wakeups.off())) {
                TenantRuntime acme = runtime.forTenant("acme");
                RunId run = acme.agent("lead").generate(Errands.DELETE).runId();
                PendingApproval approval = acme.handle(run).pendingApprovals().getFirst();

                assertMissing(runtime, run);
                assertThatThrownBy(() -> runtime.approve(approval, ANN))
                        .isInstanceOfSatisfying(ApprovalException.class, e -> assertThat(e.kind())
                                .isEqualTo(ApprovalException.Kind.UNKNOWN));
                assertThat(acme.handle(run).status()).isEqualTo(RunStatus.SUSPENDED);

                assertThat(acme.approve(approval, ANN).result().text()).isEqualTo("Done: delete");
                assertMissing(runtime, run);
                assertThatThrownBy(() -> runtime.approve(approval, ANN))
                        .isInstanceOfSatisfying(ApprovalException.class, e -> assertThat(e.kind())
                                .isEqualTo(ApprovalException.Kind.UNKNOWN));
            }
        }
    }

    @Test
    void theLiveRunOfAnotherTenantIsMissingInTheRuntimeThatExecutesIt() {
        try (AgentRuntime runtime = runtime(file(), Wakeups.off())) {
            TenantRuntime acme = runtime.forTenant("acme");
            RunHandle run = acme.start(acme.agent("lead"), List.of(Message.user(Errands.WAIT)), o -> {});
            Waiting.on(errands.working);

            assertMissing(runtime, run.runId());
            assertMissing(runtime.forTenant("zoo"), run.runId());
            errands.go.countDown();

            assertThat(run.result().text()).isEqualTo("Done: wait");
            assertThat(run.result().status()).isEqualTo(RunStatus.COMPLETED);
        }
    }

    private static void assertMissing(TenantRuntime runtime, RunId run) {
        assertNotFound(() -> runtime.handle(run));
        assertNotFound(() -> runtime.resume(run, o -> {}));
        assertNotFound(() -> runtime.advance(run, Until.never()));
        assertNotFound(() -> runtime.fork(run, 0, fork -> {}));
        assertNotFound(() -> runtime.watch(run, null));
        assertNotFound(() -> runtime.history(run));
        assertThat(runtime.cancel(run)).isFalse();
        assertThat(runtime.tell(run, "Hello")).isEmpty();
        assertThat(runtime.runs(RunFilter.ALL.tree(run))).isEmpty();
    }

    private static void assertNotFound(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.kind())
                .isEqualTo(StoreException.Kind.NOT_FOUND));
    }

    @Test
    void runsOfTwoTenantsUseThreadsOfOneIdAtOnce() {
        try (AgentRuntime runtime = runtime(file(), Wakeups.off())) {
            RunHandle waiting =
                    runtime.start(runtime.agent("lead"), List.of(Message.user(Errands.WAIT)), TenantsTest::onThread);
            Waiting.on(errands.working);

            RunResult other = runtime.forTenant("acme").agent("lead").generate("Hi", TenantsTest::onThread);
            errands.go.countDown();

            assertThat(other.text()).isEqualTo("Done: Hi");
            assertThat(waiting.result().text()).isEqualTo("Done: wait");
        }
    }

    @Test
    void aDelegationBelongsToTheTenantOfItsRootRun() {
        try (AgentRuntime runtime = runtime(file(), Wakeups.off())) {
            TenantRuntime acme = runtime.forTenant("acme");
            RunId run = acme.agent("lead")
                    .generate(Errands.DELEGATE, TenantsTest::onThread)
                    .runId();

            assertThat(acme.runs(RunFilter.ALL.tree(run))).hasSize(2).allSatisfy(each -> assertThat(each.tenantId())
                    .isEqualTo("acme"));
            String thread = acme.runs(RunFilter.ALL.tree(run)).stream()
                    .filter(each -> !each.isRoot())
                    .findFirst()
                    .flatMap(RunRecord::threadId)
                    .orElseThrow();
            assertThat(runtime.store().findThread(thread)).isEmpty();
            assertThat(runtime.store().forTenant("acme").findThread(thread)).isPresent();
            assertThat(runtime.runs(RunFilter.ALL)).isEmpty();
        }
    }

    @Test
    void aWakeUpExecutesARunForItsTenant() {
        try (AgentRuntime web = runtime(file(), Wakeups.off())) {
            TenantRuntime acme = web.forTenant("acme");
            RunId submitted = acme.submit(acme.agent("lead"), List.of(Message.user("Hello")), TenantsTest::onThread);
            RunId waiting = acme.agent("lead").generate(Errands.DELETE).runId();
            try (AgentRuntime worker = runtime(file(), Wakeups.all())) {
                assertThat(acme.handle(submitted).result().text()).isEqualTo("Done: Hello");
                PendingApproval approval =
                        acme.handle(waiting).pendingApprovals().getFirst();
                assertThat(acme.approve(approval, ANN).result().text()).isEqualTo("Done: delete");
                assertNotFound(() -> worker.handle(submitted));
            }
            assertThat(texts(acme)).containsExactly("Hello", "Done: Hello");
            assertThat(web.runs(RunFilter.ALL)).isEmpty();
        }
    }

    @Test
    void recoveringResumesTheRunsOfAllTenants() {
        List<RunId> runs;
        try (AgentRuntime released = runtime(file(), Wakeups.off())) {
            runs = List.of("acme", "zoo").stream()
                    .map(released::forTenant)
                    .map(tenant ->
                            tenant.submit(tenant.agent("lead"), List.of(Message.user("Hi")), TenantsTest::onThread))
                    .toList();
        }
        try (AgentRuntime runtime = runtime(file(), Wakeups.off())) {
            runtime.operator().recover().await();

            assertThat(runtime.forTenant("acme")
                            .handle(runs.getFirst())
                            .result()
                            .text())
                    .isEqualTo("Done: Hi");
            assertThat(runtime.forTenant("zoo").handle(runs.getLast()).result().text())
                    .isEqualTo("Done: Hi");
            assertThat(texts(runtime.forTenant("zoo"))).containsExactly("Hi", "Done: Hi");
        }
    }

    @Test
    void aCancelOfATenantEndsItsWaitingRun() {
        try (AgentRuntime runtime = runtime(file(), Wakeups.off())) {
            TenantRuntime acme = runtime.forTenant("acme");
            RunId run = acme.agent("lead").generate(Errands.DELETE).runId();

            assertThat(acme.cancel(run)).isTrue();
            assertThat(acme.handle(run).status()).isEqualTo(RunStatus.ABORTED);
        }
    }

    @Test
    void anIdempotencyKeyCountsForItsTenant() {
        try (AgentRuntime runtime = runtime(file(), Wakeups.off())) {
            TenantRuntime acme = runtime.forTenant("acme");
            RunId mine = keyed(runtime, "Hello");
            RunId theirs = keyed(acme, "Hi");

            assertThat(keyed(runtime, "Hello")).isEqualTo(mine).isNotEqualTo(theirs);
            assertThat(keyed(acme, "Hi")).isEqualTo(theirs);
            assertThatThrownBy(() -> keyed(acme, "Hello")).isInstanceOf(IdempotencyKeyException.class);
        }
    }

    private static RunId keyed(TenantRuntime runtime, String input) {
        return runtime.submit(runtime.agent("lead"), List.of(Message.user(input)), o -> o.idempotencyKey("key"));
    }

    private static void onThread(RunOptions.Builder options) {
        options.thread("t").resource("ann");
    }

    private static List<RunId> ids(List<RunRecord> runs) {
        return runs.stream().map(RunRecord::runId).toList();
    }

    private static List<String> texts(TenantRuntime runtime) {
        return runtime.threads().lastMessages(OWNER, "t", 100).stream()
                .map(message -> message.message().text())
                .toList();
    }

    private Store file() {
        return JdbcStore.sqlite(folder.resolve("store.db"));
    }

    private AgentRuntime runtime(Store store, Wakeups wakeups) {
        return AgentRuntime.builder()
                .store(store)
                .wakeups(wakeups)
                .anyoneMayApprove()
                .agents(errands.lead())
                .build();
    }
}
