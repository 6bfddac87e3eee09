package dev.chargehand.command;

import dev.chargehand.document.Position;
import dev.chargehand.document.Setting;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A tool that runs a program.
 *
 * @param name its name
 * @param at where it is defined
 * @param description when and how to use it, for the model
 * @param command the program and its arguments; {@code {name}} stands for an argument of the call
 * @param arguments the arguments of a call by name, in the file's order
 * @param approval whether every call of it waits for approval
 * @param repeatable whether a call that a crash interrupted may be made again
 * @param polling whether the model may make the same call many times in a row
 * @param timeout how long a call may take
 * @param maxOutput the most bytes of its output that a model sees
 * @param folder where it runs, or null for the folder of the file
 * @param environment the variables of the environment that it gets, in addition to a few that hold no secrets
 */
public record CommandDefinition(
        String name,
        Position at,
        String description,
        List<Setting> command,
        Map<String, Argument> arguments,
        boolean approval,
        boolean repeatable,
        boolean polling,
        Duration timeout,
        int maxOutput,
        @Nullable Setting folder,
        List<Setting> environment) {

    public CommandDefinition {
        command = List.copyOf(command);
        environment = List.copyOf(environment);
    }

    /** What an argument may be. */
    public enum Type {
        /** Any text without a zero character. */
        TEXT("string"),
        /** A whole number. */
        INTEGER("integer"),
        /** A number. */
        NUMBER("number"),
        /** Yes or no. */
        BOOLEAN("boolean");

        private final String schema;

        Type(String schema) {
            this.schema = schema;
        }

        /** Return what JSON Schema calls it. */
        public String schema() {
            return schema;
        }
    }

    /**
     * An argument of a call.
     *
     * @param description what it is, for the model
     * @param type what it may be
     * @param values the only texts it may be; empty for any
     * @param byDefault what it is when a call does not have it; null if every call must
     */
    public record Argument(
            String description,
            Type type,
            List<String> values,
            @Nullable String byDefault) {
        public Argument {
            values = List.copyOf(values);
        }
    }
}
