package dev.chargehand.internal.state;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.store.WaitingCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** Describes a waiting call for approvers. */
public final class WaitingCalls {

    private WaitingCalls() {}

    /** Describe a call of a run that waits for an answer. */
    public static PendingApproval of(State state, CallState call) {
        Fact.CallParked parked = Objects.requireNonNull(call.parked());
        ThreadLink thread = state.started().thread();
        return PendingApproval.builder(
                        parked.kind().answer().orElseThrow(),
                        state.runId(),
                        call.callId(),
                        call.call().name(),
                        Json.parse(call.call().arguments()))
                .rootRunId(state.started().rootRunId())
                .path(state.path())
                .stepPath(
                        state instanceof WorkflowState workflow
                                ? workflow.round().plannedCall(call.callId()).path()
                                : null)
                .waitNumber(parked.waitNumber())
                .digest(parked.digest())
                .payload(parked.payload())
                .dataSchema(parked.dataSchema())
                .requester(parked.requester())
                .threadId(thread == null ? null : thread.id())
                .resourceId(state.started().resourceId())
                .askedAt(parked.at())
                .expiresAt(parked.expiresAt())
                .build();
    }

    /**
     * What is known of the descendants of a run that has not ended.
     *
     * @param calls what it and its nested runs wait for, in the order of the calls
     * @param spent what its open nested runs and their descendants have used, which the run gets when they end
     */
    public record Below(List<PendingApproval> calls, Spending spent) {

        /** Nothing. */
        public static final Below NOTHING = new Below(List.of(), Spending.NOTHING);

        public Below {
            calls = List.copyOf(calls);
        }

        /** Return what the run has used, with these descendants. */
        public Spending spentWith(State state) {
            return state.spent().plus(spent);
        }
    }

    /**
     * Describe what a run and its nested runs wait for, and what these have used.
     *
     * @param runs gives where a run below stands that has not ended
     */
    public static Below below(State state, Function<RunId, Optional<State>> runs) {
        List<PendingApproval> pending = new ArrayList<>();
        Spending spent = Spending.NOTHING;
        for (CallState call : state.pendingCalls()) {
            if (call.isParked() && !call.isTimed()) {
                pending.add(of(state, call));
            } else if (call.isOpenDelegation()) {
                Optional<State> child = runs.apply(call.child().runId());
                if (child.isPresent()) {
                    Below below = below(child.get(), runs);
                    pending.addAll(below.calls());
                    spent = spent.plus(below.spentWith(child.get()));
                }
            }
        }
        return new Below(pending, spent);
    }

    /** Return the calls of a run that wait now, as a store lists them. */
    public static List<WaitingCall> listed(State state) {
        List<WaitingCall> waiting = new ArrayList<>();
        for (CallState call : state.pendingCalls()) {
            if (call.isParked()) {
                waiting.add(listed(state, Objects.requireNonNull(call.parked())));
            }
        }
        return waiting;
    }

    /** Return one of them. */
    public static WaitingCall listed(State state, Fact.CallParked parked) {
        CallState call = state.openCall(parked.callId());
        return new WaitingCall(
                state.runId(),
                parked.callId(),
                new WaitingCall.Waiting(parked.kind(), parked.waitNumber(), parked.at(), parked.expiresAt()),
                call.call().name(),
                parked.requester(),
                call.isTimed() ? null : of(state, call).toJson());
    }
}
