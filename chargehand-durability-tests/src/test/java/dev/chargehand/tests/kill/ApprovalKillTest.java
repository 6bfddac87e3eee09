package dev.chargehand.tests.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.testkit.provider.LoopbackProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fault K10: a process is killed while a call of a sub-agent waits for approval, and another one answers. */
class ApprovalKillTest {

    private static final Approver ANN = Approver.of("ann");

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"tool-call-approval", "run-suspend"})
    void k10WhoHasSeenThatSomethingWaitsCanAnswerItAfterACrash(String event) throws IOException {
        Path database = folder.resolve("runs.db");
        Path ledger = folder.resolve("ledger");
        Files.createFile(ledger);
        try (LoopbackProvider provider = LoopbackProvider.start()) {
            provider.fallback(Crew::play);
            KilledProcess.runAndKill(database, ledger, provider.baseUrl(), Moment.SEEN + event);
            try (AgentRuntime runtime = AgentRuntime.builder()
                    .store(JdbcStore.sqlite(database))
                    .anyoneMayApprove()
                    .providers(Crew.models(provider.baseUrl()))
                    .agents(Crew.supervisor(ledger, new Moment("none")))
                    .build()) {
                RunId run = runtime.runs(RunFilter.ROOTS).getFirst().runId();
                List<PendingApproval> pending = runtime.handle(run).pendingApprovals();
                assertThat(pending).hasSize(1);
                assertThat(pending.getFirst().path()).hasToString("supervisor/worker");
                assertThat(booked(ledger)).isZero();

                RunResult done = runtime.approve(pending.getFirst(), ANN).result();

                assertThat(done.status()).isEqualTo(RunStatus.COMPLETED);
                assertThat(done.text()).isEqualTo(Crew.ANSWER);
                assertThat(booked(ledger)).isEqualTo(1);
                assertThatThrownBy(
                                () -> runtime.approve(pending.getFirst(), ANN).result())
                        .isInstanceOfSatisfying(ApprovalException.class, e -> assertThat(e.kind())
                                .isEqualTo(ApprovalException.Kind.ALREADY_DECIDED));
                assertThat(booked(ledger)).isEqualTo(1);
                assertThat(provider.violations()).isEmpty();
            }
        }
    }

    private static long booked(Path ledger) throws IOException {
        return Files.readAllLines(ledger).stream()
                .filter(line -> line.startsWith("book"))
                .count();
    }
}
