package dev.chargehand.verify.workflows;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.verify.harness.CaseOptions;
import dev.chargehand.verify.harness.Cases;
import dev.chargehand.verify.harness.Harness;
import dev.chargehand.verify.harness.StoreKind;
import dev.chargehand.verify.harness.Tally;
import dev.chargehand.verify.stores.StorePlace;
import dev.chargehand.verify.stores.TemporaryStores;
import dev.chargehand.workflow.Workflow;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Runs random workflows, whose steps ask, and whose process is gone at a random moment, again and again, and holds how they end against
 * what a small interpreter of their definitions says; or lets two processes, which are stopped and killed, work on the same runs at once.
 */
@Command(
        name = "workflows",
        description = "Runs random workflows, killed and resumed, beside an interpreter of their definitions.",
        mixinStandardHelpOptions = true)
public final class WorkflowsHarness implements Harness {

    private static final long BY_DEFAULT = 2_000;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** More appends than any of these runs makes. */
    private static final int MANY = 400;

    /** So many processes may die with a run. */
    private static final int MOST_DEATHS = 4;

    /** So many runs two processes race for at once. */
    private static final int PER_ROUND = 20;

    /** In one of so many rounds a process is stopped until its lease has really run out. */
    private static final int ROUNDS_PER_LEASE = 10;

    @Mixin
    private CaseOptions options = new CaseOptions();

    @Option(
            names = "--store",
            description = "memory, sqlite or postgres; memory by default, sqlite by default for two processes.")
    private @Nullable StoreKind kind;

    @Option(
            names = "--races",
            description =
                    "Two processes, which are stopped and killed, start, continue, wake and cancel the same runs.")
    private boolean races;

    private long cancelled;
    private long cancelledTooLate;
    private long disturbed;
    private final Tally tally = new Tally("different", "doubled", "lost", "hung");

    /** Make the harness as the command has it. */
    public WorkflowsHarness() {}

    /**
     * Make the harness of a sample.
     *
     * @param races whether two processes work on each run at once
     */
    public WorkflowsHarness(CaseOptions options, StoreKind kind, boolean races) {
        this.options = options;
        this.kind = kind;
        this.races = races;
    }

    @Override
    public Tally tally() {
        return tally;
    }

    @Override
    public Tally run() throws Exception {
        StoreKind chosen = kind();
        if (races && chosen == StoreKind.MEMORY) {
            throw new IllegalArgumentException("Two processes need a store that both can open: sqlite or postgres.");
        }
        try (TemporaryStores stores = TemporaryStores.of(chosen)) {
            if (races) {
                race(stores);
                return tally;
            }
            Cases.run(
                    options.numbers(BY_DEFAULT),
                    Runtime.getRuntime().availableProcessors(),
                    LIMIT,
                    number -> attempt(stores, number),
                    (number, where) -> tally.addFault("hung", options.again(number) + " at " + where),
                    (number, where) -> tally.addFault("lost", options.again(number) + ": " + where));
        }
        return tally;
    }

    private StoreKind kind() {
        StoreKind asked = kind;
        return asked != null ? asked : races ? StoreKind.SQLITE : StoreKind.MEMORY;
    }

    /** Race for runs, some at once; the round of a case is the same whenever the case is. */
    private void race(TemporaryStores stores) throws IOException, SQLException, InterruptedException {
        long[] numbers = options.numbers(BY_DEFAULT).toArray();
        for (long round = (numbers[0] - 1) / PER_ROUND;
                round <= (numbers[numbers.length - 1] - 1) / PER_ROUND;
                round++) {
            long first = round * PER_ROUND + 1;
            long last = options.isSingle()
                    ? round * PER_ROUND + PER_ROUND
                    : Math.min(first + PER_ROUND - 1, numbers.length);
            StorePlace place = stores.make();
            race(place, first, last);
            stores.remove(place);
        }
    }

    private void race(StorePlace place, long first, long last) throws IOException, InterruptedException {
        Map<Long, RacedWorkflow> workflows = new TreeMap<>();
        for (long number = first; number <= last; number++) {
            workflows.put(number, RacedWorkflow.next(options.random(number)));
        }
        boolean waitsForLease = first / PER_ROUND % ROUNDS_PER_LEASE == ROUNDS_PER_LEASE - 1;
        try (RaceRound round =
                new RaceRound(place, options.random(-first), List.copyOf(workflows.values()), waitsForLease)) {
            round.play().forEach(left -> tally.addFault("hung", options.again(first) + ": " + left));
            if (!round.end()) {
                tally.addFault("hung", options.again(first) + ": a process does not report or end");
            }
            for (var each : workflows.entrySet()) {
                BiConsumer<String, String> fault = (kindOf, what) -> tally.addFault(
                        kindOf,
                        options.again(each.getKey()) + " " + round.disturbances() + ": " + what + " of "
                                + each.getValue());
                RaceCheck check = new RaceCheck(each.getValue(), round.ledger(), round.store(), fault);
                cancelled += check.check() ? 1 : 0;
                cancelledTooLate += check.isCancelledTooLate() ? 1 : 0;
                tally.addCase();
            }
            disturbed += round.disturbances().size();
            tally.figure("cancelled", cancelled);
            tally.figure("cancelled_too_late", cancelledTooLate);
            tally.figure("disturbed", disturbed);
        }
    }

    private void attempt(TemporaryStores stores, long number) {
        try {
            StorePlace place = stores.make();
            attempt(place, number);
            stores.remove(place);
        } catch (IOException | SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void attempt(StorePlace place, long number) {
        SplittableRandom random = options.random(number);
        List<Part> parts = Part.random(random);
        long input = random.nextInt(1_000);
        Interpreter expected = new Interpreter(Set.of());
        String end = expected.run(parts, input);

        ConcurrentSkipListSet<String> calls = new ConcurrentSkipListSet<>();
        Workflow<Long, Long> workflow = new Definition((work, call, context) -> calls.add(call)).of(parts);
        String what = options.again(number) + " of " + parts + " with " + input + ": ";
        int deaths = random.nextInt(MOST_DEATHS);
        for (int death = 0; death < deaths; death++) {
            die(workflow, input, dying(random.nextInt(1, 20), place.open()), random, what);
        }
        Answerer answerer = new Answerer(random.split(), odd -> tally.addFault("different", what + odd));
        Store store = place.open();
        try (AgentRuntime runtime = runtime(workflow, store, answerer)) {
            RunResult result = toItsEnd(runtime, workflow, input, answerer);
            tally.addCase();
            compare(what + "ends", end, ended(result));
            compare(
                    what + "state",
                    expected.state,
                    new TreeMap<>(result.workflowState().orElseThrow().as(Definition.stateType())));
            compare(calls, expected.calls, what);
            compare(TreeFacts.read(store, result.runId()), expected.asked, what);
            if (runtime.runs(RunFilter.ROOTS).size() != 1) {
                tally.addFault("doubled", what + "there are several runs");
            }
        }
    }

    private void compare(Set<String> calls, Set<String> expected, String what) {
        Set<String> missing = new TreeSet<>(expected);
        missing.removeAll(calls);
        Set<String> more = new TreeSet<>(calls);
        more.removeAll(expected);
        if (!missing.isEmpty() || !more.isEmpty()) {
            tally.addFault(missing.isEmpty() ? "doubled" : "lost", what + "lacks " + missing + ", has also " + more);
        }
    }

    /** Nothing is stored twice, and everything is asked that must be, and once. */
    private void compare(TreeFacts tree, Set<String> expected, String what) {
        tree.doubled().forEach(twice -> tally.addFault("doubled", what + "there are two of " + twice));
        compare(
                what + "has asked",
                List.copyOf(expected),
                tree.asked().stream().sorted().toList());
    }

    private void compare(String what, Object expected, Object is) {
        if (!expected.equals(is)) {
            tally.addFault("different", what + " as " + is + " and not as " + expected);
        }
    }

    /** Start or continue the run in a process whose store takes nothing any more from an append on. */
    private void die(Workflow<Long, Long> workflow, long input, Store dying, SplittableRandom random, String what) {
        AtomicReference<AgentRuntime> runs = new AtomicReference<>();
        LastStore last = new LastStore(dying, () -> Thread.ofVirtual().start(runs.get()::close));
        Answerer answerer = new Answerer(random.split(), odd -> {
            if (!last.hasEnded()) {
                tally.addFault("different", what + odd);
            }
        });
        try (AgentRuntime runtime = runtime(workflow, last, answerer)) {
            runs.set(runtime);
            RunResult ignored = toItsEnd(runtime, workflow, input, answerer);
        } catch (RuntimeException e) {
            if (!last.hasEnded()) {
                throw e;
            }
        }
    }

    private static RunResult toItsEnd(
            AgentRuntime runtime, Workflow<Long, Long> workflow, long input, Answerer answerer) {
        try {
            return answerer.toItsEnd(runtime, result(runtime, workflow, input));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static RunResult result(AgentRuntime runtime, Workflow<Long, Long> workflow, long input) {
        try {
            List<RunRecord> runs = runtime.runs(RunFilter.ROOTS);
            if (runs.isEmpty()) {
                return runtime.start(workflow, input, o -> {}).result();
            }
            RunId run = runs.getFirst().runId();
            return result(runs.getFirst().status().isEnded() ? runtime.handle(run) : runtime.resume(run, o -> {}));
        } catch (RunFailedException e) {
            return e.result();
        }
    }

    /** Return how a run has ended, failed too. */
    static RunResult result(RunHandle run) {
        try {
            return run.result();
        } catch (RunFailedException e) {
            return e.result();
        }
    }

    private static AgentRuntime runtime(Workflow<Long, Long> workflow, Store store, Answerer answerer) {
        AgentRuntime runtime = AgentRuntime.builder()
                .workflows(workflow)
                .store(store)
                .anyoneMayApprove()
                .addListener(answerer::hear)
                .build();
        answerer.use(runtime);
        return runtime;
    }

    private static Store dying(int append, Store store) {
        FaultyStore dying = FaultyStore.over(store);
        IntStream.range(append, append + MANY).forEach(nth -> dying.failOn(FaultyStore.Operation.APPEND, nth));
        return dying;
    }

    /** Return how a run has ended, in the words of the interpreter. */
    static String ended(RunResult result) {
        return switch (result.stopReason()) {
            case StopReason.Finished ignored -> "finished " + result.text();
            case StopReason.Bailed ignored -> "bailed " + result.text();
            case StopReason.LimitReached ignored -> "limit";
            case StopReason.Failed failed ->
                failed.error().equals("step-failed") || failed.error().equals("outcome-unknown")
                        ? "failed " + failed.message().replaceFirst("^Step '([^']*)'.*$", "$1")
                        : failed.message();
            default -> result.stopReason().toString();
        };
    }
}
