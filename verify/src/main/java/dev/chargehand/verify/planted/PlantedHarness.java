package dev.chargehand.verify.planted;

import dev.chargehand.verify.harness.CaseOptions;
import dev.chargehand.verify.harness.Harness;
import dev.chargehand.verify.harness.StoreKind;
import dev.chargehand.verify.harness.Tally;
import dev.chargehand.verify.stores.TemporaryStores;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Plant one bug after another in what the libraries are built from, and runs the tests that must see it: which pass
 * without it, and of which one fails with it.
 */
@Command(
        name = "planted",
        description = "Plants bugs in the sources, and looks whether tests see them.",
        mixinStandardHelpOptions = true)
public final class PlantedHarness implements Harness {

    @Mixin
    private final CaseOptions cases;

    private final boolean soundFirst;

    private final List<PlantedBug> bugs;

    private final Tally tally = new Tally("missed", "broken");

    /** Make the harness as the command has it. */
    public PlantedHarness() {
        this(new CaseOptions(), true, PlantedBug.all());
    }

    /**
     * Make the harness of a sample.
     *
     * @param soundFirst whether to look first if the tests pass without a bug
     * @param bugs what to plant
     */
    PlantedHarness(CaseOptions cases, boolean soundFirst, List<PlantedBug> bugs) {
        this.cases = cases;
        this.soundFirst = soundFirst;
        this.bugs = List.copyOf(bugs);
    }

    @Override
    public Tally tally() {
        return tally;
    }

    @Override
    public Tally run() throws Exception {
        Set<PlantedBug.Tests> sound = new HashSet<>();
        try (TemporaryStores stores = TemporaryStores.of(StoreKind.MEMORY)) {
            Checkout checkout = new Checkout(stores.folder());
            for (long number : cases.numbers(bugs.size()).limit(bugs.size()).toArray()) {
                PlantedBug bug = bugs.get((int) number - 1);
                if (soundFirst
                        && sound.add(bug.tests())
                        && checkout.run(bug.tests()).code() != SuiteMain.PASSED) {
                    tally.addFault("broken", "without any bug they fail: " + bug.tests());
                }
                plant(bug, checkout, tally);
            }
        }
        return tally;
    }

    private void plant(PlantedBug bug, Checkout checkout, Tally tally) throws IOException, InterruptedException {
        Checkout.Verdict verdict = checkout.run(bug);
        if (cases.isSingle()) {
            System.out.println(verdict.output());
        }
        switch (verdict.code()) {
            case SuiteMain.FAILED -> System.out.println("caught: " + bug + " by " + bug.tests());
            case SuiteMain.PASSED -> tally.addFault("missed", bug + " passes " + bug.tests());
            default -> tally.addFault("broken", bug + " did not come to its tests: " + verdict.output());
        }
        tally.addCase();
    }
}
