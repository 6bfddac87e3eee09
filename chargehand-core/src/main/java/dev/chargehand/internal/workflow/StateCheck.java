package dev.chargehand.internal.workflow;

import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.Round;
import dev.chargehand.internal.state.WorkflowState;
import dev.chargehand.internal.state.value.SharedState;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.run.StopReason;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks the state that steps share against its bound and its schema. */
record StateCheck(RunScope run) {

    /** Of more steps than these the rest is counted. */
    private static final int MOST_NAMED = 10;

    /**
     * Return what is wrong with a state, or null if it fits.
     *
     * @param who who has made it, such as {@code step 'count'}
     */
    @Nullable
    String wrongWith(Json shared, String who) {
        int bytes = SharedState.bytes(shared);
        if (bytes > SharedState.MOST_BYTES) {
            return "The shared state would have " + bytes + " bytes after " + who + ", but at most "
                    + SharedState.MOST_BYTES
                    + " are allowed; keep large values outside and their keys in the state.";
        }
        JsonSchema schema = run.workflow().state().orElse(null);
        List<String> violations =
                schema == null ? List.of() : run.validation().violations("shared state", schema, shared);
        return violations.isEmpty()
                ? null
                : "The shared state breaks its schema after " + who + ": " + String.join("; ", violations) + ".";
    }

    /**
     * Return why a run fails after its open round: the changes of steps fit one by one, as each was checked against the
     * state that its step has seen, but not together.
     */
    Optional<StopReason> failure(WorkflowState state) {
        Round round = state.round();
        List<String> paths = state.sharing().changedBy().stream()
                .sorted(Comparator.comparingInt(
                        round::place)) // not the order of their ends, which is another in each run
                .map(callId -> "'" + round.plannedCall(callId).path() + "'")
                .toList();
        if (paths.size() < 2) {
            return Optional.empty();
        }
        String names = paths.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))
                + (paths.size() > MOST_NAMED ? " and " + (paths.size() - MOST_NAMED) + " more" : "");
        return Optional.ofNullable(wrongWith(state.shared(), "the changes of steps " + names))
                .map(wrong -> new StopReason.Failed(
                        "step-failed",
                        run.root().redactor().redact(wrong)
                                + " Each of these changes fits alone; have one step after entry '"
                                + round.planned().entry() + "' make them together.",
                        false));
    }
}
