package dev.chargehand.workflow;

import dev.chargehand.completion.Scorer;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.json.JsonType;
import dev.chargehand.tool.Tool;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A builder of a step with its handler last. Not thread-safe.
 *
 * @param <I> the type of the input
 * @param <O> the type of the output
 */
public final class StepBuilder<I, O> {

    private static final StepHandler<Json, Object> NO_HANDLER = (input, context) -> input;

    private final String id;
    private final Form<I> input;
    private final Form<O> output;
    private StepHandler<Json, Object> handler = NO_HANDLER;
    private Settings settings = Settings.DEFAULT;

    StepBuilder(String id, Form<I> input, Form<O> output) {
        this.id = id;
        this.input = input;
        this.output = output;
    }

    /** Make a step that calls a tool; each type is that of the JSON. */
    static Step<Json, Json> ofTool(@Nullable Tool tool) {
        Tool given = Rules.given("A step", "its tool", tool);
        Form<Json> any = Form.of(Step.where(given.name()), "output", Json.class);
        return new StepBuilder<>(
                        given.name(),
                        any.with(given.input()),
                        given.output().map(any::with).orElse(any))
                .calling(given);
    }

    static <I, O> Step<I, O> ofTool(@Nullable Tool tool, Class<I> input, Class<O> output) {
        return ofTool(tool, where -> Form.of(where, "input", input), where -> Form.of(where, "output", output));
    }

    static <I, O> Step<I, O> ofTool(@Nullable Tool tool, JsonType<I> input, JsonType<O> output) {
        return ofTool(tool, where -> Form.of(where, "input", input), where -> Form.of(where, "output", output));
    }

    /** The schema of the input is that of the tool, which gets the JSON as it is. */
    private static <I, O> Step<I, O> ofTool(
            @Nullable Tool tool, Function<String, Form<I>> inputs, Function<String, Form<O>> outputs) {
        Tool given = Rules.given("A step", "its tool", tool);
        String where = Step.where(given.name());
        Form<I> input = inputs.apply(where);
        Form<O> output = outputs.apply(where);
        requireFit(where + ": the type of its input", input.schema(), "the arguments of the tool", given.input());
        given.output()
                .ifPresent(declared ->
                        requireFit(where + ": the result of the tool", declared, "the output", output.schema()));
        return new StepBuilder<>(given.name(), input.with(given.input()), output).calling(given);
    }

    private static void requireFit(String what, JsonSchema given, String as, JsonSchema taken) {
        String mismatch = Form.mismatch(given, taken);
        if (mismatch != null) {
            throw new ConfigurationException(what + " cannot be " + as + ", because it " + mismatch
                    + ". Change the type, or use Step.tool(tool) with maps around it.");
        }
    }

    /** The settings of the tool become those of the step. */
    private Step<I, O> calling(Tool tool) {
        settings = settings.withWork(new Work.ToolCall(tool))
                .asking(tool.suspendPayload().orElse(null), tool.providedData().orElse(null));
        if (tool.repeatable()) {
            settings = settings.withRepeatable();
        }
        if (tool.timeout().isPresent()) {
            settings = settings.withTimeout(tool.timeout().get());
        }
        handler = (json, context) -> json;
        return build();
    }

    /**
     * Have an agent or a workflow do the work, as {@code Agent.asStep} and {@link Workflow#asStep} do.
     *
     * @param function makes the input of its run, without effects: the prompt of an agent
     */
    public StepBuilder<I, O> delegate(Delegate delegate, WorkflowFunction<I, ?> function) {
        Rules.given(Step.where(id), "the delegate", delegate);
        Rules.given(Step.where(id), "the function that makes its input", function);
        settings = Settings.DEFAULT;
        return by(new Work.Nested(delegate), function::apply);
    }

    /** Set the types of its question and of the answer; see {@link Step#suspends}. */
    public StepBuilder<I, O> suspends(Class<?> question, Class<?> answer) {
        settings = new Step<>(id, input, output, handler, settings, null)
                .suspends(question, answer)
                .settings();
        return this;
    }

    /** Set the schemas of its question and of the answer; see {@link Step#suspends}. */
    public StepBuilder<I, O> suspends(JsonSchema question, JsonSchema answer) {
        String where = Step.where(id);
        settings = settings.asking(
                Form.of(where, "question", question).schema(),
                Form.of(where, "answer", answer).schema());
        return this;
    }

    /** Set what does the work. */
    public StepBuilder<I, O> handler(StepHandler<I, O> value) {
        return by(settings.work(), Rules.given(Step.where(id), "the handler", value));
    }

    /** Set what does the work, and the function that does it or prepares it. */
    StepBuilder<I, O> by(Work work, StepHandler<I, ?> function) {
        settings = settings.withWork(work);
        handler = (json, context) -> function.handle(input.read(json), context);
        return this;
    }

    /**
     * Make the step.
     *
     * @throws ConfigurationException if there is no handler
     */
    public Step<I, O> build() {
        if (handler == NO_HANDLER) {
            throw new ConfigurationException(Step.where(id) + " needs a handler.");
        }
        return new Step<>(id, input, output, handler, settings, null);
    }

    /**
     * How a step is executed. Immutable.
     *
     * @param timeout the limit of an attempt, or null for that of tools
     * @param question the schema of what it may ask, or null for any
     * @param answer the schema of the data that answers it, or null for any
     * @param work what does the work
     */
    record Settings(
            boolean repeatable,
            int retries,
            Backoff backoff,
            @Nullable Duration timeout,
            @Nullable JsonSchema question,
            @Nullable JsonSchema answer,
            boolean failsIfInterrupted,
            Work work) {

        static final Settings DEFAULT = new Settings(
                false, 0, Backoff.exponential(Duration.ofSeconds(1)), null, null, null, false, Work.FUNCTION);

        Settings withRepeatable() {
            return new Settings(true, retries, backoff, timeout, question, answer, failsIfInterrupted, work);
        }

        Settings withRetries(int count, Backoff waits) {
            return new Settings(repeatable, count, waits, timeout, question, answer, failsIfInterrupted, work);
        }

        Settings withTimeout(Duration limit) {
            return new Settings(repeatable, retries, backoff, limit, question, answer, failsIfInterrupted, work);
        }

        Settings withFailureIfInterrupted() {
            return new Settings(repeatable, retries, backoff, timeout, question, answer, true, work);
        }

        Settings withWork(Work value) {
            return new Settings(repeatable, retries, backoff, timeout, question, answer, failsIfInterrupted, value);
        }

        /** Return settings with the schemas of the question and of the answer, which may be any. */
        Settings asking(@Nullable JsonSchema payload, @Nullable JsonSchema data) {
            return new Settings(repeatable, retries, backoff, timeout, payload, data, failsIfInterrupted, work);
        }
    }

    /** What does the work of a step. Immutable. */
    sealed interface Work {

        /** The handler does it. */
        Work FUNCTION = new ByHandler();

        /** The handler does it. */
        record ByHandler() implements Work {}

        /** A nested run does it, whose input the handler makes. */
        record Nested(Delegate delegate) implements Work {}

        /** A tool does it, whose arguments the handler makes. */
        record ToolCall(Tool tool) implements Work {}

        /** A scorer does it, for which the handler makes the text. */
        record Scoring(Scorer scorer) implements Work {}
    }
}
