package dev.chargehand.verify.workflows;

import dev.chargehand.RunResult;
import dev.chargehand.workflow.Workflow;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A random workflow for a run that two processes work on. Its name determines it, so that it is the same in each process, and is the id of the
 * workflow and the key of its run.
 */
record RacedWorkflow(String name, List<Part> parts, long input) {

    private static final String PREFIX = "raced-";

    static RacedWorkflow next(SplittableRandom random) {
        return of(PREFIX + Long.toHexString(random.nextLong()));
    }

    static RacedWorkflow of(String name) {
        long seed = Long.parseUnsignedLong(name.substring(PREFIX.length()), 16);
        SplittableRandom random = new SplittableRandom(seed).split();
        return new RacedWorkflow(name, Part.raced(random), random.nextInt(1_000));
    }

    Workflow<Long, Long> definition(Definition.Done done) {
        return new Definition(done).of(name, parts);
    }

    /** Return the paths of its sleeps. */
    List<String> sleeps() {
        return parts.stream()
                .filter(Part.Sleep.class::isInstance)
                .map(part -> ((Part.Sleep) part).id())
                .toList();
    }

    /**
     * Return how a run must end.
     *
     * @param unknown the calls whose outcome is unknown
     */
    RandomWorkflow.Expected expected(Set<String> unknown) {
        Interpreter interpreter = new Interpreter(unknown);
        String end = interpreter.run(parts, input);
        return new RandomWorkflow.Expected(text(end, interpreter.state), Set.copyOf(interpreter.calls));
    }

    /** Return how a run has ended, in the same words. */
    static String text(RunResult result) {
        return text(
                WorkflowsHarness.ended(result),
                result.workflowState()
                        .map(state -> state.as(Definition.stateType()))
                        .orElse(Map.of()));
    }

    private static String text(String end, Map<String, Long> state) {
        return end + " with " + new TreeMap<>(state);
    }
}
