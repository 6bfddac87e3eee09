package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** A run without a thread and without a store of its own. */
class KeptRunTest extends StoredRunsFixture {

    @Test
    void itIsStoredNextToTheFileWhereLaterCommandsFindIt() {
        assertThat(run("run", "Hi", "--agent", "plain").exitCode()).isZero();

        assertThat(run("show", "last").out()).contains("plain  starts run ", "completed, active for ");
        assertThat(run("runs").out()).hasLineCount(1);
    }

    @Test
    void whereNothingCanBeStoredItRunsInMemoryUnlessItMayWait() throws IOException {
        Files.writeString(folder.resolve(".chargehand"), "in the way");

        Ran ran = run("run", "Hi", "--agent", "plain");
        assertThat(ran.exitCode()).isZero();
        assertThat(ran.err()).contains("chargehand: the run is not stored, so no later command finds it: The folder");
        Ran threaded = run("run", "Hi", "--agent", "plain", "--thread", "t1");
        assertThat(threaded.exitCode()).isEqualTo(2);
        assertThat(threaded.err()).startsWith("chargehand: The folder").contains("cannot be created");
    }
}
