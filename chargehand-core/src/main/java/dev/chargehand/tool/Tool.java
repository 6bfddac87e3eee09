package dev.chargehand.tool;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.internal.text.ReadableTime;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Something a model may call.
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
    private final Interruption interruption;
    private final @Nullable JsonSchema payload;
    private final @Nullable JsonSchema data;

    private Tool(Builder<?> builder, JsonSchema input, ToolHandler<Json> handler) {
        this.name = builder.name;
        this.description = builder.description;
        this.input = input;
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
    }

    /**
     * Makes a tool from a record and a lambda.
     *
     * @throws ConfigurationException if the name or description is not allowed, no schema can be made of the input, or
     *     the input is no object: a text, a number, a list or an enum goes into a record
     */
    public static <I> Tool of(String name, String description, Class<I> input, ToolHandler<I> handler) {
        return builder(name, description).input(input).handler(handler).build();
    }

    /**
     * Begins a tool with more to say than {@link #of}.
     *
     * @param name letters, digits, {@code _} and {@code -}; at most 64
     * @param description when and how to use it, for the model
     */
    public static Builder<Json> builder(String name, String description) {
        return new Builder<>(name, description);
    }

    /** Tells whether a name may be shown to a model. */
    public static boolean isValidName(String name) {
        return NAME.matcher(name).matches();
    }

    /** Returns what the model writes to call it. */
    public String name() {
        return name;
    }

    /** Returns when and how to use it, for the model. */
    public String description() {
        return description;
    }

    /** Returns the schema of its arguments. */
    public JsonSchema input() {
        return input;
    }

    /** Returns the schema of its result, if it declares one. */
    public Optional<JsonSchema> output() {
        return Optional.ofNullable(output);
    }

    /** Returns what does the work. */
    public ToolHandler<Json> handler() {
        return handler;
    }

    /** Returns this tool with something else that does its work; a test runs an agent this way without its effects. */
    public Tool withHandler(ToolHandler<Json> other) {
        return new Tool(this, other, approval);
    }

    /** Tells whether a call that a crash interrupted may be executed again with the same idempotency key. */
    public boolean repeatable() {
        return repeatable;
    }

    /** Returns whether the model may make the same call many times in a row. */
    public boolean polling() {
        return polling;
    }

    /** Tells whether the messages of all its exceptions reach the model. */
    public boolean exposeErrors() {
        return exposeErrors;
    }

    /** Returns its own time limit, if it has one; else {@link dev.chargehand.run.TimeLimit#TOOL} holds. */
    public Optional<Duration> timeout() {
        return Optional.ofNullable(timeout);
    }

    /** Returns what says for which arguments a call must be approved, if there are any. */
    public Optional<Predicate<Json>> approval() {
        return Optional.ofNullable(approval);
    }

    /** Returns this tool with every call waiting until somebody approves it. */
    public Tool requiringApproval() {
        return new Tool(this, handler, arguments -> true);
    }

    /** Returns what becomes of a call that a crash interrupted, if the tool is not repeatable. */
    public Interruption interruption() {
        return interruption;
    }

    /** Returns the schema of what it says when it asks for data, if it declares one. */
    public Optional<JsonSchema> suspendPayload() {
        return Optional.ofNullable(payload);
    }

    /** Returns the schema of the data it asks for, if it declares one. */
    public Optional<JsonSchema> resumeData() {
        return Optional.ofNullable(data);
    }

    @Override
    public String toString() {
        return "Tool[" + name + "]";
    }

    /**
     * Collects what a tool is made of. Not thread-safe.
     *
     * @param <I> the type of the arguments; JSON until {@link #input(Class)} says otherwise
     */
    public static final class Builder<I> {

        private final String name;
        private final String description;
        private @Nullable JsonSchema input;
        private @Nullable JsonSchema output;
        private Function<Json, ?> reader = Function.identity();
        private @Nullable ToolHandler<I> handler;
        private boolean repeatable;
        private boolean polling;
        private boolean exposeErrors;
        private @Nullable Duration timeout;
        private @Nullable Predicate<Json> approval;
        private Interruption interruption = Interruption.REPORT;
        private @Nullable JsonSchema payload;
        private @Nullable JsonSchema data;

        private Builder(@Nullable String name, @Nullable String description) {
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
         * Takes the arguments as a record, whose schema the model sees; set it before the handler. If its constructor
         * rejects arguments, the model receives only which one is not valid; throw a {@link ToolFailure} there to say why.
         */
        @SuppressWarnings("unchecked") // the type parameter only says what the reader returns
        public <J> Builder<J> input(Class<J> type) {
            this.input = object(JsonSchema.of(given("input", type)), type.getSimpleName());
            this.reader = json -> json.as(type);
            return (Builder<J>) this;
        }

        private JsonSchema object(JsonSchema schema, String what) {
            if (!schema.allowsObjects()) {
                throw new ConfigurationException(
                        "Tool '" + name + "': the arguments of a tool are a JSON object, which " + what
                                + " is not; use a record with a component for it: record Input(String value) {}.");
            }
            return schema;
        }

        private <T> T given(String what, @Nullable T value) {
            if (value == null) {
                throw new ConfigurationException("Tool '" + name + "': " + what + " must not be null.");
            }
            return value;
        }

        /** Takes the arguments as JSON that keeps a schema; set it before the handler. */
        @SuppressWarnings("unchecked") // as above
        public Builder<Json> input(JsonSchema schema) {
            this.input = object(given("input", schema), "this schema");
            this.reader = Function.identity();
            return (Builder<Json>) this;
        }

        /** Declares the type of the result; a result that breaks its schema becomes an error result. */
        public Builder<I> output(Class<?> type) {
            return output(JsonSchema.of(given("output", type)));
        }

        /** Declares the schema of the result; a result that breaks it becomes an error result. */
        public Builder<I> output(JsonSchema schema) {
            this.output = given("output", schema);
            return this;
        }

        /** Allows a call that a crash interrupted to be executed again with the same idempotency key. */
        public Builder<I> repeatable() {
            this.repeatable = true;
            return this;
        }

        /**
         * Declares that the tool is asked again and again until something has happened: identical calls in a row do not count
         * for {@link dev.chargehand.run.Limit#IDENTICAL_CALLS}. All other limits hold, such as the steps of the run.
         */
        public Builder<I> polling() {
            this.polling = true;
            return this;
        }

        /** Lets the messages of all exceptions reach the model, not only those of {@link ToolFailure}. */
        public Builder<I> exposeErrors() {
            this.exposeErrors = true;
            return this;
        }

        /** Makes every call wait until somebody approves it. */
        public Builder<I> requiresApproval() {
            this.approval = arguments -> true;
            return this;
        }

        /**
         * Makes a call wait until somebody approves it if the predicate is true of its arguments; set it after the
         * input. One that throws means that approval is needed.
         */
        @SuppressWarnings("unchecked") // the reader was set for the same type
        public Builder<I> requiresApproval(Predicate<? super I> when) {
            given("requiresApproval", when);
            Function<Json, ?> read = reader;
            this.approval = arguments -> when.test((I) read.apply(arguments));
            return this;
        }

        /** Sets what becomes of a call that a crash interrupted, unless the tool is repeatable; default reported. */
        public Builder<I> onInterruption(Interruption value) {
            this.interruption = given("onInterruption", value);
            return this;
        }

        /**
         * Declares what the tool says when it asks for data, and the data: see {@link ToolContext#suspend}. Without it,
         * any values that have a JSON form will do.
         */
        public Builder<I> suspends(Class<?> payloadType, Class<?> dataType) {
            return suspends(JsonSchema.of(payloadType), JsonSchema.of(dataType));
        }

        /** Declares the schemas of what the tool says when it asks for data, and of the data. */
        public Builder<I> suspends(JsonSchema payloadSchema, JsonSchema dataSchema) {
            this.payload = payloadSchema;
            this.data = dataSchema;
            return this;
        }

        /** Sets the tool's own time limit, above zero. */
        public Builder<I> timeout(Duration value) {
            if (!given("timeout", value).isPositive()) {
                throw new ConfigurationException("Tool '" + name + "': the time limit must be above zero, but is "
                        + ReadableTime.of(value) + ".");
            }
            this.timeout = value;
            return this;
        }

        /** Sets what does the work. */
        public Builder<I> handler(ToolHandler<I> value) {
            this.handler = given("handler", value);
            return this;
        }

        /**
         * Makes the tool.
         *
         * @throws ConfigurationException if there is no input or no handler, or if a schema refers to what is not in it
         */
        public Tool build() {
            JsonSchema schema = input;
            ToolHandler<I> work = handler;
            if (schema == null || work == null) {
                throw new ConfigurationException(
                        "Tool '" + name + "' needs " + (schema == null ? "an input." : "a handler."));
            }
            requireOwnReferences("input", schema);
            requireOwnReferences("output", output);
            requireOwnReferences("payload", payload);
            requireOwnReferences("data", data);
            return new Tool(this, schema, adapt(name, reader, work));
        }

        private void requireOwnReferences(String what, @Nullable JsonSchema schema) {
            List<String> foreign = schema == null ? List.of() : schema.foreignReferences();
            if (!foreign.isEmpty()) {
                throw new ConfigurationException("Tool '" + name + "': the " + what + " schema refers to "
                        + String.join(", ", foreign) + ", which is not in it; nothing else is read. Put what it refers"
                        + " to under $defs, and refer to that as #/$defs/NAME.");
            }
        }

        @SuppressWarnings("unchecked") // reader and handler were set for the same type
        private static <I> ToolHandler<Json> adapt(String name, Function<Json, ?> reader, ToolHandler<I> work) {
            return (json, context) -> work.handle((I) read(name, reader, json), context);
        }

        /** What a constructor of the input says to the model it throws as a {@link ToolFailure}. */
        private static String forModel(InvalidJsonException e) {
            for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
                if (cause instanceof ToolFailure said) {
                    return said.getMessage();
                }
            }
            return e.getMessage();
        }

        private static Object read(String name, Function<Json, ?> reader, Json json) {
            try {
                return reader.apply(json);
            } catch (InvalidJsonException e) {
                throw new ToolFailure("The arguments of '" + name + "' are not valid: " + forModel(e), e);
            }
        }
    }
}
