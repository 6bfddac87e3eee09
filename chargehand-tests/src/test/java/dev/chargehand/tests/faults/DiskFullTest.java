package dev.chargehand.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.store.Store;
import dev.chargehand.thread.ThreadOwner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Runs in a process that may write files of a few megabytes only. */
@EnabledOnOs(OS.LINUX)
@Timeout(180)
class DiskFullTest {

    private static final int RUNS = 30;
    private static final int SIZE = 200_000;

    private static final Agent AGENT = Agent.builder("solo").model(new Echo()).build();

    @TempDir
    Path folder;

    @Test
    void x04RunsOnAFullDiskFailWithATypedErrorAndWhatWasStoredStaysReadable() throws IOException, InterruptedException {
        Path file = folder.resolve("store.db");

        List<String> told = runInALittleRoom(file);

        assertThat(told).hasSize(RUNS);
        List<String> completed =
                told.stream().filter(line -> line.startsWith("run_")).toList();
        assertThat(completed).as("runs that had room").isNotEmpty().hasSizeLessThan(RUNS);
        assertThat(told).filteredOn(line -> !completed.contains(line)).containsOnly("store-failed");
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(JdbcStore.sqlite(file))
                .agents(AGENT)
                .build()) {
            for (String run : completed) {
                assertThat(runtime.store().find(new RunId(run)).orElseThrow().status())
                        .isEqualTo(RunStatus.COMPLETED);
            }
            assertThat(messages(runtime.store())).isGreaterThanOrEqualTo(2 * completed.size());
            assertThat(run(runtime, RUNS).text()).isEqualTo("ok");
        }
    }

    private static int messages(Store store) {
        return store.readThread("t", new ThreadOwner("u", null), Long.MAX_VALUE, 1000)
                .size();
    }

    private static List<String> runInALittleRoom(Path file) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        "bash",
                        "-c",
                        "ulimit -S -f 4096; exec \"$0\" \"$@\"",
                        ProcessHandle.current().info().command().orElse("java"),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-XX:-UsePerfData",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Runs.class.getName(),
                        file.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            List<String> told = process.inputReader().lines().toList();
            assertThat(process.waitFor()).isZero();
            return told;
        } finally {
            process.destroyForcibly();
        }
    }

    private static RunResult run(AgentRuntime runtime, int number) {
        String text = number + " " + "x".repeat(SIZE);
        return runtime.agent("solo").generate(text, o -> o.thread("t").resource("u"));
    }

    /** What runs in the process: tells of each run its id, or the code of its failure. */
    static final class Runs {

        private Runs() {}

        public static void main(String[] arguments) {
            try (AgentRuntime runtime = AgentRuntime.builder()
                    .store(JdbcStore.sqlite(Path.of(arguments[0])))
                    .agents(AGENT)
                    .build()) {
                for (int number = 0; number < RUNS; number++) {
                    try {
                        System.out.println(run(runtime, number).runId());
                    } catch (ChargehandException e) { // of the run, or because it could not begin
                        System.out.println(e.code());
                    }
                }
            }
        }
    }

    private static final class Echo implements Model {

        @Override
        public String name() {
            return "test/echo";
        }

        @Override
        public ModelResponse ask(ModelRequest request, ModelCall call) {
            return ModelResponse.text("ok", Usage.of(1, 1));
        }
    }
}
