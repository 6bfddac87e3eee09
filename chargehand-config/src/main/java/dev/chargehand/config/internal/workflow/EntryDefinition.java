package dev.chargehand.config.internal.workflow;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the reader has read of an entry of a workflow. */
public sealed interface EntryDefinition {

    /** Return its steps. */
    default List<StepDefinition> steps() {
        return List.of();
    }

    /** One step. */
    record Then(StepDefinition step) implements EntryDefinition {
        @Override
        public List<StepDefinition> steps() {
            return List.of(step);
        }
    }

    /**
     * Steps at the same time.
     *
     * @param cancels whether a step that fails cancels the others
     */
    record Parallel(String id, List<StepDefinition> steps, boolean cancels) implements EntryDefinition {
        public Parallel {
            steps = List.copyOf(steps);
        }
    }

    /**
     * The step that a value selects.
     *
     * @param otherwise the step for all other values, or null if the value stays
     */
    record Branch(
            String id,
            ValuePointer pointer,
            Map<String, StepDefinition> cases,
            @Nullable StepDefinition otherwise) implements EntryDefinition {
        public Branch {
            cases = Collections.unmodifiableMap(new LinkedHashMap<>(cases));
        }

        /** Return the id of the step by which the value stays. */
        public String passId() {
            return id + "-pass";
        }

        @Override
        public List<StepDefinition> steps() {
            List<StepDefinition> steps = new ArrayList<>(cases.values());
            if (otherwise != null) {
                steps.add(otherwise);
            }
            return List.copyOf(steps);
        }
    }

    /** A step with the condition under which it is executed. */
    record Case(Comparison when, StepDefinition step) {}

    /**
     * All steps whose condition holds.
     *
     * @param cancels whether a step that fails cancels the others
     */
    record BranchAll(String id, List<Case> cases, boolean cancels) implements EntryDefinition {
        public BranchAll {
            cases = List.copyOf(cases);
        }

        @Override
        public List<StepDefinition> steps() {
            return cases.stream().map(Case::step).toList();
        }
    }

    /**
     * One step again and again, with its output.
     *
     * @param until whether the loop ends when the condition holds, and not when it does not
     * @param most the number of iterations
     */
    record Loop(StepDefinition step, Comparison condition, boolean until, int most) implements EntryDefinition {
        @Override
        public List<StepDefinition> steps() {
            return List.of(step);
        }
    }

    /**
     * One step for each item of a list.
     *
     * @param collect whether an item that fails does not fail the entry
     * @param cancels whether an item that fails cancels the others
     */
    record Foreach(ValuePointer items, StepDefinition step, int concurrency, boolean collect, boolean cancels)
            implements EntryDefinition {
        @Override
        public List<StepDefinition> steps() {
            return List.of(step);
        }
    }

    /** A wait for a time that a value is. */
    record SleepUntil(String id, ValuePointer time) implements EntryDefinition {}

    /** A wait. */
    record Sleep(String id, Duration duration) implements EntryDefinition {}
}
