package dev.chargehand.tool;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.text.TimeBound;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A function that a model can call.
 *
 * <pre>{@code
 * record Search(String query) {}
 *
 * Tool search = Tool.of("search", "Searches the web.", Search.class, (in, context) -> web.find(in.query()));
 * }</pre>
 *
 * <p>Immutable; one tool serves any number of agents and calls at once. Arguments that are not valid JSON or break the
 * input schema never reach the handler.
 */
public final class Tool {

    /** What the name of a tool, or of a sub-agent with its prefix, may look like. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    private final String name;
    private final String description;
    private final JsonSchema input;
    private final @Nullable JsonSchema output;
    private final ToolHandler<Json> handler;
    private final boolean repeatable;
    private final boolean polling;
    private final boolean exposeErrors;
    private final @Nullable Duration timeout;
    private final @Nullable Predicate<Json> approval;
    private final InterruptedCallPolicy interruption;
    private final @Nullable JsonSchema payload;
    private final @Nullable JsonSchema data;
    private final boolean external;

    private Tool(Builder<?> builder, ToolHandler<Json> handler) {
        this.name = builder.name;
        this.description = builder.description;
        this.input = builder.input.schema();
        this.output = builder.output;
        this.handler = handler;
        this.repeatable = builder.repeatable;
        this.polling = builder.polling;
        this.exposeErrors = builder.exposeErrors;
        this.timeout = builder.timeout;
        this.approval = builder.approval;
        this.interruption = builder.interruption;
        this.payload = builder.payload;
        this.data = builder.data;
        this.external = builder.external;
    }

    private Tool(Tool from, ToolHandler<Json> handler, @Nullable Predicate<Json> approval) {
        this.name = from.name;
        this.description = from.description;
        this.input = from.input;
        this.output = from.output;
        this.handler = handler;
        this.repeatable = from.repeatable;
        this.polling = from.polling;
        this.exposeErrors = from.exposeErrors;
        this.timeout = from.timeout;
        this.approval = approval;
        this.interruption = from.interruption;
        this.payload = from.payload;
        this.data = from.data;
        this.external = from.external;
    }

    /**
     * Make a tool from a record and a lambda.
     *
     * @throws ConfigurationException if the name or description is not allowed, no schema can be built from the input,
     *     or the input is no object: a text, a number, a list or an enum goes into a record
     */
    public static <I> Tool of(String name, String description, Class<I> input, ToolHandler<I> handler) {
        return builder(name, description).input(input).handler(handler).build();
    }

    /**
     * Make a tool that the client of the run executes: each call waits until the client answers it with the result, as a call does that
     * requests data. The model receives the result, or its first 20,000 characters, in a fence.
     */
    public static Tool external(String name, String description, JsonSchema input) {
        Builder<Json> made = builder(name, description).input(input).handler(new ExternalCall());
        made.external = true;
        return made.build();
    }

    /**
     * Start a tool with options that {@link #of} does not have. Its input comes first, so that the handler has its
     * type.
     *
     * @param name letters, digits, {@code _} and {@code -}; at most 64
     * @param description when and how to use it, for the model
     * @throws ConfigurationException if the name or description is not allowed
     */
    public static Start builder(String name, String description) {
        return new Start(name, description);
    }

    /** Return whether a name may be shown to a model. */
    public static boolean isValidName(String name) {
        return NAME.matcher(name).matches();
    }

    /** Return what the model writes to call it. */
    public String name() {
        return name;
    }

    /** Return when and how to use it, for the model. */
    public String description() {
        return description;
    }

    /** Return the schema of its arguments. */
    public JsonSchema input() {
        return input;
    }

    /** Return the schema of its result, if it declares one. */
    public Optional<JsonSchema> output() {
        return Optional.ofNullable(output);
    }

    /** Return what does the work. */
    public ToolHandler<Json> handler() {
        return handler;
    }

    /** Return this tool with something else that does its work; a test runs an agent this way without its effects. */
    @CheckReturnValue
    public Tool withHandler(ToolHandler<Json> other) {
        return new Tool(this, other, approval);
    }

    /** Return whether a call that a crash interrupted may be executed again with the same idempotency key. */
    public boolean repeatable() {
        return repeatable;
    }

    /** Return whether the model may make the same call many times in a row. */
    public boolean polling() {
        return polling;
    }

    /** Return whether the messages of all its exceptions reach the model. */
    public boolean exposeErrors() {
        return exposeErrors;
    }

    /** Return its own time limit, if it has one; else {@link dev.chargehand.run.TimeLimit#TOOL} holds. */
    public Optional<Duration> timeout() {
        return Optional.ofNullable(timeout);
    }

    /** Return what says for which arguments a call must be approved, if there are any. */
    public Optional<Predicate<Json>> approval() {
        return Optional.ofNullable(approval);
    }

    /** Return this tool with approval required for every call. */
    @CheckReturnValue
    public Tool requiringApproval() {
        return new Tool(this, handler, arguments -> true);
    }

    /** Return how a call is handled that a crash interrupted, if the tool is not repeatable. */
    public InterruptedCallPolicy interruption() {
        return interruption;
    }

    /** Return the schema of what it says when it asks for data, if it declares one. */
    public Optional<JsonSchema> suspendPayload() {
        return Optional.ofNullable(payload);
    }

    /** Return the schema of the data it asks for, if it declares one. */
    public Optional<JsonSchema> providedData() {
        return Optional.ofNullable(data);
    }

    /** Return whether the client of the run executes it. */
    public boolean isExternal() {
        return external;
    }

    @Override
    public String toString() {
        return "Tool[" + name + "]";
    }

    /** A tool that has a name and a description, and needs its input next. Immutable and thread-safe. */
    public static final class Start {

        private final String name;
        private final String description;

        private Start(@Nullable String name, @Nullable String description) {
            if (name == null || description == null) {
                throw new ConfigurationException("Tool '" + name + "' needs a name and a description.");
            }
            if (!isValidName(name)) {
                throw new ConfigurationException(
                        "Tool '" + name + "': a name has 1 to 64 letters, digits, '_' or '-'; choose another name.");
            }
            if (description.isBlank()) {
                throw new ConfigurationException(
                        "Tool '" + name + "' needs a description: the model decides by it when to call the tool.");
            }
            this.name = name;
            this.description = description;
        }

        /**
         * Take the arguments as a record; the model receives its schema. If the constructor of the record rejects
         * arguments, the model receives only which one is not valid; throw a {@link ToolFailureException} there to
         * state the reason.
         *
         * @throws ConfigurationException if the type has no schema, or is not a JSON object
         */
        public <I> Builder<I> input(Class<I> type) {
            return input(ToolInput.of(name, type));
        }

        /**
         * Take the arguments as JSON that fits a schema.
         *
         * @throws ConfigurationException if the schema does not allow objects, or has an unknown {@code type}
         */
        public Builder<Json> input(JsonSchema schema) {
            return input(ToolInput.of(name, schema));
        }

        <I> Builder<I> input(ToolInput<I> input) {
            return new Builder<>(this, input);
        }
    }

    /** A builder of the options of a tool and its handler. Not thread-safe.
     *
     * @param <I> the type of the arguments
     */
    public static final class Builder<I> {

        private final String name;
        private final String description;
        private final ToolInput<I> input;
        private @Nullable JsonSchema output;
        private @Nullable ToolHandler<I> handler;
        private boolean repeatable;
        private boolean polling;
        private boolean exposeErrors;
        private @Nullable Duration timeout;
        private @Nullable Predicate<Json> approval;
        private InterruptedCallPolicy interruption = InterruptedCallPolicy.REPORT;
        private @Nullable JsonSchema payload;
        private @Nullable JsonSchema data;
        private boolean external;

        private Builder(Start start, ToolInput<I> input) {
            this.name = start.name;
            this.description = start.description;
            this.input = input;
        }

        private <T> T given(String what, @Nullable T value) {
            if (value == null) {
                throw new ConfigurationException("Tool '" + name + "': " + what + " must not be null.");
            }
            return value;
        }

        /** Declare the type of the result; a result that breaks its schema becomes an error result. */
        public Builder<I> output(Class<?> type) {
            return output(JsonSchema.of(given("output", type)));
        }

        /** Declare the schema of the result; a result that breaks it becomes an error result. */
        public Builder<I> output(JsonSchema schema) {
            this.output = ToolInput.usable(name, "output", given("output", schema));
            return this;
        }

        /** Allow a call that a crash interrupted to be executed again with the same idempotency key. */
        public Builder<I> repeatable() {
            this.repeatable = true;
            return this;
        }

        /**
         * Declare that the tool is called again and again until something has happened: identical calls in a row do
         * not count for {@link dev.chargehand.run.Limit#IDENTICAL_CALLS}. All other limits hold, such as the steps of
         * the run.
         */
        public Builder<I> polling() {
            this.polling = true;
            return this;
        }

        /** Let the messages of all exceptions reach the model, not only those of {@link ToolFailureException}. */
        public Builder<I> exposeErrors() {
            this.exposeErrors = true;
            return this;
        }

        /** Require approval for every call. */
        public Builder<I> requiresApproval() {
            this.approval = arguments -> true;
            return this;
        }

        /**
         * Require approval for a call if the predicate is true of its arguments. One that throws means
         * that approval is needed.
         */
        public Builder<I> requiresApproval(Predicate<? super I> when) {
            given("requiresApproval", when);
            this.approval = arguments -> when.test(input.convert(arguments));
            return this;
        }

        /** Set how a call is handled that a crash interrupted, unless the tool is repeatable; default reported. */
        public Builder<I> onInterruption(InterruptedCallPolicy value) {
            this.interruption = given("onInterruption", value);
            return this;
        }

        /**
         * Declare what the tool says when it asks for data, and the data, a type that can be read from JSON: see {@link
         * ToolContext#suspend}. Without it, any values that have a JSON form will do.
         */
        public Builder<I> suspends(Class<?> payloadType, Class<?> dataType) {
            return suspends(JsonSchema.of(given("payload", payloadType)), ToolInput.readable(name, "data", dataType));
        }

        /** Declare the schemas of what the tool says when it asks for data, and of the data. */
        public Builder<I> suspends(JsonSchema payloadSchema, JsonSchema dataSchema) {
            this.payload = ToolInput.usable(name, "payload", given("payload", payloadSchema));
            this.data = ToolInput.usable(name, "data", given("data", dataSchema));
            return this;
        }

        /** Set the tool's own time limit, above zero. */
        public Builder<I> timeout(Duration value) {
            this.timeout = TimeBound.aboveZero(
                    "Tool '" + name + "': the time limit", given("timeout", value), ConfigurationException::new);
            return this;
        }

        /** Set what does the work. */
        public Builder<I> handler(ToolHandler<I> value) {
            this.handler = given("handler", value);
            return this;
        }

        /**
         * Make the tool.
         *
         * @throws ConfigurationException if there is no handler, or if a schema refers to what is not in it
         */
        public Tool build() {
            ToolHandler<I> work = handler;
            if (work == null) {
                throw new ConfigurationException("Tool '" + name + "' needs a handler.");
            }
            requireOwnReferences("input", input.schema());
            requireOwnReferences("output", output);
            requireOwnReferences("payload", payload);
            requireOwnReferences("data", data);
            ToolInput<I> arguments = input;
            return new Tool(this, (json, context) -> work.handle(arguments.read(json), context));
        }

        private void requireOwnReferences(String what, @Nullable JsonSchema schema) {
            List<String> foreign = schema == null ? List.of() : schema.foreignReferences();
            if (!foreign.isEmpty()) {
                throw new ConfigurationException("Tool '" + name + "': the " + what + " schema refers to "
                        + String.join(", ", foreign) + ", which is not in it; nothing else is read. Put what it refers"
                        + " to under $defs, and refer to that as #/$defs/NAME.");
            }
        }
    }
}
