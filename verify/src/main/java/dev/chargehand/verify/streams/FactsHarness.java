package dev.chargehand.verify.streams;

import dev.chargehand.error.StoreException;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.journal.FactCodec;
import dev.chargehand.internal.text.WellFormed;
import dev.chargehand.store.FactEntry;
import dev.chargehand.verify.harness.CaseOptions;
import dev.chargehand.verify.harness.Cases;
import dev.chargehand.verify.harness.Harness;
import dev.chargehand.verify.harness.Tally;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Reads damaged facts: each is a fact that can be written again, or an exception that says it is not readable. */
@Command(name = "facts", description = "Reads damaged facts.", mixinStandardHelpOptions = true)
public final class FactsHarness implements Harness {

    private static final long DEFAULT_N = 100_000;
    private static final Duration LONGEST = Duration.ofSeconds(20);

    @Mixin
    private final CaseOptions cases;

    private final Tally tally = new Tally("hangs", "crashes", "untyped", "incomplete", "different");

    /** Make the harness as the command has it. */
    public FactsHarness() {
        this(new CaseOptions());
    }

    /** Make the harness of a sample. */
    public FactsHarness(CaseOptions cases) {
        this.cases = cases;
    }

    @Override
    public Tally tally() {
        return tally;
    }

    @Override
    public Tally run() throws Exception {
        List<FactEntry> facts = SampleFacts.ofRealRuns();
        LongAdder unreadable = new LongAdder();
        Cases.run(
                cases.numbers(DEFAULT_N),
                Runtime.getRuntime().availableProcessors(),
                LONGEST,
                number -> one(number, facts, unreadable, tally),
                (number, where) -> tally.addFault("hangs", cases.again(number) + " at " + where),
                (number, what) -> tally.addFault("crashes", cases.again(number) + " threw " + what));
        tally.figure("unreadable", unreadable);
        return tally;
    }

    private void one(long number, List<FactEntry> facts, LongAdder unreadable, Tally tally) {
        SplittableRandom random = cases.random(number);
        FactEntry whole = facts.get(random.nextInt(facts.size()));
        FactEntry damaged = random.nextInt(50) == 0
                ? FactEntry.of(random.nextBoolean() ? "started" : "unknown", random.nextInt(3), whole.text())
                : FactEntry.of(whole.type(), whole.version(), FactDamage.damage(random, whole.text()));
        if (cases.isSingle()) {
            System.out.println(damaged + " " + damaged.text());
        }
        tally.addCase();
        Fact read;
        try {
            read = FactCodec.read(damaged);
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.UNREADABLE) {
                tally.addFault("untyped", cases.again(number) + ": " + e.kind());
            }
            unreadable.increment();
            return;
        }
        if (read == null) {
            tally.addFault("untyped", cases.again(number) + ": it is read as null");
            return;
        }
        List<String> missing = MissingParts.of((Record) read);
        if (!missing.isEmpty()) {
            tally.addFault("incomplete", cases.again(number) + ": read without " + missing);
        } else if (!isWrittenAsItIs(read)) {
            tally.addFault("different", cases.again(number) + ": written again it is not " + read);
        }
    }

    /** A surrogate without its partner has no UTF-8 form: it becomes U+FFFD when it is written, and stays that. */
    private static boolean isWrittenAsItIs(Fact read) {
        Fact again = FactCodec.read(FactCodec.write(read));
        String text = read.toString();
        return text.equals(WellFormed.text(text))
                ? again.equals(read)
                : again.equals(FactCodec.read(FactCodec.write(again)));
    }
}
