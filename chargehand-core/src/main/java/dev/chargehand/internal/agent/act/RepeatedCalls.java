package dev.chargehand.internal.agent.act;

import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.scope.ArgumentDigest;
import dev.chargehand.internal.scope.Toolbox;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.StepState;
import dev.chargehand.json.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Notices a model that goes round in circles: the same call with the same arguments in several steps in a row.
 *
 * <p>Equal calls within one step count once: asking the same thing twice at the same time is no circle.
 */
public final class RepeatedCalls {

    private RepeatedCalls() {}

    /**
     * Return whether a call of the open step, which is about to be executed with the arguments of a digest, is the last
     * allowed one of its kind in a row.
     */
    static boolean isRepeated(ConversationState state, CallState call, String digest, long limit) {
        Made next = new Made(call.call().name(), digest);
        List<StepState> steps = state.steps();
        int before = (int) Math.min(limit - 1, Integer.MAX_VALUE);
        if (before > steps.size()) {
            return false;
        }
        for (StepState step : steps.subList(steps.size() - before, steps.size())) {
            if (step.calls().stream().noneMatch(earlier -> isSame(earlier, call, next))) {
                return false;
            }
        }
        return true;
    }

    /** Return whether any call of the open step is repeated that is not one of a polling tool. */
    public static boolean isRepeated(ConversationState state, Toolbox toolbox, long limit) {
        List<StepState> steps = state.steps();
        int before = (int) Math.min(limit - 1, Integer.MAX_VALUE);
        if (before > steps.size()) {
            return false;
        }
        Set<Made> repeated = made(state.step());
        repeated.removeIf(call -> isPolling(toolbox.callees().get(call.tool())));
        for (StepState step : steps.subList(steps.size() - before, steps.size())) {
            repeated.retainAll(made(step));
        }
        return !repeated.isEmpty();
    }

    /** A call as it counts: with the digest of its arguments, which is known once it is executed. */
    private record Made(String tool, String arguments) {

        static Made of(CallState call) {
            Fact.CallOpened opened = call.opened();
            return new Made(
                    call.call().name(), opened == null ? digest(call.call().arguments()) : opened.digest());
        }
    }

    private static Set<Made> made(StepState step) {
        Set<Made> made = new HashSet<>();
        for (CallState call : step.calls()) {
            made.add(Made.of(call));
        }
        return made;
    }

    /** Return whether the same call may be made many times in a row. */
    static boolean isPolling(Toolbox.@Nullable Callee callee) {
        return callee instanceof Toolbox.ToolCallee tool && tool.tool().polling();
    }

    private static boolean isSame(CallState earlier, CallState call, Made made) {
        return earlier.call().name().equals(made.tool())
                && (earlier.call().arguments().equals(call.call().arguments())
                        || Made.of(earlier).equals(made));
    }

    /** Return the digest of arguments; a text that is not JSON counts as it is. */
    private static String digest(String arguments) {
        try {
            return ArgumentDigest.of(Json.parse(arguments));
        } catch (InvalidJsonException e) {
            return arguments;
        }
    }
}
