package dev.chargehand.workflow;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.json.JsonType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A builder of a workflow. Each method returns a new builder and leaves this one as it is, so a common start can have
 * several ends. The output of each entry is the input of the next one.
 *
 * <p>Every id is used once in a workflow, by an entry or a step; an entry with one step may have the step's id. Each
 * method throws {@link ConfigurationException} for an id that is not valid or that another entry or step has, and for
 * steps whose schema the value before them cannot fit.
 *
 * <p>Not thread-safe.
 *
 * @param <I> the type of the workflow's input
 * @param <T> the type of the value after the last entry
 */
@CheckReturnValue
public final class WorkflowBuilder<I, T> {

    private static final int LONGEST_VERSION = 64;

    final String id;
    final Form<I> input;
    final List<Entry> entries;
    String name;
    String description = "";
    String version = "1";

    @Nullable
    JsonSchema state;

    Json initialState = Json.of(Map.of());
    private final Form<T> current;

    private WorkflowBuilder(String id, Form<I> input, Form<T> current) {
        this.id = id;
        this.input = input;
        this.entries = List.of();
        this.name = id;
        this.current = current;
    }

    static <I> WorkflowBuilder<I, I> start(String id, Form<I> input) {
        return new WorkflowBuilder<>(id, input, input);
    }

    private WorkflowBuilder(WorkflowBuilder<I, ?> from, List<Entry> entries, Form<T> current) {
        this.id = from.id;
        this.input = from.input;
        this.entries = List.copyOf(entries);
        this.name = from.name;
        this.description = from.description;
        this.version = from.version;
        this.state = from.state;
        this.initialState = from.initialState;
        this.current = current;
    }

    /** Set what the workflow does, for models and people; required of a workflow that is a tool. */
    public WorkflowBuilder<I, T> description(String value) {
        WorkflowBuilder<I, T> copy = copy();
        copy.description = text("description", value, Integer.MAX_VALUE);
        return copy;
    }

    /** Set the version of the definition, at most 64 characters; default {@code 1}. A run keeps its version. */
    public WorkflowBuilder<I, T> version(String value) {
        WorkflowBuilder<I, T> copy = copy();
        copy.version = text("version", value, LONGEST_VERSION);
        return copy;
    }

    /** Set the name for people; default the id. */
    public WorkflowBuilder<I, T> name(String value) {
        WorkflowBuilder<I, T> copy = copy();
        copy.name = text("name", value, Integer.MAX_VALUE);
        return copy;
    }

    /**
     * Declare the type of the state that the steps share. A run starts with an empty object.
     *
     * @throws ConfigurationException if an empty object does not fit the type, or no JSON value can be read as it
     */
    public WorkflowBuilder<I, T> state(Class<?> type) {
        return state(Form.of(where(), "state", type).schema(), Json.of(Map.of()));
    }

    /** Declare the type of the state that the steps share, and the state that a run starts with. */
    public <S> WorkflowBuilder<I, T> state(Class<S> type, S initial) {
        return state(Form.of(where(), "state", type).schema(), Json.of(initial));
    }

    /** Declare the schema of the state that the steps share, and the state that a run starts with. */
    public WorkflowBuilder<I, T> state(JsonSchema schema, Json initial) {
        Rules.requireState(where(), schema, initial);
        WorkflowBuilder<I, T> copy = copy();
        copy.state = schema;
        copy.initialState = initial;
        return copy;
    }

    /** Call a step. */
    public <O> WorkflowBuilder<I, O> then(Step<? super T, O> step) {
        return with(new Entry.Then(given("then", step)), step.outputForm());
    }

    /** Execute another workflow as a step, which has its id; see {@link Workflow#asStep}. */
    public <O> WorkflowBuilder<I, O> then(Workflow<? super T, O> nested) {
        return then(given("then", nested).asStep());
    }

    /** Make the value that the next entry takes with a function, which has no effects. */
    public <R> WorkflowBuilder<I, R> map(
            String entryId, Class<R> type, WorkflowFunction<? super T, ? extends @Nullable R> function) {
        return map(entryId, Form.of(where(), "the type of a map", type), function);
    }

    /** Make the value that the next entry takes with a function, which has no effects. */
    public <R> WorkflowBuilder<I, R> map(
            String entryId, JsonType<R> type, WorkflowFunction<? super T, ? extends @Nullable R> function) {
        return map(entryId, Form.of(where(), "the type of a map", type), function);
    }

    private <R> WorkflowBuilder<I, R> map(
            String entryId, Form<R> output, WorkflowFunction<? super T, ? extends @Nullable R> function) {
        Rules.given(where(), "an argument of map", function);
        Form<T> from = current;
        return with(
                new Entry.Mapping(entryId, (json, context) -> Form.write(function.apply(from.read(json), context))),
                output);
    }

    /** Call steps concurrently with the same input; the entry's id is {@code parallel-<n>}, counted from 1. */
    @SafeVarargs
    public final WorkflowBuilder<I, Outputs> parallel(Step<? super T, ?>... steps) {
        return parallel(nextId("parallel"), steps);
    }

    /** Call steps concurrently with the same input. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final WorkflowBuilder<I, Outputs> parallel(String entryId, Step<? super T, ?>... steps) {
        return with(
                new Entry.Parallel(entryId, someOf("parallel", Arrays.asList(steps)), Entry.Failure.FINISH_SIBLINGS),
                Form.outputs());
    }

    /**
     * Call the step of the first case whose condition is true; the entry's id is {@code branch-<n>}, counted from 1.
     */
    public <R> WorkflowBuilder<I, R> branch(Branch<? super T, R> branch) {
        return branch(nextId("branch"), branch);
    }

    /** Call the step of the first case whose condition is true. */
    public <R> WorkflowBuilder<I, R> branch(String entryId, Branch<? super T, R> branch) {
        Form<R> output = given("branch", branch).output();
        Rules.requireUniqueNames(where(), branch.cases());
        if (branch.otherwise() == null && !output.schema().equals(current.schema())) {
            throw new ConfigurationException(where() + ": entry '" + entryId + "' passes its input on if no condition"
                    + " is true, so its steps must return the type that they take. Use otherwise(step) instead.");
        }
        return with(new Entry.Branch(entryId, branch.cases(), branch.otherwise()), output);
    }

    /**
     * Call the steps of all cases whose condition is true, concurrently; if none is true, the outputs are empty. The
     * entry's id is {@code branch-all-<n>}, counted from 1.
     */
    @SafeVarargs
    public final WorkflowBuilder<I, Outputs> branchAll(Branch.Cases<? super T, ?>... cases) {
        return branchAll(nextId("branch-all"), cases);
    }

    /** Call the steps of all cases whose condition is true, concurrently; if none is true, the outputs are empty. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final WorkflowBuilder<I, Outputs> branchAll(String entryId, Branch.Cases<? super T, ?>... cases) {
        List<Entry.Case> all = someOf("branchAll", Arrays.asList(cases)).stream()
                .flatMap(each -> each.all().stream())
                .toList();
        Rules.requireUniqueNames(where(), all);
        return with(new Entry.BranchAll(entryId, all, Entry.Failure.FINISH_SIBLINGS), Form.outputs());
    }

    /** Call a step, and again with its output while a condition is true of it. */
    public WorkflowBuilder<I, T> doWhile(Step<T, T> step, Condition<? super T> condition, Repeat repeat) {
        return loop("doWhile", step, condition, false, repeat);
    }

    /** Call a step, and again with its output until a condition is true of it. */
    public WorkflowBuilder<I, T> doUntil(Step<T, T> step, Condition<? super T> condition, Repeat repeat) {
        return loop("doUntil", step, condition, true, repeat);
    }

    private WorkflowBuilder<I, T> loop(
            String method, Step<T, T> step, Condition<? super T> condition, boolean until, Repeat repeat) {
        Form<T> output = given(method, step).outputForm();
        Rules.given(where(), "an argument of " + method, condition);
        Rules.requireFit(where(), "the output of step '" + step.id() + "'", step.output(), step);
        return with(
                new Entry.Loop(
                        step,
                        (json, context) -> condition.test(output.read(json), context),
                        until,
                        given(method, repeat).most()),
                output);
    }

    /** Call a step for each item, one after the other; the entry has the step's id. */
    public <E, R> WorkflowBuilder<I, List<R>> foreach(
            WorkflowFunction<? super T, ? extends List<? extends E>> items, Step<E, R> step) {
        return foreach(given("foreach", step).id(), items, step, Each.concurrency(1));
    }

    /** Call a step for each item; the output is the list of their outputs. */
    public <E, R> WorkflowBuilder<I, List<R>> foreach(
            String entryId,
            WorkflowFunction<? super T, ? extends List<? extends E>> items,
            Step<E, R> step,
            Each each) {
        int concurrency = given("foreach", each).concurrency();
        return foreach(
                entryId,
                items,
                step,
                concurrency,
                false,
                given("foreach", step).outputForm().list());
    }

    /** Call a step for each item; the output is the list of their outcomes. */
    public <E, R> WorkflowBuilder<I, List<Outcome<R>>> foreach(
            String entryId,
            WorkflowFunction<? super T, ? extends List<? extends E>> items,
            Step<E, R> step,
            Each.Collecting each) {
        int concurrency = given("foreach", each).concurrency();
        Form<List<Outcome<R>>> output =
                given("foreach", step).outputForm().outcome().list();
        return foreach(entryId, items, step, concurrency, true, output);
    }

    private <E, R> WorkflowBuilder<I, R> foreach(
            String entryId,
            WorkflowFunction<? super T, ? extends List<? extends E>> items,
            Step<E, ?> step,
            int concurrency,
            boolean collect,
            Form<R> output) {
        Rules.given(where(), "an argument of foreach", items);
        String missing = where() + ": the items of entry '" + entryId + "' are null; return an empty list instead.";
        Form<T> from = current;
        return with(
                new Entry.Foreach(
                        entryId,
                        (json, context) ->
                                Objects.requireNonNull(items.apply(from.read(json), context), missing).stream()
                                        .map(Form::write)
                                        .toList(),
                        step,
                        concurrency,
                        collect,
                        Entry.Failure.FINISH_SIBLINGS),
                output);
    }

    /**
     * Set what the failure of a call of the last entry, a parallel, branchAll or foreach, means for its other calls. Default: {@link
     * Entry.Failure#FINISH_SIBLINGS}.
     *
     * @throws ConfigurationException if the last entry is another one, or collects outcomes
     */
    public WorkflowBuilder<I, T> onFailure(Entry.Failure failure) {
        List<Entry> changed = new ArrayList<>(entries);
        changed.set(entries.size() - 1, Rules.withFailure(where(), entries, given("onFailure", failure)));
        return new WorkflowBuilder<>(this, changed, current);
    }

    /**
     * Wait; the value passes through. The run waits in its store, and {@link dev.chargehand.Wakeups} or {@code advance} continues it.
     *
     * @param duration above zero, at most 366 days
     * @throws ConfigurationException if it is out of these bounds
     */
    public WorkflowBuilder<I, T> sleep(String entryId, Duration duration) {
        Rules.requireSleep(where() + ": the duration of entry '" + entryId + "'", given("sleep", duration));
        return with(new Entry.Sleep(entryId, duration, null), current);
    }

    /**
     * Wait until a time; the value passes through. A time that is over is not waited for; one that is more than 366 days away
     * fails the run.
     */
    public WorkflowBuilder<I, T> sleepUntil(String entryId, WorkflowFunction<? super T, Instant> time) {
        Form<T> from = current;
        WorkflowFunction<? super T, Instant> until = given("sleepUntil", time);
        String missing = where() + ": the time of entry '" + entryId + "' is null; return the time to wait for.";
        return with(
                new Entry.Sleep(
                        entryId,
                        null,
                        (json, context) -> Objects.requireNonNull(until.apply(from.read(json), context), missing)),
                current);
    }

    /**
     * Make the workflow, whose output is the output of its last entry.
     *
     * @param output the type of that output
     * @throws ConfigurationException if it has no entries
     */
    public Workflow<I, T> build(Class<T> output) {
        return build(Form.of(where(), "output", output));
    }

    /** Make the workflow, with an output whose type has type arguments; see {@link #build(Class)}. */
    public Workflow<I, T> build(JsonType<T> output) {
        return build(Form.of(where(), "output", output));
    }

    /** Make the workflow, with an output that is JSON that fits a schema; see {@link #build(Class)}. */
    public Workflow<I, Json> build(JsonSchema output) {
        return build(Form.of(where(), "output", output));
    }

    private <O> Workflow<I, O> build(Form<O> output) {
        if (entries.isEmpty()) {
            throw new ConfigurationException(where() + " has no entries; add at least one, such as then(step).");
        }
        return new Workflow<>(this, output);
    }

    private <R> WorkflowBuilder<I, R> with(Entry entry, Form<R> output) {
        List<Entry> more = new ArrayList<>(entries);
        more.add(entry);
        Rules.requireUniqueIds(where(), more);
        if (!(entry instanceof Entry.Foreach)) {
            entry.steps().forEach(step -> Rules.requireFit(where(), origin(), current.schema(), step));
        }
        return new WorkflowBuilder<>(this, more, output);
    }

    private String origin() {
        return entries.isEmpty()
                ? "the input of the workflow"
                : "the output of entry '" + entries.getLast().id() + "'";
    }

    private String nextId(String kind) {
        return kind + "-"
                + (1 + entries.stream().filter(each -> each.kind().equals(kind)).count());
    }

    private <V> V given(String method, @Nullable V value) {
        return Rules.given(where(), "an argument of " + method, value);
    }

    private <V> List<V> someOf(String method, List<V> values) {
        if (values.isEmpty()) {
            throw new ConfigurationException(where() + ": " + method + " needs at least one step.");
        }
        return values.stream().map(each -> given(method, each)).toList();
    }

    private String text(String what, @Nullable String value, int most) {
        if (value == null || value.isBlank() || value.length() > most) {
            throw new ConfigurationException(where() + ": the " + what + " must not be blank"
                    + (most == Integer.MAX_VALUE ? "" : " or longer than " + most + " characters") + ".");
        }
        return value;
    }

    private WorkflowBuilder<I, T> copy() {
        return new WorkflowBuilder<>(this, entries, current);
    }

    private String where() {
        return Workflow.where(id);
    }
}
