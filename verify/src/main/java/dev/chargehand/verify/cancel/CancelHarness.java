package dev.chargehand.verify.cancel;

import dev.chargehand.models.OpenAiCompatibleProvider;
import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.ProviderOptions;
import dev.chargehand.verify.harness.CaseOptions;
import dev.chargehand.verify.harness.Cases;
import dev.chargehand.verify.harness.Harness;
import dev.chargehand.verify.harness.Latencies;
import dev.chargehand.verify.harness.OpenStore;
import dev.chargehand.verify.harness.StoreOption;
import dev.chargehand.verify.harness.Tally;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Cancels runs of agents and workflows, one in the other, at any depth and moment, in every way there is, while tools, hooks, scorers and closers ignore the interrupt
 * or throw, and measures until the provider sees its socket closed and the caller has its result.
 */
@Command(name = "cancel", description = "Cancels runs at any depth and moment.", mixinStandardHelpOptions = true)
public final class CancelHarness implements Harness {

    private static final long DEFAULT_N = 800;
    private static final Duration LONGEST = Duration.ofSeconds(30);

    @Mixin
    private final CaseOptions cases;

    @Mixin
    private final StoreOption store;

    @Option(
            names = "--p99-ms",
            paramLabel = "MS",
            description = "What the 99th percentiles may be; 100 by default, 0 for anything.")
    private int longestP99 = 100;

    private final Tally tally = new Tally("wrong", "left", "late");

    /** Make the harness as the command has it. */
    public CancelHarness() {
        this(new CaseOptions(), new StoreOption(), 100);
    }

    /**
     * Make the harness of a sample.
     *
     * @param longestP99 what the 99th percentiles may be in milliseconds; 0 for anything
     */
    public CancelHarness(CaseOptions cases, StoreOption store, int longestP99) {
        this.cases = cases;
        this.store = store;
        this.longestP99 = longestP99;
    }

    @Override
    public Tally tally() {
        return tally;
    }

    @Override
    public Tally run() throws Exception {
        Latencies socket = new Latencies();
        Latencies settled = new Latencies();
        try (OpenStore opened = store.open();
                LoopbackProvider provider = LoopbackProvider.start(ProviderOptions.DEFAULT.withKeptExchanges(200));
                World world = new World(
                        OpenAiCompatibleProvider.builder()
                                .provider("loop", provider.baseUrl(), "key")
                                .build(),
                        opened.store(),
                        provider,
                        socket,
                        settled,
                        tally)) {
            Cases.run(
                    cases.numbers(DEFAULT_N),
                    1,
                    LONGEST,
                    number -> world.cancel(
                            CancelCase.next(number, cases.random(number)), cases.again(number), cases.isSingle()),
                    (number, where) -> tally.addFault("wrong", cases.again(number) + " hangs at " + where),
                    (number, what) -> tally.addFault("wrong", cases.again(number) + " threw " + what));
            world.lookForLeftovers();
        }
        report(tally, "socket", socket);
        report(tally, "settled", settled);
        return tally;
    }

    private void report(Tally tally, String name, Latencies times) {
        times.report(tally, name);
        if (longestP99 > 0 && times.percentileMillis(0.99) > longestP99) {
            tally.addFault("late", name + " takes longer than " + longestP99 + " ms");
        }
    }
}
