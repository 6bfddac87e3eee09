package dev.chargehand.internal.agent;

import dev.chargehand.approval.WaitKind;
import dev.chargehand.internal.agent.act.ParkedCalls;
import dev.chargehand.internal.fact.CallAnswer;
import dev.chargehand.internal.fact.CallKind;
import dev.chargehand.internal.fact.ChildEnd;
import dev.chargehand.internal.fact.ChildLink;
import dev.chargehand.internal.fact.ClosedCalls;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.scope.Toolbox;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.State;
import dev.chargehand.run.StopReason;
import dev.chargehand.tool.InterruptedCallPolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/** Makes the facts that close what is open: of a run that ends in mid-step, and of calls that a crash interrupted. */
public final class TerminalFacts {

    private TerminalFacts() {}

    /**
     * Close every open call, so that no call in the transcript is without its result, and stop the run.
     *
     * @param endOfChild says how the child of an open delegation ends
     */
    public static List<Fact> of(
            State state,
            StopReason reason,
            String partialText,
            Spending spent,
            Instant at,
            Function<CallState, ChildEnd> endOfChild) {
        List<Fact> facts = new ArrayList<>();
        for (CallState call : state.pendingCalls()) {
            facts.add(new Fact.CallClosed(
                    call.callId(),
                    null,
                    null,
                    ended(call),
                    null,
                    null,
                    call.isOpenDelegation() ? endOfChild.apply(call) : null,
                    null,
                    null,
                    at));
        }
        facts.add(new Fact.Stopped(reason, partialText, spent, at));
        return facts;
    }

    private static String ended(CallState call) {
        if (call.isRunnable() || call.hasStarted()) {
            return "The run was ended while this call was being executed; its outcome is unknown.";
        }
        return call.retried() == null
                ? "The run was ended before this call was executed."
                : "The run was ended before the next attempt of this call. The last one failed: "
                        + call.retried().error();
    }

    /** A delegation ends for the reason that ended what stands above it, if it could not say its own any more. */
    public static ChildEnd endOfChild(CallState call, StopReason reason) {
        ChildLink child = call.child();
        return new ChildEnd(child.runId(), child.agentId(), reason.status(), reason, "", Spending.NOTHING);
    }

    /**
     * Decide about the calls that were being executed when their owner died and that may not be executed again.
     *
     * @param decision decides about one of them
     */
    public static List<Fact> ofInterrupted(State state, Function<CallState, Fact> decision) {
        return state.runnable().stream()
                .filter(call -> call.opened() != null && call.opened().kind() == CallKind.UNSAFE)
                .map(decision)
                .toList();
    }

    /** Close an interrupted call of a tool, or have it wait for a human if its tool requires it. */
    public static Fact ofInterrupted(RunScope run, CallState call, Instant at) {
        Toolbox.Callee callee = run.toolbox().callees().get(call.call().name());
        if (callee instanceof Toolbox.ToolCallee tool && tool.tool().interruption() == InterruptedCallPolicy.PARK) {
            return ParkedCalls.of(run, call, WaitKind.INTERRUPTED, null, null, at);
        }
        return ClosedCalls.failed(
                call.callId(),
                "The process died while this call was being executed; its outcome is unknown, and it was not executed "
                        + "again. Find out what it did before you call it again.",
                null,
                at);
    }

    /** Answer calls whose time is over or has come. */
    public static List<Fact> ofExpired(State state, Instant now) {
        return state.pendingCalls().stream()
                .filter(call -> call.isExpired(now))
                .map(CallState::parked)
                .filter(Objects::nonNull)
                .map(parked -> (Fact) new Fact.CallDecided(
                        parked.callId(),
                        parked.waitNumber(),
                        CallAnswer.whenOver(parked.kind()),
                        null,
                        null,
                        null,
                        null,
                        null,
                        now))
                .toList();
    }
}
