package dev.chargehand.internal.engine.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Only what is certain of another process shortens its lease. */
class OwnerTest {

    private static final String VISIBLE = "proc /proc proc rw,nosuid,nodev,noexec,relatime 0 0\n";

    @TempDir
    Path proc;

    private ProcessTable table;

    @BeforeEach
    void aMachine() throws IOException {
        table = new ProcessTable(proc);
        Path own = Files.createDirectories(proc.resolve(String.valueOf(ProcessTable.ownId())));
        Files.createSymbolicLink(proc.resolve("self"), own.getFileName());
        Files.createDirectories(own.resolve("ns"));
        Files.createSymbolicLink(own.resolve("ns/pid"), Path.of("pid:[1]"));
        Files.createSymbolicLink(own.resolve("ns/time"), Path.of("time:[2]"));
        Files.createDirectories(proc.resolve("sys/kernel/random"));
        Files.writeString(proc.resolve("sys/kernel/random/boot_id"), "b00t\n");
        Files.writeString(own.resolve("mounts"), VISIBLE);
        starts(ProcessTable.ownId(), 500);
    }

    @Test
    void aNameHasTheTicksAtWhichTheProcessStarted() throws IOException {
        assertThat(Owner.parse(Owner.nameInThisProcess(table, "r")))
                .contains(new Owner("b00t/1/2", ProcessTable.ownId(), 500, "r"));
        assertThat(other(41).isGone(table)).isTrue();
        starts(41, 7);
        assertThat(other(41).isGone(table)).isFalse();
        starts(41, 8);
        assertThat(other(41).isGone(table)).as("its id is used again").isTrue();
    }

    @Test
    void aTableThatHidesOtherUsersSaysNothingOfWhatItDoesNotShow() throws IOException {
        for (String option : new String[] {"hidepid=1", "hidepid=2", "hidepid=invisible", "hidepid=4", "subset=pid"}) {
            mounts(VISIBLE + "proc /proc proc rw,relatime," + option + " 0 0\n");
            assertThat(other(41).isGone(table)).as(option).isFalse();
        }
        starts(41, 8);
        assertThat(other(41).isGone(table)).as("what it shows is certain").isTrue();
        mounts("proc /proc proc rw,hidepid=0 0 0\n");
        assertThat(other(42).isGone(table)).isTrue();
        mounts("");
        assertThat(other(42).isGone(table)).as("nothing is known of the table").isFalse();
    }

    @Test
    void whatCannotBeReadIsAlive() throws IOException {
        Path stat = proc.resolve("41/stat");
        Files.createDirectories(stat); // reading it fails
        assertThat(other(41).isGone(table)).isFalse();
        Files.delete(stat);
        Files.writeString(stat, "");
        assertThat(other(41).isGone(table)).isFalse();
    }

    @Test
    void otherMachinesNamespacesAndEarlierNamesAreUnknown() throws IOException {
        assertThat(new Owner("other/1/2", 41, 7, "r").isGone(table)).isFalse();
        assertThat(new Owner("b00t/9/2", 41, 7, "r").isGone(table)).isFalse();
        assertThat(Owner.parse("b00t/1:41:1700000000000:r")).isEmpty();
        assertThat(Owner.parse("")).isEmpty();
    }

    @Test
    void theTableOfAnotherNamespaceIsNotUsed() throws IOException {
        Files.delete(proc.resolve("self"));
        Files.createSymbolicLink(proc.resolve("self"), Path.of("1"));

        assertThat(table.space()).isEqualTo(Optional.empty());
        assertThat(other(41).isGone(table)).isFalse();
        assertThat(Owner.parse(Owner.nameInThisProcess(table, "r"))).isEmpty();
    }

    private static Owner other(long processId) {
        return new Owner("b00t/1/2", processId, 7, "r");
    }

    private void starts(long processId, long ticks) throws IOException {
        Path folder = Files.createDirectories(proc.resolve(String.valueOf(processId)));
        Files.writeString(
                folder.resolve("stat"),
                processId + " (a ) b) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 " + ticks + " 99 98\n");
    }

    private void mounts(String lines) throws IOException {
        Files.writeString(proc.resolve("self/mounts"), lines);
    }
}
