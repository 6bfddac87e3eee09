package dev.chargehand.command;

import dev.chargehand.document.Position;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A tool that runs a program.
 *
 * @param name its name
 * @param description when and how to use it, for the model
 * @param command the program and its arguments; {@code {name}} stands for an argument of the call
 * @param arguments the arguments of a call by name, in their order
 * @param approval whether every call of it waits for approval
 * @param repeatable whether a call that a crash interrupted may be made again
 * @param polling whether the model may make the same call many times in a row
 * @param timeout how long a call may take
 * @param maxOutput the most bytes of its output that a model sees
 * @param folder where it runs
 * @param environment the variables of the environment that it gets, in addition to a few that hold no secrets
 * @param at where the program was given
 */
record CommandDefinition(
        String name,
        String description,
        List<String> command,
        Map<String, Argument> arguments,
        boolean approval,
        boolean repeatable,
        boolean polling,
        Duration timeout,
        int maxOutput,
        Path folder,
        List<String> environment,
        Position at) {

    CommandDefinition {
        command = List.copyOf(command);
        arguments = Collections.unmodifiableMap(new LinkedHashMap<>(arguments));
        environment = List.copyOf(environment);
    }

    /**
     * An argument of a call.
     *
     * @param description what it is, for the model
     * @param type what it may be
     * @param values the only texts it may be; empty for any
     * @param byDefault what it is when a call does not have it; null if every call must
     */
    record Argument(
            String description,
            ArgumentType type,
            List<String> values,
            @Nullable String byDefault) {

        Argument {
            values = List.copyOf(values);
        }
    }
}
