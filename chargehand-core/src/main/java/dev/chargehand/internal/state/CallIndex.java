package dev.chargehand.internal.state;

import dev.chargehand.internal.state.value.SharedMap;
import java.util.Optional;

/**
 * Finds the calls of a run without looking at all of them. Immutable.
 *
 * @param steps the place of the step of each call among the steps of the run, by the call's id
 * @param references the ids of the delegations whose results have a reference, by the reference
 * @param numbers how many results of a sub-agent have a reference, by the key of the sub-agent
 */
record CallIndex(SharedMap<Integer> steps, SharedMap<String> references, SharedMap<Integer> numbers) {

    static final CallIndex EMPTY = new CallIndex(SharedMap.empty(), SharedMap.empty(), SharedMap.empty());

    /** Return the index with the calls of a step; if ids are given twice, the first call is found. */
    CallIndex plus(int place, StepState step) {
        SharedMap<Integer> more = steps;
        for (CallState call : step.calls()) {
            if (more.get(call.callId()).isEmpty()) {
                more = more.with(call.callId(), place);
            }
        }
        return new CallIndex(more, references, numbers);
    }

    /** Return the reference that the next result of a sub-agent gets. */
    String nextReference(String agentKey) {
        return agentKey + "-" + (numbers.get(agentKey).orElse(0) + 1);
    }

    /** Return the index with the next reference of a sub-agent, for the result of a call. */
    CallIndex plusReference(String agentKey, String callId) {
        return new CallIndex(
                steps,
                references.with(nextReference(agentKey), callId),
                numbers.with(agentKey, numbers.get(agentKey).orElse(0) + 1));
    }

    Optional<Integer> stepOf(String callId) {
        return steps.get(callId);
    }

    Optional<String> referenced(String reference) {
        return references.get(reference);
    }
}
