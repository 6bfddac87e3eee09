package dev.chargehand.verify.sequences;

import dev.chargehand.verify.harness.CaseOptions;
import dev.chargehand.verify.harness.Cases;
import dev.chargehand.verify.harness.Harness;
import dev.chargehand.verify.harness.StoreKind;
import dev.chargehand.verify.harness.Tally;
import dev.chargehand.verify.stores.StorePlace;
import dev.chargehand.verify.stores.TemporaryStores;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Execute random sequences of operations in memory, on a database, with two runtimes on it that take turns, and with one that is
 * closed and opened again. Results, errors, facts, events and lists are the same, and fit together; and nothing is left when all was
 * deleted.
 *
 * <p>Until-idle calls and operations at the same time are not part of a sequence: they have harnesses of their own.
 */
@Command(
        name = "sequences",
        description = "Compares random sequences of operations on several stores.",
        mixinStandardHelpOptions = true)
public final class SequencesHarness implements Harness {

    private static final long CASES = 40;
    private static final int OPERATIONS = 120;
    private static final Duration LIMIT = Duration.ofMinutes(10);

    @Mixin
    private CaseOptions options = new CaseOptions();

    @Option(
            names = "--operations",
            paramLabel = "COUNT",
            description = "How many operations a sequence has; " + OPERATIONS + " by default.")
    private int operations = OPERATIONS;

    @Option(names = "--store", description = "The database: sqlite or postgres; sqlite by default.")
    private StoreKind kind = StoreKind.SQLITE;

    private final Tally tally = new Tally("different", "broken", "left", "crashed", "hung");
    private final AtomicLong executed = new AtomicLong();
    private final AtomicLong rejected = new AtomicLong();
    private UnaryOperator<StorePlace> change = UnaryOperator.identity();

    /** Make the harness as the command has it. */
    public SequencesHarness() {}

    /** Make the harness of a sample. */
    public SequencesHarness(CaseOptions options, int operations, StoreKind kind) {
        this.options = options;
        this.operations = operations;
        this.kind = kind;
    }

    /** Let databases be changed, to see whether that is noticed. */
    SequencesHarness changing(UnaryOperator<StorePlace> changing) {
        change = changing;
        return this;
    }

    @Override
    public Tally tally() {
        return tally;
    }

    @Override
    public Tally run() throws Exception {
        if (kind == StoreKind.MEMORY) {
            throw new IllegalArgumentException("The store in memory is compared with a database: sqlite or postgres.");
        }
        try (TemporaryStores inMemory = TemporaryStores.of(StoreKind.MEMORY);
                TemporaryStores databases = TemporaryStores.of(kind)) {
            Cases.run(
                    options.numbers(CASES),
                    1,
                    LIMIT,
                    number -> compare(number, inMemory, databases),
                    (number, where) -> tally.addFault("hung", options.again(number) + " " + where),
                    (number, where) -> tally.addFault("crashed", options.again(number) + " " + where));
        }
        tally.figure("operations", executed);
        tally.figure("rejected", rejected);
        return tally;
    }

    private void compare(long number, TemporaryStores inMemory, TemporaryStores databases) {
        tally.addCase();
        long seed = options.random(number).nextLong(1, 1_000_000_000);
        Sequence.Played expected = null;
        for (Setting setting : Setting.values()) {
            Sequence.Played played = play(seed, setting, number, setting == Setting.IN_MEMORY ? inMemory : databases);
            if (expected == null) {
                expected = played;
            } else {
                compare(setting, number, expected.trace(), played.trace());
            }
            executed.addAndGet(played.trace().size());
            rejected.addAndGet(played.trace().stream()
                    .filter(line -> line.contains(": " + Outcome.REJECTED))
                    .count());
        }
    }

    private Sequence.Played play(long seed, Setting setting, long number, TemporaryStores stores) {
        try {
            StorePlace place = stores.make();
            Sequence.Played played;
            try (Stage stage = new Stage(setting, setting == Setting.IN_MEMORY ? place : change.apply(place))) {
                played = Sequence.play(seed, operations, stage);
            }
            played.faults().forEach(fault -> tally.addFault("broken", where(setting, number) + fault));
            if (kind == StoreKind.SQLITE && setting != Setting.IN_MEMORY) {
                List<String> left = Leftovers.of(place, Choice.mark(seed));
                left.forEach(text -> tally.addFault("left", where(setting, number) + text));
            }
            stores.remove(place);
            return played;
        } catch (IOException | SQLException e) {
            throw new IllegalStateException("The store of a sequence could not be made or removed.", e);
        }
    }

    private void compare(Setting setting, long number, List<String> expected, List<String> found) {
        for (int i = 0; i < Math.max(expected.size(), found.size()); i++) {
            String memory = i < expected.size() ? expected.get(i) : "nothing";
            String database = i < found.size() ? found.get(i) : "nothing";
            if (!memory.equals(database)) {
                tally.addFault("different", where(setting, number) + Difference.of(memory, database));
                return;
            }
        }
    }

    private String where(Setting setting, long number) {
        return options.again(number) + " --operations " + operations + " (" + setting + "): ";
    }
}
