package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.provider.Exchange;
import dev.chargehand.testkit.provider.Side;
import dev.chargehand.testkit.provider.reply.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Ctrl-C and a request to terminate, in a process of its own. */
@DisabledOnOs(OS.WINDOWS) // signals are sent as on Unix
class InterruptTest extends WithProvider {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private Process start() throws IOException {
        Files.writeString(folder.resolve("chargehand.yaml"), """
                model: openai/held
                default: boss
                agents:
                  boss: { agents: [finder] }
                  finder: { description: Finds passages. }
                """);
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classes = System.getProperty("java.class.path");
        ProcessBuilder builder = new ProcessBuilder(
                        java,
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        classes,
                        Main.class.getName(),
                        "run",
                        "Hi",
                        "--store",
                        "runs.db")
                .directory(folder.toFile())
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile());
        builder.environment().putAll(environment());
        return builder.start();
    }

    /** A shell that starts a test in the background makes it deaf to Ctrl-C. */
    private static boolean isDeaf() throws IOException {
        Path status = Path.of("/proc/self/status");
        return Files.exists(status)
                && Files.readAllLines(status).stream()
                        .filter(line -> line.startsWith("SigIgn:"))
                        .anyMatch(line ->
                                (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 2) != 0);
    }

    private static void send(String signal, Process process) throws Exception {
        new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid()))
                .start()
                .waitFor();
    }

    @Test
    void aRequestToTerminateReleasesTheRunAndExitsWith143() throws Exception {
        provider.enqueue(
                Reply.toolCalls(Reply.call("c1", "agent-finder", "{\"prompt\":\"Find\"}")),
                Reply.text("Found").delay(Duration.ofSeconds(2)));
        Process process = start();
        try {
            provider.awaitRequests(2, PATIENCE);
            send("TERM", process);

            assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(143);
        } finally {
            process.destroyForcibly();
        }
        assertThat(provider.log()).as("no model is asked any more").hasSize(2);
        try (Store store = JdbcStore.sqlite(folder.resolve("runs.db"))) {
            RunRecord root = store.list(RunFilter.ROOTS).getFirst();
            assertThat(folder.resolve("err")).content().contains("chargehand resume " + root.runId());
            assertThat(store.list(RunFilter.ROOTS.tree(root.runId())))
                    .hasSize(2)
                    .allMatch(run -> run.status() == RunStatus.RUNNING)
                    .filteredOn(run -> run.isRoot())
                    .allMatch(run -> run.owner().isEmpty());
            assertThat(store.list(RunFilter.ROOTS.tree(root.runId())).getFirst().length())
                    .as("the answer that was on its way is stored")
                    .isGreaterThan(1);
        }
    }

    @Test
    void ctrlCCancelsTheRunStoresItsEndAndExitsWith130() throws Exception {
        assumeFalse(isDeaf());
        provider.enqueue(Reply.toolCalls(Reply.call("c1", "agent-finder", "{\"prompt\":\"Find\"}")), Reply.silence());
        Process process = start();
        try {
            Exchange held = provider.awaitRequests(2, PATIENCE).getLast();
            send("INT", process);

            assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(130);
            assertThat(provider.awaitClosed(held, PATIENCE)).isEqualTo(Side.CLIENT);
        } finally {
            process.destroyForcibly();
        }
        assertThat(folder.resolve("out")).isEmptyFile();
        assertThat(folder.resolve("err"))
                .content()
                .containsPattern("boss +delegates to finder: Find")
                .contains("chargehand: The run was cancelled", "aborted in ");
        try (Store store = JdbcStore.sqlite(folder.resolve("runs.db"))) {
            RunRecord root = store.list(RunFilter.ROOTS).getFirst();
            assertThat(store.list(RunFilter.ROOTS.tree(root.runId())))
                    .hasSize(2)
                    .extracting(RunRecord::status)
                    .containsOnly(RunStatus.ABORTED);
        }
    }
}
