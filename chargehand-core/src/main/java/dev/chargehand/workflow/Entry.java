package dev.chargehand.workflow;

import dev.chargehand.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One position in a workflow's sequence, as displays and the framework read it; a {@link WorkflowBuilder} makes it. Its
 * functions work on JSON and throw what the functions of the application throw.
 *
 * <p>Immutable and thread-safe.
 */
public sealed interface Entry {

    /** The longest time that an entry may wait. */
    Duration LONGEST_SLEEP = Duration.ofDays(366);

    /** What the failure of one of its calls means for the others. */
    enum Failure {
        /**
         * Calls that have started come to their ends. Those of a foreach that have not started do not; all steps of other entries
         * start.
         */
        FINISH_SIBLINGS,
        /** Calls that have started are cancelled, and others do not start. */
        CANCEL_SIBLINGS
    }

    /** Return its id, unique within the workflow. */
    String id();

    /** Return its kind in kebab-case, such as {@code then} or {@code branch-all}. */
    String kind();

    /** Return its steps, in the order of definition. */
    List<Step<?, ?>> steps();

    /**
     * Calls one step; the entry has the step's id.
     *
     * @param step the step
     */
    record Then(Step<?, ?> step) implements Entry {
        @Override
        public String id() {
            return step.id();
        }

        @Override
        public String kind() {
            return "then";
        }

        @Override
        public List<Step<?, ?>> steps() {
            return List.of(step);
        }
    }

    /**
     * Makes one value of another.
     *
     * @param function makes the output
     */
    record Mapping(String id, WorkflowFunction<Json, Json> function) implements Entry {
        @Override
        public String kind() {
            return "map";
        }

        @Override
        public List<Step<?, ?>> steps() {
            return List.of();
        }

        /** Make the output. */
        public Json apply(Json value, WorkflowContext context) throws Exception {
            return function.apply(value, context);
        }
    }

    /**
     * Calls all steps concurrently with the same input; its output is an {@link Outputs}.
     *
     * @param steps at least one
     * @param onFailure what a failure means for the other steps
     */
    record Parallel(String id, List<Step<?, ?>> steps, Failure onFailure) implements Entry {
        public Parallel {
            steps = List.copyOf(steps);
        }

        @Override
        public String kind() {
            return "parallel";
        }
    }

    /**
     * A step that runs if a condition is true of the entry's input.
     *
     * @param name unique within the entry
     */
    record Case(String name, Condition<Json> condition, Step<?, ?> step) {

        /** Return whether the step runs. */
        public boolean test(Json value, WorkflowContext context) throws Exception {
            return condition.test(value, context);
        }
    }

    /**
     * Calls the step of the first case whose condition is true.
     *
     * @param cases in the order in which they are tried; at least one
     * @param otherwise the step that runs if no condition is true, or null if the input is the output then
     */
    record Branch(String id, List<Case> cases, @Nullable Step<?, ?> otherwise) implements Entry {
        public Branch {
            cases = List.copyOf(cases);
        }

        @Override
        public String kind() {
            return "branch";
        }

        @Override
        public List<Step<?, ?>> steps() {
            List<Step<?, ?>> steps = new ArrayList<>(stepsOf(cases));
            if (otherwise != null) {
                steps.add(otherwise);
            }
            return List.copyOf(steps);
        }
    }

    /**
     * Calls the steps of all cases whose condition is true, concurrently; its output is an {@link Outputs} of those.
     *
     * @param cases at least one
     * @param onFailure what a failure means for the other steps
     */
    record BranchAll(String id, List<Case> cases, Failure onFailure) implements Entry {
        public BranchAll {
            cases = List.copyOf(cases);
        }

        @Override
        public String kind() {
            return "branch-all";
        }

        @Override
        public List<Step<?, ?>> steps() {
            return stepsOf(cases);
        }
    }

    /**
     * Calls a step at least once, and again with its output while its condition is true, or until it is; the entry has
     * the step's id.
     *
     * @param condition is called with the output of each iteration
     * @param until whether a condition that is true ends the loop; else one that is false does
     * @param atMost how many iterations, from 1; the limit of the run holds too
     */
    record Loop(Step<?, ?> step, Condition<Json> condition, boolean until, int atMost) implements Entry {
        @Override
        public String id() {
            return step.id();
        }

        @Override
        public String kind() {
            return until ? "do-until" : "do-while";
        }

        @Override
        public List<Step<?, ?>> steps() {
            return List.of(step);
        }

        /** Return whether another iteration follows one with this output, if the limits allow it. */
        public boolean again(Json output, WorkflowContext context) throws Exception {
            return condition.test(output, context) != until;
        }
    }

    /**
     * Calls a step for each item; its output is the list of their outputs in the order of the items.
     *
     * @param function makes the items of the entry's input
     * @param concurrency how many items at once, from 1 to 100
     * @param collect whether the output is a list of {@link Outcome}, and an item that fails does not fail the entry
     * @param onFailure what a failure means for the other items, unless they are collected
     */
    record Foreach(
            String id,
            WorkflowFunction<Json, List<Json>> function,
            Step<?, ?> step,
            int concurrency,
            boolean collect,
            Failure onFailure)
            implements Entry {
        @Override
        public String kind() {
            return "foreach";
        }

        @Override
        public List<Step<?, ?>> steps() {
            return List.of(step);
        }

        /** Return the items. */
        public List<Json> items(Json value, WorkflowContext context) throws Exception {
            return function.apply(value, context);
        }
    }

    /**
     * Waits for a time and passes its input on. One of the duration and the function is null.
     *
     * @param duration how long
     * @param function returns until when
     */
    record Sleep(
            String id,
            @Nullable Duration duration,
            @Nullable WorkflowFunction<Json, Instant> function) implements Entry {
        @Override
        public String kind() {
            return "sleep";
        }

        @Override
        public List<Step<?, ?>> steps() {
            return List.of();
        }

        /** Return whether a function of the application says until when. */
        public boolean isComputed() {
            return function != null;
        }

        /**
         * Return until when it waits.
         *
         * @param now the time at which it starts
         */
        public Instant until(Json value, WorkflowContext context, Instant now) throws Exception {
            return function == null ? now.plus(Objects.requireNonNull(duration)) : function.apply(value, context);
        }
    }

    private static List<Step<?, ?>> stepsOf(List<Case> cases) {
        return cases.stream().<Step<?, ?>>map(Case::step).toList();
    }
}
