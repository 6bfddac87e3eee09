package dev.chargehand.workflow;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.completion.Scored;
import dev.chargehand.completion.Scorer;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.text.TimeBound;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.json.JsonType;
import dev.chargehand.tool.Tool;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One piece of work in a workflow.
 *
 * <pre>{@code
 * Step<Order, Stock> check = Step.of("check", Order.class, Stock.class, (order, ctx) -> warehouse.look(order))
 *         .repeatable()
 *         .retries(2, Backoff.exponential(Duration.ofSeconds(1)))
 *         .timeout(Duration.ofSeconds(20));
 * }</pre>
 *
 * <p>By default, it is attempted once within {@link dev.chargehand.run.TimeLimit#TOOL}, and an interrupted call waits for a human.
 *
 * <p>Types of input and output have a JSON form, and their schemas are derived from them. {@link Json} is any value. Immutable; one
 * step serves any number of workflows and calls at once.
 *
 * @param <I> the type of the input
 * @param <O> the type of the output
 */
public final class Step<I, O> {

    private static final int MOST_RETRIES = 100;

    private final String id;
    private final Form<I> input;
    private final Form<O> output;
    private final StepHandler<Json, Object> handler;
    private final StepBuilder.Settings settings;
    private final @Nullable Fallback<Json, Object> fallback;

    Step(
            String id,
            Form<I> input,
            Form<O> output,
            StepHandler<Json, Object> handler,
            StepBuilder.Settings settings,
            @Nullable Fallback<Json, Object> fallback) {
        this.id = id;
        this.input = input;
        this.output = output;
        this.handler = handler;
        this.settings = settings;
        this.fallback = fallback;
    }

    /**
     * Makes an output of a failure.
     *
     * @param <I> the type of the step's input
     * @param <O> the type of the step's output
     */
    @FunctionalInterface
    public interface Fallback<I, O> {

        /**
         * Make the output that the step has instead.
         *
         * @param input the step's input
         * @param error the message of the failure
         * @return a value that has a JSON form; null is JSON null
         * @throws Exception if it cannot; the step then fails
         */
        @Nullable
        O recover(I input, String error, WorkflowContext context) throws Exception;
    }

    /**
     * Make a step from the types of its input and output and a lambda.
     *
     * @param id letters, digits, {@code _} and {@code -}; at most 64; unique within a workflow
     * @throws ConfigurationException if the id is not valid, or no schema can be built from a type
     */
    public static <I, O> Step<I, O> of(String id, Class<I> input, Class<O> output, StepHandler<I, O> handler) {
        return builder(id, input, output).handler(handler).build();
    }

    /** Make a step from types with type arguments; see {@link #of(String, Class, Class, StepHandler)}. */
    public static <I, O> Step<I, O> of(String id, JsonType<I> input, JsonType<O> output, StepHandler<I, O> handler) {
        return builder(id, input, output).handler(handler).build();
    }

    /**
     * Make a step from schemas; see {@link #of(String, Class, Class, StepHandler)}.
     *
     * @throws ConfigurationException if the id or a schema is not valid
     */
    public static Step<Json, Json> of(String id, JsonSchema input, JsonSchema output, StepHandler<Json, Json> handler) {
        return builder(id, input, output).handler(handler).build();
    }

    /** Make a step that calls a tool with any JSON; see {@link #tool(Tool, Class, Class)}. */
    public static Step<Json, Json> tool(Tool tool) {
        return StepBuilder.ofTool(tool);
    }

    /**
     * Make a step that calls a tool, with the name of the tool as its id. Its input is the arguments. The tool's own schemas, time limit,
     * repeatability, approval and questions hold. Hooks of tool calls, limits of a model's calls and {@link Tool#interruption} do not
     * apply, since no model makes the call; {@code requireToolApproval} of the run does.
     *
     * @throws ConfigurationException if the types cannot fit the schemas of the tool
     */
    public static <I, O> Step<I, O> tool(Tool tool, Class<I> input, Class<O> output) {
        return StepBuilder.ofTool(tool, input, output);
    }

    /** Make a step that calls a tool, from types with type arguments; see {@link #tool(Tool, Class, Class)}. */
    public static <I, O> Step<I, O> tool(Tool tool, JsonType<I> input, JsonType<O> output) {
        return StepBuilder.ofTool(tool, input, output);
    }

    /** Make a step that scores its input, a text; see {@link #scorer(String, Scorer, Class, WorkflowFunction)}. */
    public static Step<String, Scored> scorer(String id, Scorer scorer) {
        return scorer(id, scorer, String.class, (text, context) -> text);
    }

    /**
     * Make a step that scores a text, and is repeatable. A low score is a result: {@link Scored#passed} says what it is. A scorer that
     * throws, or gives no score from 0 to 1, fails the attempt. It sees the input of the run as its task, and neither steps nor
     * messages. Tokens of a judge are on the account of the run.
     *
     * @param text makes the text of the input
     */
    public static <I> Step<I, Scored> scorer(
            String id, Scorer scorer, Class<I> input, WorkflowFunction<I, String> text) {
        Rules.given(where(id), "the scorer", scorer);
        return builder(id, input, Scored.class)
                .by(
                        new StepBuilder.Work.Scoring(scorer),
                        Rules.given(where(id), "the function that makes the text", text)::apply)
                .build()
                .repeatable();
    }

    /** Start a step whose handler is set later; see {@link #of(String, Class, Class, StepHandler)}. */
    public static <I, O> StepBuilder<I, O> builder(String id, Class<I> input, Class<O> output) {
        return new StepBuilder<>(id, Form.of(where(id), "input", input), Form.of(where(id), "output", output));
    }

    /** Start a step with types that have type arguments. */
    public static <I, O> StepBuilder<I, O> builder(String id, JsonType<I> input, JsonType<O> output) {
        return new StepBuilder<>(id, Form.of(where(id), "input", input), Form.of(where(id), "output", output));
    }

    /** Start a step from schemas. */
    public static StepBuilder<Json, Json> builder(String id, JsonSchema input, JsonSchema output) {
        return new StepBuilder<>(id, Form.of(where(id), "input", input), Form.of(where(id), "output", output));
    }

    static String where(String id) {
        return "Step '" + Rules.id("Step", id) + "'";
    }

    /** Return its id, unique within a workflow. */
    public String id() {
        return id;
    }

    /** Return the schema of its input. */
    public JsonSchema input() {
        return input.schema();
    }

    /** Return the schema of its output. */
    public JsonSchema output() {
        return output.schema();
    }

    /** Return whether a call that a crash interrupted is executed again with the same idempotency key. */
    public boolean isRepeatable() {
        return settings.repeatable();
    }

    /** Return its own time limit for an attempt, if it has one; else {@link dev.chargehand.run.TimeLimit#TOOL} holds. */
    public Optional<Duration> timeout() {
        return Optional.ofNullable(settings.timeout());
    }

    /** Return the schema of the question with which it may suspend; empty if any value will do. */
    public Optional<JsonSchema> question() {
        return Optional.ofNullable(settings.question());
    }

    /** Return the schema of the data that it is resumed with; empty if any value will do. */
    public Optional<JsonSchema> answer() {
        return Optional.ofNullable(settings.answer());
    }

    /** Return whether a call that a crash interrupted fails the run; it is asked only if the step is not repeatable. */
    public boolean failsIfInterrupted() {
        return settings.failsIfInterrupted();
    }

    /** Return whether a failure has an output: there is a fallback, or the step is optional. */
    public boolean recovers() {
        return fallback != null;
    }

    /** Return how often a failed attempt is followed by another one. */
    public int retries() {
        return settings.retries();
    }

    /** Return the waits between attempts. */
    public Backoff backoff() {
        return settings.backoff();
    }

    /** Return what does its work in a run of its own; empty if a function does it. */
    public Optional<Delegate> delegate() {
        return settings.work() instanceof StepBuilder.Work.Nested nested
                ? Optional.of(nested.delegate())
                : Optional.empty();
    }

    /** Return the tool that it calls; empty if something else does its work. */
    public Optional<Tool> tool() {
        return settings.work() instanceof StepBuilder.Work.ToolCall call ? Optional.of(call.tool()) : Optional.empty();
    }

    /** Return the scorer that it calls; empty if something else does its work. */
    public Optional<Scorer> scorer() {
        return settings.work() instanceof StepBuilder.Work.Scoring scoring
                ? Optional.of(scoring.scorer())
                : Optional.empty();
    }

    /** Return this step with another id, as a workflow needs that uses it twice. */
    @CheckReturnValue
    public Step<I, O> withId(String other) {
        return new Step<>(Rules.id("Step", other), input, output, handler, settings, fallback);
    }

    /**
     * Return this step, with a call that a crash interrupted executed again with the same idempotency key.
     *
     * @throws ConfigurationException if an agent or a workflow does its work, whose run continues after a crash
     */
    @CheckReturnValue
    public Step<I, O> repeatable() {
        requireFunction("repeatable", "its run continues after a crash; leave it out");
        return with(settings.withRepeatable());
    }

    /**
     * Return this step with further attempts after one that threw or took too long.
     *
     * @param count how many at most, from 0, the default, to 100
     * @throws ConfigurationException if the count is out of these bounds
     */
    @CheckReturnValue
    public Step<I, O> retries(int count, Backoff backoff) {
        Rules.between(where(id) + ": the number of retries", 0, MOST_RETRIES, count);
        Rules.given(where(id), "the backoff", backoff);
        return with(settings.withRetries(count, backoff));
    }

    /**
     * Return this step with a time limit of its own for each attempt.
     *
     * @throws ConfigurationException if it is not above zero, or if an agent or a workflow does the work of the step
     */
    @CheckReturnValue
    public Step<I, O> timeout(Duration limit) {
        requireFunction("timeout", "its run has the limits of a run; use timeLimit(TimeLimit.RUN, ...) of the options");
        Duration given = Rules.given(where(id), "the time limit", limit);
        return with(settings.withTimeout(
                TimeBound.aboveZero(where(id) + ": the time limit", given, ConfigurationException::new)));
    }

    /**
     * Return this step with the types of the question with which it may {@link WorkflowContext#suspend suspend} and of
     * the data that answers it. Without them, any value will do for both.
     *
     * @throws ConfigurationException if no schema can be built from a type, or if no function does the work of the step
     */
    @CheckReturnValue
    public Step<I, O> suspends(Class<?> question, Class<?> answer) {
        requireFunction("suspends", "it asks by itself; leave it out");
        if (settings.work() != StepBuilder.Work.FUNCTION) {
            throw new ConfigurationException(where(id) + ": suspends is for functions; a tool declares the types of its"
                    + " question and of the data itself, and a scorer asks nothing. Leave it out.");
        }
        JsonSchema payload = JsonSchema.of(question);
        return with(
                settings.asking(payload, Form.of(where(id), "answer", answer).schema()));
    }

    /**
     * Return this step, with a call that a crash interrupted failing the run with {@code outcome-unknown}; by default, it waits up to
     * 7 days for a human, as a {@link dev.chargehand.approval.PendingApproval.Kind#INTERRUPTED}.
     */
    @CheckReturnValue
    public Step<I, O> failIfInterrupted() {
        requireFunction("failIfInterrupted", "its run continues after a crash; leave it out");
        return with(settings.withFailureIfInterrupted());
    }

    private void requireFunction(String method, String reason) {
        if (settings.work() instanceof StepBuilder.Work.Nested nested) {
            throw new ConfigurationException(where(id) + ": " + method + " is for functions; '"
                    + nested.delegate().id() + "' does the work of the step, and " + reason + ".");
        }
    }

    /**
     * Return this step with an output of its own instead of a failure after the retries.
     *
     * @throws ConfigurationException if it has a fallback or is optional
     */
    @CheckReturnValue
    public Step<I, O> fallback(Fallback<? super I, ? extends O> value) {
        Rules.given(where(id), "the fallback", value);
        return recovering(output, (json, error, context) -> value.recover(input.read(json), error, context));
    }

    /** Return this step with an empty output, in JSON null, instead of a failure; it throws as {@link #fallback} does. */
    @CheckReturnValue
    public Step<I, Optional<O>> optional() {
        return recovering(output.optional(), (json, error, context) -> null);
    }

    Step<I, O> with(StepBuilder.Settings other) {
        return new Step<>(id, input, output, handler, other, fallback);
    }

    private <R> Step<I, R> recovering(Form<R> result, Fallback<Json, Object> recovery) {
        if (fallback != null) {
            throw new ConfigurationException(
                    where(id) + " has a fallback or is optional; a failure has one output, so set only one of them.");
        }
        return new Step<>(id, input, result, handler, settings, recovery);
    }

    /**
     * Execute the handler; of a step with a delegate, a tool or a scorer, make what that gets.
     *
     * @param value the input, which fits the schema
     * @return the output, which may break its schema; of one with more than 8,388,608 characters only the start
     * @throws dev.chargehand.error.InvalidJsonException if the input does not fit its type, or the output has no JSON
     *     form
     * @throws Exception as the handler does
     */
    public Json call(Json value, WorkflowContext context) throws Exception {
        return Form.write(handler.handle(value, context));
    }

    /**
     * Make the output of a failure; empty if a failure has none.
     *
     * @param value the input
     * @param error the message of the failure
     * @throws Exception as the fallback does, and like {@link #call}
     */
    public Optional<Json> recover(Json value, String error, WorkflowContext context) throws Exception {
        return fallback == null ? Optional.empty() : Optional.of(Form.write(fallback.recover(value, error, context)));
    }

    /**
     * Read an output; empty if it is null and null is not a value of the type.
     *
     * @throws dev.chargehand.error.InvalidJsonException if it does not fit the type
     */
    public Optional<O> read(Json value) {
        return output.find(value);
    }

    StepBuilder.Settings settings() {
        return settings;
    }

    Form<I> inputForm() {
        return input;
    }

    Form<O> outputForm() {
        return output;
    }

    @Override
    public String toString() {
        return "Step[" + id + "]";
    }
}
