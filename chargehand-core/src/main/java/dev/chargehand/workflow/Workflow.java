package dev.chargehand.workflow;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.json.JsonType;
import dev.chargehand.model.ModelChoice;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Steps that run in an order which is known before the run.
 *
 * <pre>{@code
 * Workflow<Order, Receipt> ordering = Workflow.from("ordering", Order.class)
 *         .description("Checks, prices and pays an order.")
 *         .then(check)
 *         .parallel(reserve, price)
 *         .map("join", Quote.class, (out, ctx) -> new Quote(out.get(reserve), out.get(price)))
 *         .branch(Branch.when("large", (quote, ctx) -> quote.total() > 1_000, askHuman).otherwise(payDirect))
 *         .build(Receipt.class);
 * }</pre>
 *
 * <p>Immutable and thread-safe; one workflow serves any number of runs at once.
 *
 * @param <I> the type of the input
 * @param <O> the type of the output
 */
public final class Workflow<I, O> implements Delegate {

    private final String id;
    private final String name;
    private final String description;
    private final String version;
    private final Form<I> input;
    private final Form<O> output;
    private final @Nullable JsonSchema state;
    private final Json initialState;
    private final List<Entry> entries;
    private final boolean sharesState;

    Workflow(WorkflowBuilder<I, ?> builder, Form<O> output) {
        this.id = builder.id;
        this.name = builder.name;
        this.description = builder.description;
        this.version = builder.version;
        this.input = builder.input;
        this.output = output;
        this.state = builder.state;
        this.initialState = builder.initialState;
        this.entries = List.copyOf(builder.entries);
        this.sharesState = false;
    }

    /** Copy a workflow with other entries of the same shape, and perhaps the state of the one above it. */
    private Workflow(Workflow<I, O> from, List<Entry> entries, boolean sharesState) {
        this.id = from.id;
        this.name = from.name;
        this.description = from.description;
        this.version = from.version;
        this.input = from.input;
        this.output = from.output;
        this.state = from.state;
        this.initialState = from.initialState;
        this.entries = List.copyOf(entries);
        this.sharesState = sharesState;
    }

    /**
     * Start the definition of a workflow with the type of its input.
     *
     * @param id letters, digits, {@code _} and {@code -}; at most 64
     * @throws ConfigurationException if the id is not valid, or no schema can be built from the type
     */
    public static <I> WorkflowBuilder<I, I> from(String id, Class<I> input) {
        return WorkflowBuilder.start(id, Form.of(where(id), "input", input));
    }

    /** Start the definition of a workflow whose input's type has type arguments; see {@link #from(String, Class)}. */
    public static <I> WorkflowBuilder<I, I> from(String id, JsonType<I> input) {
        return WorkflowBuilder.start(id, Form.of(where(id), "input", input));
    }

    /**
     * Start the definition of a workflow whose input is JSON that fits a schema.
     *
     * @throws ConfigurationException if the id or the schema is not valid
     */
    public static WorkflowBuilder<Json, Json> from(String id, JsonSchema input) {
        return WorkflowBuilder.start(id, Form.of(where(id), "input", input));
    }

    static String where(String id) {
        return "Workflow '" + Rules.id("Workflow", id) + "'";
    }

    /**
     * Return a step of another workflow that executes this one, in a run of its own with its own state; the step has the
     * workflow's id. {@link WorkflowBuilder#then(Workflow)} is the short form.
     */
    @CheckReturnValue
    public Step<I, O> asStep() {
        return new StepBuilder<>(id, input, output)
                .delegate(this, (value, context) -> value)
                .build();
    }

    /**
     * Return this workflow, sharing the state of a workflow of which it is a step: its run starts with that state, and at its end, if it
     * has an output, its changes are made there, in one step. Elsewhere this changes nothing.
     */
    @CheckReturnValue
    public Workflow<I, O> sharingState() {
        return new Workflow<>(this, entries, true);
    }

    /**
     * Return a copy of this workflow in which the agents of its steps and of nested workflows, and the descendants of these, use other
     * models; a test runs a workflow this way without the models that its agents were built for.
     *
     * @param models returns the models of an agent, by its id; empty to keep its own
     */
    @Override
    @CheckReturnValue
    public Workflow<I, O> withModels(Function<String, Optional<ModelChoice>> models) {
        return new Workflow<>(this, new StepModels(models).of(entries), sharesState);
    }

    /** Return whether it shares the state of a workflow of which it is a step. */
    public boolean sharesState() {
        return sharesState;
    }

    /** Return its id. */
    @Override
    public String id() {
        return id;
    }

    /** Return its name for people; default its id. */
    public String name() {
        return name;
    }

    /** Return what it does, for models and people; empty if it has no description. */
    public String description() {
        return description;
    }

    /** Return its version; default {@code 1}. */
    public String version() {
        return version;
    }

    /** Return the schema of its input. */
    public JsonSchema input() {
        return input.schema();
    }

    /** Return the schema of its output. */
    public JsonSchema output() {
        return output.schema();
    }

    /** Return the schema of the state that its steps share, if it declares one. */
    public Optional<JsonSchema> state() {
        return Optional.ofNullable(state);
    }

    /** Return the state that a run starts with; default an empty object. */
    public Json initialState() {
        return initialState;
    }

    /** Return its entries in order, at least one. */
    public List<Entry> entries() {
        return entries;
    }

    /** Return a step by its id, if it has it. */
    public Optional<Step<?, ?>> step(String stepId) {
        return entries.stream()
                .flatMap(entry -> entry.steps().stream())
                .filter(step -> step.id().equals(stepId))
                .findFirst();
    }

    /**
     * Write an input as JSON.
     *
     * @throws dev.chargehand.error.InvalidJsonException if it has no JSON form
     */
    public Json write(I value) {
        return Form.write(value);
    }

    /**
     * Read an output.
     *
     * @throws dev.chargehand.error.InvalidJsonException if it does not fit the type
     */
    public O read(Json value) {
        return output.read(value);
    }

    /**
     * Return the shape of the definition: the kind, id and steps of each entry, such as {@code parallel parallel-1:
     * reserve, price}. A run that was started with one definition and resumes with another is checked by it.
     */
    public List<String> shape() {
        return entries.stream().map(Workflow::shape).toList();
    }

    private static String shape(Entry entry) {
        String steps = entry.steps().stream().map(Step::id).collect(Collectors.joining(", "));
        return entry.kind() + " " + entry.id() + (steps.isEmpty() ? "" : ": " + steps);
    }

    @Override
    public String toString() {
        return "Workflow[" + id + ", version " + version + "]";
    }
}
