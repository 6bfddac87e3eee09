package dev.chargehand.internal.engine.fork;

import dev.chargehand.internal.definition.AgentDefinition;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.message.Message;
import dev.chargehand.version.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a fork relative to its source run.
 *
 * @param agent the agent that continues, or null for the agent of the source run
 * @param version the version of the source run's agent that continues, or null for the one of the source run
 * @param models the names of the models that are called in place of the agent's own, or null for none
 * @param input the input of the fork, or null for the input of the source run
 * @param said the messages after the copied steps
 * @param withoutHooks whether hooks that were given to the source run only may be missing
 * @param options changes the options of the source run
 */
public record ForkChanges(
        @Nullable AgentDefinition agent,
        @Nullable Version version,
        @Nullable List<String> models,
        @Nullable List<Message> input,
        List<Message> said,
        boolean withoutHooks,
        UnaryOperator<OptionValues> options) {

    public ForkChanges {
        models = models == null ? null : List.copyOf(models);
        input = input == null ? null : List.copyOf(input);
        said = List.copyOf(said);
    }

    /** Return what the fork has in place of what the source run had. */
    List<String> replaced() {
        List<String> replaced = new ArrayList<>();
        note(replaced, "agent", agent);
        note(replaced, "version", version);
        note(replaced, "model", models);
        note(replaced, "input", input);
        return replaced;
    }

    static void note(List<String> replaced, String name, @Nullable Object value) {
        if (value != null) {
            replaced.add(name);
        }
    }
}
