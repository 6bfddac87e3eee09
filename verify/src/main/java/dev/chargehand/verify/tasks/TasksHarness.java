package dev.chargehand.verify.tasks;

import dev.chargehand.verify.harness.CaseOptions;
import dev.chargehand.verify.harness.Harness;
import dev.chargehand.verify.harness.StoreKind;
import dev.chargehand.verify.harness.Tally;
import dev.chargehand.verify.stores.StorePlace;
import dev.chargehand.verify.stores.TemporaryStores;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.PrimitiveIterator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Kills processes that execute a conversation with background tasks, until one reaches the end: one process after another,
 * or one of two that share many tasks. The tasks need approvals, are retried, and have nested runs. Each task has ended
 * once, each result is in the thread once and was read once, the last answer knows all of them, and a ledger outside of the
 * processes has each effect under one key.
 */
@Command(
        name = "tasks",
        description = "Kills processes that execute background tasks and the turns that follow them.",
        mixinStandardHelpOptions = true)
public final class TasksHarness implements Harness {

    private static final long DEFAULT_N = 20;
    private static final int DEFAULT_KILLS = 12;
    private static final int TASKS_OF_CHAIN = 5;

    @Mixin
    private final CaseOptions cases;

    @Option(names = "--store", description = "sqlite or postgres; sqlite by default.")
    private StoreKind store = StoreKind.SQLITE;

    @Option(
            names = "--crowd",
            paramLabel = "TASKS",
            description = "How many tasks two processes share; by default 5 tasks are executed in one process.")
    private int crowd;

    @Option(names = "--kills", description = "The most processes that are killed in a case; 12 by default.")
    private int kills = DEFAULT_KILLS;

    @Option(
            names = "--ordinary",
            description =
                    "Start an ordinary run, whose tasks start the turns that follow; by default an until-idle call.")
    private boolean ordinary;

    private final Tally tally = new Tally("lost", "doubled", "different", "hung");

    /** Make the harness as the command has it. */
    public TasksHarness() {
        this.cases = new CaseOptions();
    }

    /** Make the harness of a sample; {@code crowd} is 0 for one process at a time. */
    public TasksHarness(CaseOptions cases, StoreKind store, int crowd, int kills) {
        this.cases = cases;
        this.store = store;
        this.crowd = crowd;
        this.kills = kills;
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
        long killed = 0;
        try (TemporaryStores stores = TemporaryStores.of(store)) {
            PrimitiveIterator.OfLong numbers = cases.numbers(DEFAULT_N).iterator();
            while (numbers.hasNext()) {
                long number = numbers.nextLong();
                StorePlace place = stores.make();
                Path ledger = stores.folder().resolve("ledger-" + number);
                killed += play(number, place, ledger);
                tally.addCase();
                tally.figure("kills", killed);
                stores.remove(place);
                Files.deleteIfExists(ledger);
            }
        }
        return tally;
    }

    private int play(long number, StorePlace place, Path ledger) throws Exception {
        TasksCase conversation = new TasksCase(
                cases.random(number),
                place,
                ledger,
                Topic.first(crowd == 0 ? TASKS_OF_CHAIN : crowd),
                kills,
                ordinary ? TasksChild.START_ORDINARY : TasksChild.START,
                (kind, what) -> tally.addFault(kind, cases.again(number) + ": " + what));
        return crowd == 0 ? new TasksChain(conversation).run() : new TasksCrowd(conversation).run();
    }
}
