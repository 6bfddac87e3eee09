package dev.chargehand.verify.planted;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherExecutionRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs test classes in a process of their own. */
public final class SuiteMain {

    /** Every test passed. */
    static final int PASSED = 0;

    /** Some test failed. */
    static final int FAILED = 1;

    /** There was no test, or one could not start. */
    static final int BROKEN = 2;

    /** How long a test may take: that of a timer which was forgotten would take for ever. */
    private static final String LONGEST = "30 s";

    private SuiteMain() {}

    /** Skips the tests after one that fails: a second one says nothing more. */
    private record FirstFailure(CancellationToken enough) implements TestExecutionListener {

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                enough.cancel();
            }
        }
    }

    /** Run the tests of a class, or those of one of its methods after a {@code #}, and ends the process. */
    public static void main(String[] arguments) {
        String[] names = arguments[0].split("#", 2);
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(names[0]))
                .configurationParameter("junit.jupiter.execution.timeout.default", LONGEST)
                // A test that a bug makes wait for ever may ignore an interrupt.
                .configurationParameter("junit.jupiter.execution.timeout.thread.mode.default", "SEPARATE_THREAD");
        if (names.length == 2) {
            request.filters((PostDiscoveryFilter) test -> FilterResult.includedIf(isOf(names[1], test)));
        }
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        CancellationToken enough = CancellationToken.create();
        LauncherFactory.create()
                .execute(LauncherExecutionRequestBuilder.request(request.build())
                        .listeners(listener, new FirstFailure(enough))
                        .cancellationToken(enough)
                        .build());
        TestExecutionSummary summary = listener.getSummary();
        summary.printFailuresTo(new PrintWriter(System.out, true, StandardCharsets.UTF_8), 5);
        System.exit(
                summary.getTestsFoundCount() == 0 || summary.getTestsStartedCount() == 0
                        ? BROKEN
                        : summary.getTotalFailureCount() > 0 ? FAILED : PASSED);
    }

    /** Return whether a test may be one of a method; what is not a method is looked into. */
    private static boolean isOf(String method, TestDescriptor test) {
        return test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(source -> ((MethodSource) source).getMethodName().equals(method))
                .orElse(true);
    }
}
