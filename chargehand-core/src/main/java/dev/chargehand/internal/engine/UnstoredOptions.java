package dev.chargehand.internal.engine;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.option.OptionValues;
import java.util.ArrayList;
import java.util.List;

/**
 * What a run has that is not stored and not its agent's: hooks that decide, and transient values of the request. It
 * continues in another process only if they are given again.
 */
public final class UnstoredOptions {

    private static final String VALUE = "requestContext ";

    private UnstoredOptions() {}

    /** Return the kinds of hooks and the names of values that options add to the defaults of the agent. */
    public static List<String> of(OptionValues options, OptionValues own) {
        List<String> kinds = new ArrayList<>(options.decidingBeyond(own));
        kinds.addAll(options.transientBeyond(own));
        return kinds;
    }

    /**
     * Reject options of a run that another process may execute, if something of them is not stored.
     *
     * @throws ConfigurationException which names them
     */
    static void requireNone(String agentId, OptionValues options, OptionValues own) {
        List<String> names = new ArrayList<>(options.codeBeyond(own));
        of(options, own).stream().filter(kind -> kind.startsWith(VALUE)).forEach(names::add);
        if (!names.isEmpty()) {
            throw new ConfigurationException(
                    "Agent '" + agentId + "': a submitted run may be executed by another process,"
                            + " which does not have these options of the call: " + String.join(", ", names)
                            + ". Set them as default options of the agent, store values of the request instead of transient"
                            + " ones, or start the run here.");
        }
    }

    /**
     * Reject options of a run whose background tasks start turns, if something that decides about these is not stored.
     *
     * @throws ConfigurationException which names it
     */
    static void requireForTurns(String agentId, OptionValues options, OptionValues own) {
        List<String> names = of(options, own);
        if (!names.isEmpty()) {
            throw new ConfigurationException("Agent '" + agentId
                    + "': the end of a background task starts a turn (onEnd CONTINUE), which would lack these options of the call: "
                    + String.join(", ", names)
                    + ". Set them as default options of the agent, store values of the request instead of transient ones, or set"
                    + " onEnd(OnEnd.WAIT) for the call.");
        }
    }

    /** Return what of it the options for continuing lack. */
    public static List<String> missing(List<String> started, OptionValues options, OptionValues own) {
        List<String> given = of(options, own);
        return started.stream().filter(kind -> !given.contains(kind)).toList();
    }

    /**
     * Say what a run lacks.
     *
     * @param whatToDo a sentence
     */
    public static ConfigurationException refusal(String run, List<String> missing, String whatToDo) {
        List<String> hooks =
                missing.stream().filter(kind -> !kind.startsWith(VALUE)).toList();
        List<String> values = missing.stream()
                .filter(kind -> kind.startsWith(VALUE))
                .map(kind -> kind.substring(VALUE.length()))
                .toList();
        StringBuilder what = new StringBuilder("Run " + run + " was started with ");
        if (!hooks.isEmpty()) {
            what.append("hooks that are not here: ").append(String.join(", ", hooks));
        }
        if (!values.isEmpty()) {
            what.append(hooks.isEmpty() ? "" : "; and with ")
                    .append("transient values of the request that are not here: ")
                    .append(String.join(", ", values));
        }
        return new ConfigurationException(what + ". " + whatToDo);
    }
}
