package dev.chargehand.verify.races;

import dev.chargehand.verify.CaseOptions;
import dev.chargehand.verify.Cases;
import dev.chargehand.verify.Harness;
import dev.chargehand.verify.StoreKind;
import dev.chargehand.verify.Tally;
import dev.chargehand.verify.stores.StorePlace;
import dev.chargehand.verify.stores.TemporaryStores;
import java.io.IOException;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Answers the same approval many times at once, in one runtime and in two: one answer is taken, and
 * what it says is done once; then it answers with forged approvals, of which none may be carried out.
 */
@Command(
        name = "races",
        description = "Answers the same approvals at once, and with forged ones.",
        mixinStandardHelpOptions = true)
public final class RacesHarness implements Harness {

    private static final long DEFAULT_N = 10_000;
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final int AT_ONCE = 4;

    @Mixin
    private final CaseOptions cases;

    @Option(names = "--store", description = "memory (the default), sqlite or postgres.")
    private StoreKind store = StoreKind.MEMORY;

    /** Makes the harness as the command has it. */
    public RacesHarness() {
        this.cases = new CaseOptions();
    }

    /**
     * Makes the harness of a sample.
     */
    public RacesHarness(CaseOptions cases, StoreKind store) {
        this.cases = cases;
        this.store = store;
    }

    @Override
    public String name() {
        return "races";
    }

    @Override
    public Tally run() throws Exception {
        Tally tally = new Tally("doubled", "lost", "wrong");
        try (TemporaryStores stores = TemporaryStores.of(store)) {
            StorePlace place = stores.make();
            try (RaceArena arena = new RaceArena(place, null)) {
                Cases.run(
                        cases.numbers(DEFAULT_N),
                        AT_ONCE,
                        LONGEST,
                        number -> one(number, arena, tally),
                        (number, where) -> tally.addFault("lost", cases.again(number) + " hangs at " + where),
                        (number, what) -> tally.addFault("wrong", cases.again(number) + " threw " + what));
            }
        }
        return tally;
    }

    private void one(long number, RaceArena arena, Tally tally) {
        RaceCase race = RaceCase.next("case-" + number, cases.random(number), arena.places());
        if (cases.isSingle()) {
            System.out.println(race);
        }
        try {
            arena.hold(race, (kind, what) -> tally.addFault(kind, cases.again(number) + ": " + what));
        } catch (InterruptedException | IOException e) {
            throw new IllegalStateException(e);
        }
        tally.addCase();
    }
}
