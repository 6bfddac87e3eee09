package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.cli.shell.ExitCode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The runs that the launcher has recorded, so that later ones start faster. */
class RehearseTest {

    @Test
    void everyRunOfARehearsalCompletesAndNothingIsLeftBehind(@TempDir Path folder) {
        Ran ran = Ran.in(folder, "rehearse");
        assertThat(ran).isEqualTo(new Ran(ExitCode.COMPLETED, "", ""));
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void nobodyIsToldOfIt(@TempDir Path folder) {
        assertThat(Ran.in(folder, "--help").out()).doesNotContain("rehearse");
    }
}
