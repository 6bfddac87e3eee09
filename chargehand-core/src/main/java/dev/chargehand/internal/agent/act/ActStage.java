package dev.chargehand.internal.agent.act;

import dev.chargehand.internal.agent.delegation.BailArbiter;
import dev.chargehand.internal.call.RunInterruptedException;
import dev.chargehand.internal.definition.WorkflowDefinition;
import dev.chargehand.internal.fact.CallKind;
import dev.chargehand.internal.fact.ChildEnd;
import dev.chargehand.internal.fact.ChildVerdict;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.scope.ChildEnds;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.State;
import dev.chargehand.run.StopReason;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Fourth stage: executes one opened call, and says how it ended. */
public final class ActStage {

    /** The failure of a call that did not fail by itself. */
    public static final String SIBLING_FAILED = "sibling-failed";

    private static final String NOT_STARTED = "This call was not executed: another one failed.";

    private final RunScope run;
    private final CallExecutor executor;

    /** Make the stage of a run. */
    public ActStage(RunScope run, CallExecutor executor) {
        this.run = run;
        this.executor = executor;
    }

    /**
     * Start a call, on the run's own thread; what is returned executes it, on another.
     *
     * <p>A call that has not started when a sibling's bail has made it pointless never does; one that has is in flight.
     */
    Supplier<Optional<Fact>> begin(State state, CallState call, BailArbiter siblings) {
        if (siblings.areDecided() && !hasStarted(call)) {
            return () -> Optional.of(supersede(call, siblings.areCancelledByFailure()));
        }
        RunScope scope = run.under(siblings.begin(call.callId()));
        return () -> act(scope, state, call, siblings);
    }

    /** A delegation that waits is no more executed when a sibling has bailed; who ends the step ends it. */
    private boolean hasStarted(CallState call) {
        return call.isOpenDelegation() && run.root().delegations().hasStarted(call);
    }

    private Optional<Fact> act(RunScope scope, State state, CallState call, BailArbiter siblings) {
        try {
            run.root().lease().require();
            if (Objects.requireNonNull(call.opened()).kind() != CallKind.UNSAFE) {
                run.cancellation()
                        .admit(); // it may start later; one that may not be repeated has started with its intent
            }
            return executor.execute(scope, state, call, siblings);
        } catch (RunInterruptedException e) {
            run.cancellation().check();
            return Optional.of(
                    siblings.areCancelledByFailure()
                            ? afterFailure(call, "This call was cancelled: another one failed. Its outcome is unknown.")
                            : superseded(call, "This call was cancelled: " + cause() + ". Its outcome is unknown."));
        }
    }

    /**
     * End a call that was not started because a sibling has bailed.
     *
     * @param failed whether it has failed instead
     */
    Fact.CallClosed supersede(CallState call, boolean failed) {
        return failed ? afterFailure(call, NOT_STARTED) : superseded(call, notExecuted());
    }

    /**
     * End a call that waits because a sibling has bailed; its child run ends in the same transaction.
     *
     * @param failed whether it has failed instead
     */
    public Fact.CallClosed supersede(CallState call, ChildEnds children, boolean failed) {
        ChildEnd child = call.isOpenDelegation() ? children.of(call) : null;
        return failed ? siblingFailed(neverRan(call, NOT_STARTED, child)) : neverRan(call, notExecuted(), child);
    }

    private String notExecuted() {
        return "This call was not executed: " + cause() + ".";
    }

    private String cause() {
        return run.definition() instanceof WorkflowDefinition
                ? "another step has ended the run"
                : "another agent gave the answer";
    }

    private Fact.CallClosed afterFailure(CallState call, String error) {
        return siblingFailed(neverRan(call, error, new StopReason.Cancelled(SIBLING_FAILED)));
    }

    private static Fact.CallClosed siblingFailed(Fact.CallClosed end) {
        ChildVerdict verdict = new ChildVerdict(null, SIBLING_FAILED, null);
        return new Fact.CallClosed(
                end.callId(), null, null, end.error(), null, null, end.child(), verdict, null, end.at());
    }

    private Fact.CallClosed superseded(CallState call, String error) {
        return neverRan(call, error, new StopReason.Cancelled(BailArbiter.BAIL));
    }

    /** A delegation whose start was emitted gets an end, even if its child never ran. */
    private Fact.CallClosed neverRan(CallState call, String error, StopReason reason) {
        ChildEnd child = call.isOpenDelegation() ? run.root().delegations().end(run, call, reason) : null;
        return neverRan(call, error, child);
    }

    private Fact.CallClosed neverRan(CallState call, String error, @Nullable ChildEnd child) {
        return new Fact.CallClosed(call.callId(), null, null, error, null, null, child, null, null, run.now());
    }
}
