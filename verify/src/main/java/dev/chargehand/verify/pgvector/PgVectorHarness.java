package dev.chargehand.verify.pgvector;

import dev.chargehand.verify.harness.Harness;
import dev.chargehand.verify.harness.Tally;
import dev.chargehand.verify.memory.MemoryHarness;
import dev.chargehand.verify.stores.PgVectorServer;
import dev.chargehand.verify.stores.StorePlace;
import java.util.SplittableRandom;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Test a store that keeps its vectors in pgvector, on a server that the environment names ({@link PgVectorServer}): the rules of a
 * memory, what happens to the extension, random searches against the exact answer, and the killed processes of the harness
 * {@code memory}.
 */
@Command(
        name = "pgvector",
        description = "Tests a store with vectors in pgvector, on the server that " + PgVectorServer.URL + " names.",
        mixinStandardHelpOptions = true)
public final class PgVectorHarness implements Harness {

    @Option(
            names = "--n",
            paramLabel = "COUNT",
            description = "How many searches; 2000 by default. Processes make a fifth as many edits.")
    private long n = 2_000;

    @Option(names = "--seed", description = "Which searches, and where processes are killed; 1 by default.")
    private long seed = 1;

    private final Tally tally = new Tally("rules", "different", "foreign", "lost", "doubled", "orphans");

    @Override
    public Tally tally() {
        return tally;
    }

    @Override
    public Integer call() throws Exception {
        try {
            var ignored = PgVectorServer.ofEnvironment();
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            return CommandLine.ExitCode.USAGE;
        }
        return Harness.super.call();
    }

    @Override
    public Tally run() throws Exception {
        System.out.println("pgvector: --n " + n + " --seed " + seed);
        check(PgVectorRules.class);
        check(ExtensionRules.class);
        SplittableRandom random = new SplittableRandom(seed);
        try (PgVectorServer.Databases databases = new PgVectorServer.Databases(PgVectorServer.ofEnvironment())) {
            StorePlace place = databases.store();
            SearchCheck.check(place, n, SearchCheck.FLOATS, random.split(), tally);
            SearchCheck.race(place, n, random.split(), tally);
            tally.figure("kills", MemoryHarness.kill(databases::store, Math.max(1, n / 5), random, tally));
        }
        return tally;
    }

    /** Run the tests of a class. */
    private void check(Class<?> rules) {
        long before = tally.cases();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(DiscoverySelectors.selectClass(rules))
                                .build(),
                        new TestExecutionListener() {
                            @Override
                            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                                if (test.isTest()) {
                                    tally.addCase();
                                }
                                if (result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
                                    tally.addFault("rules", test.getDisplayName() + ": " + result.getThrowable());
                                }
                            }
                        });
        if (tally.cases() == before) {
            tally.addFault("rules", rules.getSimpleName() + " has no test that ran");
        }
    }
}
