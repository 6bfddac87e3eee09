package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunResult;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunId;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.Store;
import dev.chargehand.store.TreeFact;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The metadata of a run is read without the run: a list of many runs has that of each. */
class MetadataTest {

    @TempDir
    Path folder;

    /** Counts the facts that are read. */
    private static final class Counting extends ForwardingStore {

        private final AtomicInteger facts = new AtomicInteger();

        Counting(Store store) {
            super(store);
        }

        @Override
        public List<FactEntry> read(RunId runId, long from) {
            List<FactEntry> read = super.read(runId, from);
            facts.addAndGet(read.size());
            return read;
        }

        @Override
        public List<TreeFact> readTree(RunId root, long after, int limit) {
            List<TreeFact> read = super.readTree(root, after, limit);
            facts.addAndGet(read.size());
            return read;
        }
    }

    @Test
    void oneFactIsRead() {
        Counting store = new Counting(JdbcStore.sqlite(folder.resolve("runs.db")));
        Script script = Scripts.on("solo", Turn.calls("calc", "{\"a\":1,\"b\":2}"), Turn.says("3"));
        try (TestRuntime test = Crew.playing(store, script, Crew.member("solo", Crew.CALC))) {
            RunResult run = test.agent("solo").generate("Add", o -> o.metadata("order", "7"));
            int before = store.facts.get();

            assertThat(test.runtime().metadata(run.runId())).containsEntry("order", "7");

            assertThat(store.facts.get() - before).isEqualTo(1);
        }
    }
}
