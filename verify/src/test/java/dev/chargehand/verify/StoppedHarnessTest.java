package dev.chargehand.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.verify.harness.OwnClassPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A harness that is stopped says how far it came. */
@Timeout(240)
class StoppedHarnessTest {

    private static final Duration HANGS = Duration.ofMinutes(2);

    @TempDir
    Path folder;

    @Test
    void itPrintsItsCountsWhenItIsStopped() throws IOException, InterruptedException {
        Path printed = folder.resolve("printed");
        Process harness = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        OwnClassPath.text(),
                        Main.class.getName(),
                        "facts",
                        "--n",
                        "1000000000")
                .redirectOutput(printed.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            awaitWork(harness);
            harness.destroy();
            harness.waitFor();

            assertThat(Files.readAllLines(printed))
                    .last()
                    .asString()
                    .matches("facts: n=[0-9]+ hangs=0 crashes=0 untyped=0 incomplete=0 different=0 stopped");
        } finally {
            harness.destroyForcibly();
        }
    }

    private void awaitWork(Process harness) throws IOException, InterruptedException {
        long start = System.nanoTime();
        while (harness.isAlive() && worked(harness).compareTo(Duration.ofSeconds(3)) < 0) {
            Thread.sleep(10);
            if (System.nanoTime() - start > HANGS.toNanos()) {
                throw new AssertionError(
                        "The harness has worked for " + worked(harness) + ", and is here: " + threads(harness));
            }
        }
    }

    /** Return the stacks of all threads of a process, also of virtual ones. */
    private String threads(Process process) throws IOException, InterruptedException {
        Path threads = folder.resolve("threads");
        int ignored = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(process.pid()),
                        "Thread.dump_to_file",
                        threads.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile())
                .start()
                .waitFor();
        return Files.exists(threads) ? Files.readString(threads) : Files.readString(folder.resolve("said"));
    }

    private static Duration worked(Process process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }
}
