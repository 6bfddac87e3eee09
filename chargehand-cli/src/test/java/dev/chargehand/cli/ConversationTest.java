package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What lasts from one command to the next. */
class ConversationTest {

    @TempDir
    Path folder;

    @BeforeEach
    void agents() throws IOException {
        Files.writeString(folder.resolve("chargehand.yaml"), "model: offline\nagents: { boss: {} }\n");
    }

    private Store open(String file) {
        return JdbcStore.sqlite(folder.resolve(file));
    }

    @Test
    void aThreadGoesOnInTheNextCommand() throws IOException {
        Ran first = Ran.in(folder, "run", "One", "--thread", "t1", "--resource", "ann");
        Ran second = Ran.in(folder, "run", "Two", "--thread", "t1", "--resource", "ann");

        assertThat(first.exitCode() + second.exitCode()).isZero();
        assertThat(second.err()).contains(", thread t1");
        assertThat(folder.resolve(".chargehand/.gitignore")).hasContent("*");
        try (Store store = open(".chargehand/chargehand.db")) {
            assertThat(store.findThread("t1").orElseThrow().length()).isEqualTo(4);
        }
    }

    @Test
    void aThreadOfSomebodyElseIsRefused() {
        Ran.in(folder, "run", "One", "--thread", "t1", "--resource", "ann");

        Ran ran = Ran.in(folder, "run", "Two", "--thread", "t1", "--resource", "bob");

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).contains("chargehand: Thread 't1' belongs to another resource");
    }

    @Test
    void aStoreThatIsNamedKeepsEveryRun() throws IOException {
        Ran.in(folder, "run", "One", "--store", "runs.db");
        Files.writeString(folder.resolve("chargehand.yaml"), "store: runs.db\nmodel: offline\nagents: { boss: {} }\n");
        Ran.in(folder, "run", "Two", "--thread", "t1");

        assertThat(folder.resolve(".chargehand")).doesNotExist();
        try (Store store = open("runs.db")) {
            assertThat(store.list(RunFilter.ROOTS)).hasSize(2);
            assertThat(store.list(RunFilter.ROOTS))
                    .extracting(RunRecord::status)
                    .containsOnly(RunStatus.COMPLETED);
        }
    }

    @Test
    void aFileThatIsNoStoreIsLeftAloneAndNamed() throws IOException {
        Files.writeString(folder.resolve("notes.txt"), "These are my notes, not a store.\n".repeat(100));

        Ran ran = Ran.in(folder, "run", "One", "--store", "notes.txt");

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).contains("chargehand: The store '", "notes.txt'");
        assertThat(folder.resolve("notes.txt")).content().startsWith("These are my notes");
    }
}
