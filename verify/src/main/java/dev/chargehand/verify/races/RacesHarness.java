package dev.chargehand.verify.races;

import dev.chargehand.verify.harness.CaseOptions;
import dev.chargehand.verify.harness.Cases;
import dev.chargehand.verify.harness.Harness;
import dev.chargehand.verify.harness.StoreKind;
import dev.chargehand.verify.harness.Tally;
import dev.chargehand.verify.stores.StorePlace;
import dev.chargehand.verify.stores.TemporaryStores;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Answer the same approval or question many times at once, in one runtime, in two, and in two processes: one answer is taken, and
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

    @Option(
            names = "--store",
            description = "memory, sqlite or postgres; memory by default, sqlite by default for two processes.")
    private @Nullable StoreKind store;

    @Option(names = "--processes", paramLabel = "1|2", description = "In how many processes; 1 by default.")
    private int processes = 1;

    @Option(names = "--tampered", paramLabel = "COUNT", description = "How many forged approvals; 500 by default.")
    private int tampered = 500;

    private final Tally tally = new Tally("doubled", "lost", "wrong", "tampered_executed");

    /** Make the harness as the command has it. */
    public RacesHarness() {
        this.cases = new CaseOptions();
    }

    /**
     * Make the harness of a sample.
     *
     * @param processes in how many processes, 1 or 2
     * @param tampered how many forged approvals
     */
    public RacesHarness(CaseOptions cases, StoreKind store, int processes, int tampered) {
        this.cases = cases;
        this.store = store;
        this.processes = processes;
        this.tampered = tampered;
    }

    @Override
    public Tally tally() {
        return tally;
    }

    @Override
    public Tally run() throws Exception {
        StoreKind kind = kind();
        if (processes < 1 || processes > 2 || (processes == 2 && kind == StoreKind.MEMORY)) {
            throw new IllegalArgumentException(
                    "One process, or two on a store that both can open: sqlite or postgres.");
        }
        try (TemporaryStores stores = TemporaryStores.of(kind)) {
            StorePlace place = stores.make();
            try (RaceArena arena = new RaceArena(place, processes == 2 ? PeerProcess.start(place) : null)) {
                Cases.run(
                        cases.numbers(DEFAULT_N),
                        processes == 2 ? 1 : AT_ONCE,
                        LONGEST,
                        number -> one(number, arena, tally),
                        (number, where) -> tally.addFault("lost", cases.again(number) + " hangs at " + where),
                        (number, what) -> tally.addFault("wrong", cases.again(number) + " threw " + what));
            }
            try (TamperedCases forgeries = new TamperedCases(stores.make())) {
                tamper(forgeries, tally);
            }
        }
        return tally;
    }

    private StoreKind kind() {
        StoreKind asked = store;
        return asked != null ? asked : processes == 2 ? StoreKind.SQLITE : StoreKind.MEMORY;
    }

    private void tamper(TamperedCases forgeries, Tally tally) {
        for (long number = 1; number <= tampered; number++) {
            long again = number;
            forgeries.attempt(
                    "forged-" + number,
                    cases.random(-number),
                    (kind, what) -> tally.addFault(kind, "forgery " + again + ": " + what));
        }
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
