package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.AgentRuntime;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.RunHandle;
import dev.chargehand.RunOptions;
import dev.chargehand.TenantRuntime;
import dev.chargehand.Until;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.spi.AccessCheck;
import dev.chargehand.spi.AccessCheck.Access;
import dev.chargehand.spi.AccessCheck.Kind;
import dev.chargehand.spi.ContextPropagator;
import dev.chargehand.store.RunFilter;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.thread.ThreadOwner;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A check decides which runs, threads and approvals a caller may open; what it denies is missing. */
@Timeout(120)
class AccessCheckTest {

    private static final ThreadLocal<String> USER = new ThreadLocal<>();

    private static final ContextPropagator USERS = () -> {
        String captured = USER.get();
        return () -> {
            String own = USER.get();
            USER.set(captured);
            return () -> USER.set(own);
        };
    };

    /** Everybody has what belongs to them, and what belongs to nobody. */
    private static final AccessCheck OWN =
            access -> access.resourceId().map(owner -> owner.equals(USER.get())).orElse(true);

    private static final Approver ANN = Approver.of("ann");
    private static final ThreadOwner OWNER = ThreadOwner.of("ann");

    private final Errands errands = new Errands();
    private final Queue<Access> seen = new ConcurrentLinkedQueue<>();

    @TempDir
    Path folder;

    @AfterEach
    void forget() {
        USER.remove();
    }

    @Test
    void theRunOfAnotherOwnerIsLikeAMissingOne() {
        try (AgentRuntime runtime = runtime(OWN)) {
            USER.set("ann");
            RunId run = runtime.agent("lead")
                    .generate(Errands.DELETE, AccessCheckTest::annsThread)
                    .runId();
            PendingApproval approval = runtime.handle(run).pendingApprovals().getFirst();

            USER.set("bob");
            assertLikeMissing(runtime, run);
            assertThatThrownBy(() -> runtime.approve(approval, ANN))
                    .isInstanceOfSatisfying(ApprovalException.class, e -> assertThat(e.kind())
                            .isEqualTo(ApprovalException.Kind.UNKNOWN));

            USER.set("ann");
            assertThat(runtime.handle(run).status()).isEqualTo(RunStatus.SUSPENDED);
            assertThat(runtime.approve(approval, ANN).result().text()).isEqualTo("Done: delete");
        }
    }

    @Test
    void theLiveRunOfAnotherOwnerIsLikeAMissingOne() {
        try (AgentRuntime runtime = runtime(OWN)) {
            USER.set("ann");
            RunHandle run = runtime.start(
                    runtime.agent("lead"), List.of(Message.user(Errands.WAIT)), AccessCheckTest::annsThread);
            Waiting.on(errands.working);

            USER.set("bob");
            assertLikeMissing(runtime, run.runId());

            errands.go.countDown();
            assertThat(run.result().text()).isEqualTo("Done: wait");
        }
    }

    private static void assertLikeMissing(TenantRuntime runtime, RunId run) {
        RunId missing = new RunId("run_missing");
        List<Consumer<RunId>> calls = List.of(
                runtime::handle,
                id -> runtime.resume(id, o -> {}),
                id -> runtime.advance(id, Until.never()),
                id -> runtime.fork(id, 0, fork -> {}),
                id -> runtime.watch(id, null),
                runtime::history);
        for (Consumer<RunId> call : calls) {
            StoreException expected = notFound(() -> call.accept(missing));
            assertThat(notFound(() -> call.accept(run)).getMessage())
                    .isEqualTo(expected.getMessage().replace(missing.value(), run.value()));
        }
        assertThat(runtime.cancel(run)).isFalse();
        assertThat(runtime.tell(run, "Hello")).isEmpty();
        assertThat(runtime.runs(RunFilter.ALL)).isEmpty();
    }

    private static StoreException notFound(ThrowingCallable call) {
        StoreException[] thrown = new StoreException[1];
        assertThatThrownBy(call).isInstanceOfSatisfying(StoreException.class, e -> thrown[0] = e);
        assertThat(thrown[0].kind()).isEqualTo(StoreException.Kind.NOT_FOUND);
        return thrown[0];
    }

    @Test
    void aThreadThatIsDeniedIsLikeAMissingOne() {
        try (AgentRuntime runtime = runtime(OWN)) {
            USER.set("ann");
            runtime.agent("lead").generate("Hello", AccessCheckTest::annsThread);

            USER.set("bob");
            assertThat(runtime.threads().find(OWNER, "t")).isEmpty();
            assertThat(runtime.threads().list("ann", 0, 10)).isEmpty();
            assertThat(runtime.threads().lastMessages(OWNER, "t", 10)).isEmpty();
            assertThat(runtime.threads().messagesFrom(OWNER, "t", 0, 10)).isEmpty();
            assertThat(runtime.threads().delete(OWNER, "t")).isFalse();
            assertThat(notFound(() -> runtime.threads().change(OWNER, "t", c -> c.title("x"))))
                    .hasMessage("There is no thread 't' in the store.");
            assertThat(notFound(() -> runtime.threads().copy(OWNER, "t", 1, c -> {})))
                    .hasMessage("There is no thread 't' in the store.");
            assertThatThrownBy(() -> runtime.threads().append(OWNER, "t", List.of(Message.user("Hi"))))
                    .isInstanceOf(ThreadOwnershipException.class);
            assertThatThrownBy(() -> runtime.agent("lead").generate("Hi", AccessCheckTest::annsThread))
                    .isInstanceOf(ThreadOwnershipException.class);
            assertThatThrownBy(() -> runtime.submit(
                            runtime.agent("lead"), List.of(Message.user("Hi")), AccessCheckTest::annsThread))
                    .isInstanceOf(ThreadOwnershipException.class);

            USER.set("ann");
            assertThat(runtime.threads().find(OWNER, "t").orElseThrow().title()).contains("Hello");
            assertThat(runtime.threads().list("ann", 0, 10)).hasSize(1);
            assertThat(runtime.threads().lastMessages(OWNER, "t", 10)).hasSize(2);
            assertThat(runtime.threads().delete(OWNER, "t")).isTrue();
        }
    }

    @Test
    void theCheckSeesWhatIsOpenedAndWhetherItIsChanged() {
        try (AgentRuntime runtime = runtime(access -> true)) {
            TenantRuntime acme = runtime.forTenant("acme");
            RunId run = acme.agent("lead")
                    .generate(Errands.DELETE, AccessCheckTest::annsThread)
                    .runId();
            assertThat(seen).containsExactly(access(Kind.THREAD, "t", true));
            seen.clear();
            RunHandle handle = acme.handle(run);
            PendingApproval approval = handle.pendingApprovals().getFirst();
            acme.watch(run, null).close();
            assertThat(seen)
                    .containsExactly(access(Kind.RUN, run.value(), false), access(Kind.RUN, run.value(), false));
            seen.clear();
            acme.tell(run, "Hello");
            acme.approve(approval, ANN).result();
            assertThat(seen)
                    .containsExactly(
                            access(Kind.RUN, run.value(), true),
                            access(Kind.APPROVAL, run + "/" + approval.callId(), true));
            seen.clear();
            acme.threads().find(OWNER, "t");
            acme.threads().change(OWNER, "t", change -> change.title("x"));
            assertThat(seen).containsExactly(access(Kind.THREAD, "t", false), access(Kind.THREAD, "t", true));
            seen.clear();
            handle.cancel();
            acme.cancel(run);
            assertThat(seen).containsExactly(access(Kind.RUN, run.value(), true), access(Kind.RUN, run.value(), true));
        }
    }

    private static Access access(Kind kind, String id, boolean changes) {
        return new Access("acme", kind, id, Optional.of("ann"), changes);
    }

    @Test
    void aRunThatMayOnlyBeReadIsNotCancelledByItsHandle() {
        try (AgentRuntime runtime = runtime(access -> access.kind() == Kind.THREAD || !access.changes())) {
            RunId run = runtime.agent("lead")
                    .generate(Errands.DELETE, AccessCheckTest::annsThread)
                    .runId();

            RunHandle handle = runtime.handle(run);
            assertThat(handle.cancel()).isFalse();
            assertThat(handle.status()).isEqualTo(RunStatus.SUSPENDED);
            assertThat(runtime.history(run)).isNotEmpty();
            notFound(() -> runtime.resume(run, o -> {}));
        }
    }

    @Test
    void aListSkipsWhatIsDeniedAndIsFilledWithWhatFollows() {
        Queue<String> denied = new ConcurrentLinkedQueue<>();
        try (AgentRuntime runtime = runtime(access -> !denied.contains(access.id()))) {
            List<RunId> runs = List.of("1", "2", "3", "4", "5").stream()
                    .map(prompt -> runtime.agent("lead").generate(prompt).runId())
                    .toList();
            denied.addAll(List.of(
                    runs.get(4).value(), runs.get(3).value(), runs.get(1).value()));

            assertThat(runtime.runs(RunFilter.ROOTS.limit(2)))
                    .extracting(run -> run.runId())
                    .containsExactly(runs.get(2), runs.get(0));
            assertThat(runtime.runs(RunFilter.ROOTS.limit(1)))
                    .extracting(run -> run.runId())
                    .containsExactly(runs.get(2));
            assertThat(runtime.operator().runs(RunFilter.ROOTS)).hasSize(5);
        }
    }

    @Test
    void aCheckThatFailsDenies() {
        try (AgentRuntime runtime = runtime(access -> {
            throw new IllegalStateException("The directory is down.");
        })) {
            RunId run = runtime.agent("lead").generate("Hello").runId();

            assertThat(Logged.during(() -> notFound(() -> runtime.handle(run))))
                    .contains("access is denied", run.value(), "IllegalStateException");
        }
    }

    @Test
    void aCheckThatHangsDeniesAfterTenSeconds() {
        ManualClock clock = new ManualClock();
        CountDownLatch called = new CountDownLatch(1);
        try (AgentRuntime runtime = builder(access -> {
                    called.countDown();
                    Waiting.on(errands.go);
                    return true;
                })
                .timeSource(clock)
                .build()) {
            RunId run = runtime.agent("lead").generate("Hello").runId();
            CompletableFuture<StoreException> opened =
                    CompletableFuture.supplyAsync(() -> notFound(() -> runtime.handle(run)));
            Waiting.on(called);
            clock.advance(Duration.ofSeconds(10));

            assertThat(opened.join()).hasMessageContaining(run.value());
            errands.go.countDown();
        }
    }

    @Test
    void wakeUpsAreNotChecked() {
        try (AgentRuntime web = runtime(access -> true);
                AgentRuntime worker =
                        builder(access -> false).wakeups(Wakeups.all()).build()) {
            RunId run = web.submit(web.agent("lead"), List.of(Message.user("Hello")), AccessCheckTest::annsThread);

            assertThat(web.handle(run).result().text()).isEqualTo("Done: Hello");
            notFound(() -> worker.handle(run));
        }
    }

    private static void annsThread(RunOptions.Builder options) {
        options.thread("t").resource("ann");
    }

    @Test
    void theMemoryOfAnotherOwnerIsEmptyAndStaysAsItIs() {
        ScopeRef ofAnn = ScopeRef.resource("ann");
        ScopeRef ofHerThread = ScopeRef.thread(OWNER, "t");
        try (AgentRuntime runtime = runtime(OWN)) {
            USER.set("ann");
            var ignored = runtime.threads().append(OWNER, "t", List.of(Message.user("Hello")));
            for (ScopeRef scope : List.of(ofAnn, ofHerThread)) {
                assertThat(runtime.memory()
                                .editWorkingMemory(scope, text -> "note", "key")
                                .revision())
                        .isEqualTo(1);
            }

            USER.set("bob");
            for (ScopeRef scope : List.of(ofAnn, ofHerThread)) {
                assertThat(runtime.memory().workingMemory(scope)).isEmpty();
                assertThatThrownBy(() -> runtime.memory().undo(scope, 1)).isInstanceOf(ConfigurationException.class);
            }
            assertThatThrownBy(() -> runtime.memory().editWorkingMemory(ofAnn, text -> "other", "other"))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("access check");
            String denied = notFound(() -> runtime.memory().editWorkingMemory(ofHerThread, text -> "other", "other"))
                    .getMessage();
            ScopeRef missing = ScopeRef.thread(OWNER, "t");

            USER.set("ann");
            assertThat(runtime.threads().delete(OWNER, "t")).isTrue();
            assertThat(notFound(() -> runtime.memory().editWorkingMemory(missing, text -> "other", "other"))
                            .getMessage())
                    .isEqualTo(denied);
            assertThat(runtime.memory().workingMemory(ofAnn).orElseThrow().text())
                    .isEqualTo("note");
            assertThat(seen).extracting(Access::kind).contains(Kind.MEMORY, Kind.THREAD);
        }
    }

    private AgentRuntime runtime(AccessCheck check) {
        return builder(check).build();
    }

    private AgentRuntimeBuilder builder(AccessCheck check) {
        return AgentRuntime.builder()
                .store(JdbcStore.sqlite(folder.resolve("store.db")))
                .wakeups(Wakeups.off())
                .anyoneMayApprove()
                .addContextPropagator(USERS)
                .accessCheck(access -> {
                    seen.add(access);
                    return check.mayAccess(access);
                })
                .agents(errands.lead());
    }
}
