package dev.chargehand.workflow;

import dev.chargehand.annotation.CheckReturnValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cases of a branch, complete with the step that runs if none of them does.
 *
 * <pre>{@code
 * Branch.when("large", (quote, ctx) -> quote.total() > 1_000, askHuman).otherwise(payDirect)
 * }</pre>
 *
 * <p>Immutable and thread-safe.
 *
 * @param <T> the type of the input
 * @param <R> the type of the output
 */
public final class Branch<T, R> {

    private final List<Entry.Case> cases;
    private final @Nullable Step<T, R> otherwise;
    private final Form<R> output;

    private Branch(Cases<T, R> cases, @Nullable Step<T, R> otherwise) {
        Form<R> form = cases.first.outputForm();
        boolean same = cases.all.stream().allMatch(each -> each.step().output().equals(form.schema()))
                && (otherwise == null || otherwise.output().equals(form.schema()));
        this.cases = cases.all;
        this.otherwise = otherwise;
        this.output = same ? form : form.ofAnySchema();
    }

    /**
     * Start with a case.
     *
     * @param name letters, digits, {@code _} and {@code -}; at most 64; unique within the branch
     * @param condition whether the step runs
     * @throws dev.chargehand.error.ConfigurationException if the name is not valid
     */
    public static <T, R> Cases<T, R> when(String name, Condition<? super T> condition, Step<T, R> step) {
        return new Cases<>(Rules.given("Case '" + name + "'", "the step", step), List.of()).when(name, condition, step);
    }

    List<Entry.Case> cases() {
        return cases;
    }

    @Nullable
    Step<T, R> otherwise() {
        return otherwise;
    }

    Form<R> output() {
        return output;
    }

    /**
     * The cases of a branch, in order. Immutable and thread-safe.
     *
     * @param <T> the type of the input
     * @param <R> the type of the output
     */
    public static final class Cases<T, R> {

        private final Step<T, R> first;
        private final List<Entry.Case> all;

        private Cases(Step<T, R> first, List<Entry.Case> all) {
            this.first = first;
            this.all = List.copyOf(all);
        }

        /** Return these cases with one more; see {@link Branch#when}. */
        @CheckReturnValue
        public Cases<T, R> when(String name, Condition<? super T> condition, Step<T, R> step) {
            String where = "Case '" + Rules.id("Case", name) + "'";
            Rules.given(where, "the condition", condition);
            Form<T> input = Rules.given(where, "the step", step).inputForm();
            List<Entry.Case> more = new ArrayList<>(all);
            more.add(new Entry.Case(name, (json, context) -> condition.test(input.read(json), context), step));
            return new Cases<>(first, more);
        }

        /** Complete the branch with the step that runs if no condition is true. */
        public Branch<T, R> otherwise(Step<T, R> step) {
            return new Branch<>(this, Rules.given("Branch", "the step of otherwise", step));
        }

        /**
         * Complete the branch so that its input is its output if no condition is true. The types of input and output
         * must be the same, which the workflow checks.
         */
        public Branch<T, R> otherwisePass() {
            return new Branch<>(this, null);
        }

        List<Entry.Case> all() {
            return all;
        }
    }
}
