package dev.chargehand.internal.run;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.run.RequestContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What a run has that is not stored and not its agent's: hooks that decide, and transient values of the request. It goes on
 * in another process only if they are given again.
 */
final class GivenAgain {

    private static final String VALUE = "requestContext ";

    private GivenAgain() {}

    /** Returns the kinds of hooks and the names of values that options have beside those of the agent. */
    static List<String> of(RunOptions options, Agent agent) {
        RunOptions own = agent.defaultOptions();
        List<String> kinds = new ArrayList<>(options.hooks().kindsBeyond(own.hooks()));
        Set<String> known = own.requestContext().transientNames();
        options.requestContext().transientNames().stream()
                .filter(name -> !known.contains(name))
                .sorted()
                .forEach(name -> kinds.add(VALUE + name));
        return kinds;
    }

    /** Returns what of it the options for going on lack. */
    static List<String> missing(List<String> started, RunOptions options, Agent agent) {
        List<String> given = of(options, agent);
        return started.stream().filter(kind -> !given.contains(kind)).toList();
    }

    /**
     * Says what a run lacks.
     *
     * @param whatToDo a sentence
     */
    static ConfigurationException refusal(String run, List<String> missing, String whatToDo) {
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

    /** Returns options with the values of the request that are stored with a run, over those of its agent. */
    static RunOptions restored(RunOptions options, RequestContext stored) {
        return new RunOptions(
                options.settings(),
                options.hooks(),
                options.threadId(),
                options.resourceId(),
                options.requestContext().merge(stored));
    }
}
