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

    /** Steps at the same time. */
    record Parallel(String id, List<StepDefinition> steps) implements EntryDefinition {
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

    /** One step for each item of a list. */
    record Foreach(ValuePointer items, StepDefinition step, int concurrency, boolean collect)
            implements EntryDefinition {
        @Override
        public List<StepDefinition> steps() {
            return List.of(step);
        }
    }

    /** A wait. */
    record Sleep(String id, Duration duration) implements EntryDefinition {}
}
