package dev.chargehand.verify.streams;

import dev.chargehand.verify.harness.CaseOptions;
import dev.chargehand.verify.harness.Cases;
import dev.chargehand.verify.harness.Harness;
import dev.chargehand.verify.harness.Tally;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Decode generated answers, most of them damaged, however their bytes are cut; some of them through a socket, by an
 * agent whose tool counts how often it runs.
 */
@Command(
        name = "streams",
        description = "Decodes damaged streams of model answers, however their bytes are cut.",
        mixinStandardHelpOptions = true)
public final class StreamsHarness implements Harness {

    private static final long DEFAULT_N = 100_000;
    private static final Duration LONGEST = Duration.ofSeconds(40);

    @Mixin
    private final CaseOptions cases;

    @Option(
            names = "--end-to-end",
            paramLabel = "N",
            description = "Every how many cases one goes through a socket; 500 by default.")
    private int endToEnd = 500;

    private final Tally tally = new Tally("hangs", "crashes", "duplicated", "ran", "different", "wrong", "leaked");

    /** Make the harness as the command has it. */
    public StreamsHarness() {
        this(new CaseOptions(), 500);
    }

    /**
     * Make the harness of a sample.
     *
     * @param endToEnd every how many cases one goes through a socket
     */
    public StreamsHarness(CaseOptions cases, int endToEnd) {
        this.cases = cases;
        this.endToEnd = endToEnd;
    }

    @Override
    public Tally tally() {
        return tally;
    }

    @Override
    public Tally run() throws Exception {
        try (EndToEnd wire = new EndToEnd()) {
            Cases.run(
                    cases.numbers(DEFAULT_N),
                    Runtime.getRuntime().availableProcessors(),
                    LONGEST,
                    number -> one(number, wire, tally),
                    (number, where) -> tally.addFault("hangs", cases.again(number) + " at " + where),
                    (number, what) -> tally.addFault("crashes", cases.again(number) + " threw " + what));
        }
        return tally;
    }

    private void one(long number, EndToEnd wire, Tally tally) {
        SplittableRandom random = cases.random(number);
        StreamCase stream = StreamCases.next(random);
        if (cases.isSingle()) {
            System.out.println(new String(stream.bytes(), StandardCharsets.UTF_8) + "\n" + stream);
        }
        BiConsumer<String, String> fault = (kind, what) -> tally.addFault(kind, cases.again(number) + ": " + what);
        Decoded decoded = new StreamProperties(stream, fault).check(random);
        if (number % endToEnd == 0 || cases.isSingle()) {
            wire.check(number, stream, decoded, random, fault);
        }
        tally.addCase();
    }
}
