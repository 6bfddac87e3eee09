package dev.chargehand.internal.state.value;

import dev.chargehand.json.Json;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the calls of a workflow's run share: its state, who has changed it, and who has seen which one. Immutable.
 *
 * @param state the state with all changes that are stored
 * @param changed the ids of the calls of the last round that have changed it, once for each change
 * @param seen the state that each open call sees: that of when it was opened, however often it is executed since; none
 *     for calls that are over or wait, so that old states are not kept
 */
public record Sharing(Json state, SharedList<String> changed, SharedMap<Optional<Json>> seen) {

    /** Return what is shared before the first round. */
    public static Sharing of(Json initial) {
        return new Sharing(initial, SharedList.empty(), SharedMap.empty());
    }

    /** Return it for another round. */
    public Sharing inNextRound() {
        return of(state);
    }

    /** Return it after the start of a call. */
    public Sharing opened(String callId) {
        return new Sharing(state, changed, seen.with(callId, Optional.of(state)));
    }

    /**
     * Return it after a call has ended, or waits.
     *
     * @param patch the change that it made, or null for none
     */
    public Sharing left(String callId, @Nullable Json patch) {
        Json after = patch == null ? state : MergePatch.applied(state, patch);
        SharedList<String> by = patch == null ? changed : changed.plus(callId);
        return new Sharing(after, by, by.isEmpty() ? seen : seen.with(callId, Optional.empty()));
    }

    /** Return the state that a call sees. */
    public Json seenBy(String callId) {
        return seen.get(callId).flatMap(Function.identity()).orElse(state);
    }

    /** Return the calls that have changed the state in the last round, each once. */
    public List<String> changedBy() {
        return changed.stream().distinct().toList();
    }
}
