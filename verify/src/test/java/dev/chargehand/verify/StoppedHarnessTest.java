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
@Timeout(120)
class StoppedHarnessTest {

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
            while (harness.isAlive() && worked(harness).compareTo(Duration.ofSeconds(3)) < 0) {
                Thread.sleep(10);
            }
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

    private static Duration worked(Process process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }
}
