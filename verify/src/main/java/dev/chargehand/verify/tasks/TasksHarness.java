package dev.chargehand.verify.tasks;

import dev.chargehand.verify.harness.CaseOptions;
import dev.chargehand.verify.harness.Harness;
import dev.chargehand.verify.harness.StoreKind;
import dev.chargehand.verify.harness.Tally;
import dev.chargehand.verify.stores.StorePlace;
import dev.chargehand.verify.stores.TemporaryStores;
import java.util.PrimitiveIterator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Kills a process that executes a conversation with background tasks, until one reaches the end: each task has ended once, each result
 * is in the thread once and was read once, and the last answer knows all of them.
 */
@Command(
        name = "tasks",
        description = "Kills a process that executes background tasks and the turns that follow them.",
        mixinStandardHelpOptions = true)
public final class TasksHarness implements Harness {

    private static final long DEFAULT_N = 20;

    @Mixin
    private final CaseOptions cases;

    @Option(names = "--store", description = "sqlite or postgres; sqlite by default.")
    private StoreKind store = StoreKind.SQLITE;

    private final Tally tally = new Tally("lost", "doubled", "different", "hung");

    /** Make the harness as the command has it. */
    public TasksHarness() {
        this.cases = new CaseOptions();
    }

    /** Make the harness of a sample. */
    public TasksHarness(CaseOptions cases, StoreKind store) {
        this.cases = cases;
        this.store = store;
    }

    @Override
    public Tally tally() {
        return tally;
    }

    @Override
    public Tally run() throws Exception {
        if (store == StoreKind.MEMORY) {
            throw new IllegalArgumentException("A store in memory is gone with its process: sqlite or postgres.");
        }
        long kills = 0;
        try (TemporaryStores stores = TemporaryStores.of(store)) {
            PrimitiveIterator.OfLong numbers = cases.numbers(DEFAULT_N).iterator();
            while (numbers.hasNext()) {
                long number = numbers.nextLong();
                StorePlace place = stores.make();
                kills += new TasksChain(
                                cases.random(number),
                                place,
                                (kind, what) -> tally.addFault(kind, cases.again(number) + ": " + what))
                        .run();
                tally.addCase();
                stores.remove(place);
            }
        }
        tally.figure("kills", kills);
        return tally;
    }
}
