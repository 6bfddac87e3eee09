package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.Wakeups;
import dev.chargehand.error.RunNotEndedException;
import dev.chargehand.error.StoreException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunStatus;
import dev.chargehand.spi.AccessCheck;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.thread.ThreadOwner;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One run is deleted through its handle, when it has ended. */
@Timeout(120)
class DeletedRunTest {

    private static final String KEY = "order-1";

    private final Errands errands = new Errands();

    @TempDir
    Path folder;

    private AgentRuntime runtime(Store store, AccessCheck access) {
        return AgentRuntime.builder()
                .store(store)
                .wakeups(Wakeups.off())
                .anyoneMayApprove()
                .accessCheck(access)
                .agents(errands.lead())
                .build();
    }

    private List<Store> stores() {
        return List.of(JdbcStore.sqlite(folder.resolve("store.db")), InMemoryStore.keepingEndedRuns());
    }

    @Test
    void aRunIsDeletedWithItsNestedRunsAndItsKeyAndItsThreadStays() {
        for (Store store : stores()) {
            try (AgentRuntime runtime = runtime(store, access -> true)) {
                Agent lead = runtime.agent("lead");
                RunHandle run = lead.start(
                        Errands.DELEGATE,
                        options -> options.idempotencyKey(KEY).thread("t").resource("ann"));
                run.result();
                RunHandle other =
                        lead.start("Hello", options -> options.thread("t").resource("ann"));
                other.result();
                assertThat(runtime.runs(RunFilter.ALL)).hasSize(3);

                assertThat(runtime.handle(run.runId()).delete()).isTrue();

                assertThat(run.delete()).as("a second time").isFalse();
                assertThat(runtime.runs(RunFilter.ALL)).singleElement().satisfies(left -> assertThat(left.runId())
                        .isEqualTo(other.runId()));
                assertThatThrownBy(() -> runtime.handle(run.runId()))
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining(run.runId().value());
                assertThat(runtime.threads().find(ThreadOwner.of("ann"), "t")).isPresent();
                RunHandle again = lead.start(
                        Errands.DELEGATE,
                        options -> options.idempotencyKey(KEY).thread("t").resource("ann"));
                assertThat(again.isRepeated()).isFalse();
                assertThat(again.result().runId()).isNotEqualTo(run.runId());
            }
        }
    }

    @Test
    void aRunThatWaitsIsNotDeletedBeforeItIsCancelled() {
        for (Store store : stores()) {
            try (AgentRuntime runtime = runtime(store, access -> true)) {
                RunHandle run = runtime.agent("lead").start(Errands.DELETE);
                assertThat(run.result().status()).isEqualTo(RunStatus.SUSPENDED);

                assertThatThrownBy(run::delete)
                        .isInstanceOf(RunNotEndedException.class)
                        .hasMessageContaining("cancel it");

                assertThat(run.status()).isEqualTo(RunStatus.SUSPENDED);
                assertThat(run.cancel()).isTrue();
                assertThat(run.delete()).isTrue();
            }
        }
    }

    @Test
    void whatIsKeptOfAForgottenRunIsDeletedAndNothingOfOthers() {
        try (AgentRuntime runtime =
                AgentRuntime.builder().anyoneMayApprove().agents(errands.lead()).build()) {
            RunHandle run = runtime.agent("lead").start("Hello");
            RunHandle other = runtime.agent("lead").start("Hello");
            run.result();
            other.result();

            assertThat(run.delete()).isTrue();

            assertThat(run.delete()).as("a second time").isFalse();
            assertThatThrownBy(() -> run.events().forEach(event -> {})).isInstanceOf(StoreException.class);
            assertThat(other.events()).isNotEmpty();
        }
    }

    @Test
    void aCallerWhoMayOnlyReadDeletesNothing() {
        try (AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns(), access -> !access.changes())) {
            RunHandle run = runtime.agent("lead").start("Hello");
            run.result();

            assertThat(runtime.handle(run.runId()).delete()).isFalse();

            assertThat(runtime.handle(run.runId()).status()).isEqualTo(RunStatus.COMPLETED);
        }
    }
}
