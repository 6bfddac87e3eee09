package dev.chargehand.internal.state;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.state.value.SharedList;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a run whose model answers.
 *
 * @param over the steps that are over
 * @param open the step whose answer exists and that is not over, or null
 * @param rejected the answers that processors rejected
 * @param partialText what the model had written when the run was ended, or empty
 * @param index finds the calls of all steps
 */
record Steps(
        SharedList<StepState> over,
        @Nullable StepState open,
        SharedList<Fact.Processed> rejected,
        String partialText,
        CallIndex index) {

    static final Steps NONE = new Steps(SharedList.empty(), null, SharedList.empty(), "", CallIndex.EMPTY);

    /** Return the calls of the open step; none if no step is open. */
    StepCalls openCalls() {
        return open == null ? StepCalls.NONE : open.stepCalls();
    }

    /** Return the calls of all steps, in order. */
    Stream<CallState> calls() {
        return Stream.concat(over.stream().flatMap(step -> step.calls().stream()), openCalls().stream());
    }

    /** Return a call of any step. */
    Optional<CallState> call(String callId) {
        return index.stepOf(callId)
                .map(place -> place < over.size() ? over.get(place) : open)
                .map(step -> step.call(callId));
    }

    /** Return the call whose result has a reference. */
    Optional<CallState> referenced(String reference) {
        return index.referenced(reference).flatMap(this::call);
    }

    /** Return whether a call belongs to one of the first steps that are over. */
    boolean isWithin(int first, CallState call) {
        return index.stepOf(call.callId())
                .filter(place -> place < Math.min(first, over.size()))
                .isPresent();
    }
}
