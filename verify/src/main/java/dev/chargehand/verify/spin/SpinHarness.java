package dev.chargehand.verify.spin;

import dev.chargehand.AgentRuntime;
import dev.chargehand.models.OpenAiCompatibleProvider;
import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.ProviderOptions;
import dev.chargehand.verify.harness.CaseOptions;
import dev.chargehand.verify.harness.Cases;
import dev.chargehand.verify.harness.Harness;
import dev.chargehand.verify.harness.Latencies;
import dev.chargehand.verify.harness.OpenStore;
import dev.chargehand.verify.harness.StoreKind;
import dev.chargehand.verify.harness.StoreOption;
import dev.chargehand.verify.harness.Tally;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Lets tools, hooks and virtual threads of the application compute without end, and measures how long after its time
 * each limit ends a run, while other runs continue.
 */
@Command(name = "spin", description = "Lets foreign code compute without end.", mixinStandardHelpOptions = true)
public final class SpinHarness implements Harness {

    private static final long DEFAULT_N = 20;
    private static final int BYSTANDERS = 2;
    private static final Duration LONGEST = Duration.ofMinutes(2);

    @Mixin
    private final CaseOptions cases;

    @Mixin
    private final StoreOption store;

    @Option(names = "--tools", paramLabel = "COUNT", description = "How many compute at once; 8 by default.")
    private int tools = 8;

    @Option(
            names = "--grace-ms",
            paramLabel = "MS",
            description =
                    "How long after its time a limit may end a run, and how long another run may take; 1000 by default.")
    private long graceMillis = 1_000;

    private final Tally tally = new Tally("late", "starved");

    /** Make the harness as the command has it. */
    public SpinHarness() {
        this(new CaseOptions(), new StoreOption(StoreKind.SQLITE), 1_000);
    }

    /**
     * Make the harness of a sample.
     *
     * @param graceMillis how long after its time a limit may end a run, and how long another run may take
     */
    public SpinHarness(CaseOptions cases, StoreOption store, long graceMillis) {
        this.cases = cases;
        this.store = store;
        this.graceMillis = graceMillis;
    }

    @Override
    public Tally tally() {
        return tally;
    }

    @Override
    public Tally run() throws Exception {
        tally.lead("tools", tools);
        Duration grace = Duration.ofMillis(graceMillis);
        Latencies late = new Latencies();
        Latencies others = new Latencies();
        try (OpenStore opened = store.open();
                LoopbackProvider provider = LoopbackProvider.start(ProviderOptions.DEFAULT.withKeptExchanges(200));
                AgentRuntime runtime = AgentRuntime.builder()
                        .store(opened.store())
                        .providers(OpenAiCompatibleProvider.builder()
                                .provider("loop", provider.baseUrl(), "key")
                                .build())
                        .build()) {
            provider.fallback(SpinWorld::reply);
            runtime.bind(SpinWorld.agent(() -> {})).generate("Go"); // what is loaded once is not what is measured
            try (Bystanders bystanders =
                    Bystanders.start(BYSTANDERS, runtime.bind(SpinWorld.agent(() -> {})), grace, tally, others)) {
                SpinWorld world = new SpinWorld(runtime, grace, tally, late);
                Cases.run(
                        cases.numbers(DEFAULT_N),
                        1,
                        LONGEST,
                        number -> world.play(SpinCase.next(number, tools, cases.random(number)), cases.again(number)),
                        (number, where) -> tally.addFault("late", cases.again(number) + " hangs at " + where),
                        (number, what) -> tally.addFault("late", cases.again(number) + " threw " + what));
            }
        }
        late.report(tally, "late");
        others.report(tally, "others");
        return tally;
    }
}
