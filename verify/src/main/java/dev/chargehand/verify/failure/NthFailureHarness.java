package dev.chargehand.verify.failure;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.StoreException;
import dev.chargehand.internal.call.SystemTimeSource;
import dev.chargehand.verify.harness.CaseOptions;
import dev.chargehand.verify.harness.Cases;
import dev.chargehand.verify.harness.Harness;
import dev.chargehand.verify.harness.OpenStore;
import dev.chargehand.verify.harness.StoreOption;
import dev.chargehand.verify.harness.Tally;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Run a scenario once to count the calls of every interface, and then once for each call and each way in which it can
 * fail, waited for and watched.
 */
@Command(
        name = "nth-failure",
        description = "Lets every call of every interface fail in turn.",
        mixinStandardHelpOptions = true)
public final class NthFailureHarness implements Harness {

    private static final Duration LONGEST = Duration.ofSeconds(20);

    /** What a call may take where one hangs; anywhere else a slow machine must not make other calls fail. */
    private static final Duration SHORT = Duration.ofMillis(250);

    private static final String[] KINDS = {"hangs", "crashes", "ends", "disagree", "twice", "lost", "left"};

    @Mixin
    private final CaseOptions cases;

    @Mixin
    private final StoreOption store;

    @Option(names = "--kind", description = "ordinary, plain, network, structured, workflow or task; all by default.")
    private @Nullable Kind onlyKind;

    private final Tally tally = new Tally(KINDS);

    /** Make the harness as the command has it. */
    public NthFailureHarness() {
        this(new CaseOptions(), new StoreOption());
    }

    /** Make the harness of a sample. */
    public NthFailureHarness(CaseOptions cases, StoreOption store) {
        this.cases = cases;
        this.store = store;
    }

    @Override
    public Tally tally() {
        return tally;
    }

    @Override
    public Tally run() throws Exception {
        try (OpenStore opened = store.open();
                SystemTimeSource time = new SystemTimeSource()) {
            List<FailureCase> all = all(opened, time);
            Map<FailureCase, RunResult> ends = new ConcurrentHashMap<>();
            Cases.run(
                    cases.spread(all.size()),
                    Runtime.getRuntime().availableProcessors(),
                    LONGEST,
                    number -> one(number, all.get((int) number - 1), opened, time, ends, tally),
                    (number, where) -> tally.addFault("hangs", describe(number, all) + " at " + where),
                    (number, what) -> tally.addFault("crashes", describe(number, all) + " threw " + what));
            tally.figure("calls", all.size());
        }
        return tally;
    }

    private String describe(long number, List<FailureCase> all) {
        return "--only " + number + " " + all.get((int) number - 1);
    }

    /** Count the calls of each part, and names every one that can fail. */
    private List<FailureCase> all(OpenStore store, SystemTimeSource time) {
        List<FailureCase> all = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            for (Part part : onlyKind == null || onlyKind == kind ? Part.values() : new Part[0]) {
                all.addAll(all(kind, part, store, time));
            }
        }
        return all;
    }

    private static List<FailureCase> all(Kind kind, Part part, OpenStore store, SystemTimeSource time) {
        List<FailureCase> all = new ArrayList<>();
        FaultPoint counting = new FaultPoint(part, Fault.THROW, 0);
        Scenario scenario = new Scenario(kind, counting, store.store(), time, LONGEST, "count-" + kind + part);
        try (AgentRuntime runtime = scenario.runtime()) {
            Ran ran = Ran.of(scenario, runtime, true);
            RunResult result = ran.result();
            if (result == null || !result.text().equals(kind.answer())) {
                throw new IllegalStateException("The scenario does not work: " + ran);
            }
        }
        for (Fault fault : Fault.values()) {
            for (int nth = 1; nth <= counting.calls() && part.canHave(fault); nth++) {
                all.add(new FailureCase(kind, part, fault, nth, false));
                all.add(new FailureCase(kind, part, fault, nth, true));
            }
        }
        return all;
    }

    private void one(
            long number,
            FailureCase failure,
            OpenStore opened,
            SystemTimeSource time,
            Map<FailureCase, RunResult> ends,
            Tally tally) {
        BiConsumer<String, String> fault =
                (kind, what) -> tally.addFault(kind, "--only " + number + " " + failure + ": " + what);
        FaultPoint point = new FaultPoint(failure.part(), failure.fault(), failure.nth());
        Duration limit = failure.fault() == Fault.HANG ? SHORT : LONGEST;
        Scenario scenario = new Scenario(failure.kind(), point, opened.store(), time, limit, "thread-" + number);
        FailureCheck check = new FailureCheck(failure, fault);
        Ran ran;
        AgentRuntime runtime;
        try {
            runtime = scenario.runtime();
        } catch (FaultPoint.PlannedException | StoreException | ConfigurationException e) {
            point.letGo();
            check.refused(e);
            tally.addCase(); // there is no runtime, and so nothing to look at
            return;
        }
        try {
            ran = Ran.of(scenario, runtime, failure.streamed());
            if (cases.isSingle()) {
                System.out.println(ran);
            }
            check.events(ran);
        } finally {
            point.letGo();
            lookForLeftovers(runtime, fault);
            close(runtime);
        }
        Scenario calm = new Scenario(
                failure.kind(), new FaultPoint(failure.part(), Fault.THROW, 0), opened.store(), time, LONGEST, "later");
        try (AgentRuntime later = calm.runtime()) {
            check.stored(ran, opened.store(), runId -> later.resume(runId, calm::options)
                    .result());
        }
        calm.executions().forEach((key, count) -> scenario.executions().merge(key, count, Integer::sum));
        check.executedOnce(scenario.executions());
        RunResult result = ran.result();
        if (result != null && check.isComparable()) {
            compare(failure, result, ends, fault);
        }
        tally.addCase();
    }

    /** Compare with the other way of running the same, if that has been run. */
    private static void compare(
            FailureCase failure, RunResult result, Map<FailureCase, RunResult> ends, BiConsumer<String, String> fault) {
        ends.put(failure, result);
        RunResult other = ends.get(
                new FailureCase(failure.kind(), failure.part(), failure.fault(), failure.nth(), !failure.streamed()));
        if (other != null && (other.status() != result.status() || !other.text().equals(result.text()))) {
            fault.accept("disagree", "one way it ends as " + result + ", the other as " + other);
        }
    }

    /** A runtime whose store fails while it is closed may throw: the run is over. */
    private static void close(AgentRuntime runtime) {
        try {
            runtime.close();
        } catch (FaultPoint.PlannedException e) {
            // It was told so.
        } catch (RuntimeException e) {
            if (!(e instanceof ChargehandException)) {
                throw e;
            }
        }
    }

    private static void lookForLeftovers(AgentRuntime runtime, BiConsumer<String, String> fault) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        while (!runtime.abandonedCalls().isEmpty()) {
            if (System.nanoTime() > end) {
                fault.accept("left", "still at work: " + runtime.abandonedCalls());
                return;
            }
            LockSupport.parkNanos(100_000);
        }
    }
}
