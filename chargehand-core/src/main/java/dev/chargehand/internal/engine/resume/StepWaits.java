package dev.chargehand.internal.engine.resume;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.VersionUnknownException;
import dev.chargehand.error.WorkflowChangedException;
import dev.chargehand.error.WorkflowUnknownException;
import dev.chargehand.internal.engine.Engine;
import dev.chargehand.internal.engine.LocalRun;
import dev.chargehand.internal.engine.lease.ExpiredWaits;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.internal.engine.tree.SuspendedRuns;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.Round;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.WaitingCalls;
import dev.chargehand.internal.state.WorkflowState;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Delivery.Delivered;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds the waits of workflows by the paths of their steps, and ends those for a time early. Thread-safe. */
public final class StepWaits {

    private static final Log LOG = Log.of(StepWaits.class);

    private final RuntimeEnvironment environment;
    private final Engine engine;
    private final RunClaims claims;
    private final TaskResumer tasks;
    private final StoredRuns runs;

    StepWaits(RuntimeEnvironment environment, Engine engine, RunClaims claims, TaskResumer tasks, StoredRuns runs) {
        this.environment = environment;
        this.engine = engine;
        this.claims = claims;
        this.tasks = tasks;
        this.runs = runs;
    }

    /** A call that waits: its path in the workflow of the root run, that of its entry, and its run. */
    private record Wait(String path, String entry, State state, CallState call) {}

    /**
     * Return the request of the step at a path.
     *
     * @throws ApprovalException {@code UNKNOWN} if none waits for an answer there, {@code AMBIGUOUS} if several do
     */
    public PendingApproval request(RunId runId, String path) {
        requirePath(path);
        List<Wait> asking =
                waits(runId).stream().filter(wait -> !wait.call().isTimed()).toList();
        List<Wait> found = at(path, asking);
        if (found.size() != 1) {
            boolean none = found.isEmpty();
            throw new ApprovalException(
                    none ? ApprovalException.Kind.UNKNOWN : ApprovalException.Kind.AMBIGUOUS,
                    "Run " + runId + ": " + (none ? "no step" : found.size() + " steps") + " at '" + path
                            + (none ? "' waits for an answer. " : "' wait for an answer; name one by its whole path. ")
                            + described(asking));
        }
        return WaitingCalls.of(found.getFirst().state(), found.getFirst().call());
    }

    /**
     * End the waits for a time at a path now. The run continues in the process that executes it; if there is none, in this one, or in
     * one that has what the run needs.
     *
     * @throws ApprovalException {@code UNKNOWN} if nothing waits for a time there, {@code ALREADY_DECIDED} if it did and is over
     */
    public void wake(RunId runId, String path) {
        engine.requireOpen();
        requirePath(path);
        List<Wait> waits = waits(runId);
        List<Wait> found = waits.stream()
                .filter(wait -> wait.call().isTimed())
                .filter(wait -> isAt(path, wait) || wait.entry().equals(path))
                .toList();
        if (found.isEmpty()) {
            throw nothingAt(runId, path, waits);
        }
        boolean ended = false;
        for (Wait wait : found) {
            ended |= end(wait);
        }
        if (!ended) {
            throw over(runId, path, "is over");
        }
        Optional<LocalRun> live = engine.live(runId);
        if (live.isPresent()) {
            claims.deliverTo(live.get(), () -> resumed(runId));
        } else {
            Optional<LocalRun> ignored = resumed(runId);
        }
    }

    private Optional<LocalRun> resumed(RunId runId) {
        try {
            return environment
                    .store()
                    .find(runId)
                    .filter(root -> !root.status().isEnded() && claims.isFree(root) && !tasks.isWaiting(root))
                    .flatMap(root -> tasks.resumeWhenPlaceIsFree(root, options -> options));
        } catch (ConfigurationException
                | VersionUnknownException
                | WorkflowUnknownException
                | WorkflowChangedException e) {
            LOG.debug("run {}: it is woken, and is to be continued elsewhere: {}", runId, e.getMessage());
            return Optional.empty();
        }
    }

    /**
     * End a wait, and return whether it had not ended meanwhile. A second call before the run has read the first changes nothing, as a repeated
     * answer.
     */
    private boolean end(Wait wait) {
        Fact.CallParked parked = Objects.requireNonNull(wait.call().parked());
        Delivered delivered = environment
                .store()
                .deliver(ExpiredWaits.over(
                        WaitingCalls.listed(wait.state(), parked),
                        environment.time().now()));
        return !(delivered instanceof Delivered.NotWaiting);
    }

    private static void requirePath(String path) {
        Objects.requireNonNull(
                path, "The path of the step must not be null; name one that waits, such as 'cool-down'.");
    }

    private ApprovalException nothingAt(RunId runId, String path, List<Wait> waits) {
        RunRecord root = runs.open(runId, true);
        if (root.status().isEnded()) {
            return over(runId, path, "is over, since the run has ended");
        }
        if (isOver(SuspendedRuns.look(environment.store(), root), "", path)) {
            return over(runId, path, "is over");
        }
        boolean asks =
                waits.stream().anyMatch(wait -> isAt(path, wait) && !wait.call().isTimed());
        return new ApprovalException(
                ApprovalException.Kind.UNKNOWN,
                "Run " + runId + ": nothing at '" + path + "' waits for a time. "
                        + (asks ? "It waits for an answer; give one with answer(...) or giveData(...). " : "")
                        + described(waits.stream()
                                .filter(wait -> wait.call().isTimed())
                                .toList()));
    }

    /** Return whether a call at a path, of this run or of a nested one, has been answered or is over. */
    private boolean isOver(State state, String prefix, String path) {
        return state instanceof WorkflowState workflow
                && Stream.concat(workflow.rounds().stream(), Stream.ofNullable(workflow.open()))
                        .anyMatch(round -> isOver(round, prefix, path));
    }

    private boolean isOver(Round round, String prefix, String path) {
        boolean all = path.equals(prefix + round.planned().entry());
        for (CallState call : round.calls()) {
            String own = prefix + round.plannedCall(call.callId()).path();
            boolean at = all || path.equals(own) || isItemOf(path, own);
            if (at ? call.isClosed() || call.decided() != null : isOverBelow(call, own + ".", path)) {
                return true;
            }
        }
        return false;
    }

    private boolean isOverBelow(CallState call, String prefix, String path) {
        Store store = environment.store();
        return path.startsWith(prefix)
                && call.opened() != null
                && call.opened().child() != null
                && store.find(call.child().runId())
                        .filter(child -> isOver(SuspendedRuns.look(store, child), prefix, path))
                        .isPresent();
    }

    private static ApprovalException over(RunId runId, String path, String rule) {
        return new ApprovalException(
                ApprovalException.Kind.ALREADY_DECIDED,
                "Run " + runId + ": what '" + path + "' may have waited for " + rule
                        + ", so there is no wait to end early. handle(runId) has the state of the run.");
    }

    private List<Wait> waits(RunId runId) {
        RunRecord root = runs.open(runId, true);
        List<Wait> waits = new ArrayList<>();
        if (!root.status().isEnded()) {
            collect(SuspendedRuns.look(environment.store(), root), "", waits);
        }
        return waits;
    }

    private void collect(State state, String prefix, List<Wait> waits) {
        Store store = environment.store();
        for (CallState call : state.pendingCalls()) {
            String own = state instanceof WorkflowState workflow
                    ? workflow.round().plannedCall(call.callId()).path()
                    : call.call().name();
            if (call.isParked()) {
                String entry = state instanceof WorkflowState workflow
                        ? workflow.round().planned().entry()
                        : own;
                waits.add(new Wait(prefix + own, prefix + entry, state, call));
            } else if (call.isOpenDelegation()) {
                store.find(call.child().runId())
                        .filter(child -> !child.status().isEnded())
                        .ifPresent(child -> collect(SuspendedRuns.look(store, child), prefix + own + ".", waits));
            }
        }
    }

    /** Return those at a path, or those of the items of a foreach if it names that. */
    private static List<Wait> at(String path, List<Wait> waits) {
        return waits.stream().filter(wait -> isAt(path, wait)).toList();
    }

    private static boolean isAt(String path, Wait wait) {
        return wait.path().equals(path) || isItemOf(path, wait.path());
    }

    private static boolean isItemOf(String entry, String path) {
        return path.startsWith(entry + "[") && path.indexOf(']', entry.length()) == path.length() - 1;
    }

    private static String described(List<Wait> waits) {
        return waits.isEmpty()
                ? "None does elsewhere."
                : waits.stream().map(Wait::path).collect(Collectors.joining(", ", "These do: ", "."));
    }
}
