package dev.chargehand.verify.races;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** What a run waits for. */
enum Shape {
    /** One call of its own. */
    ONE("lead", List.of("a")),
    /** Two calls of its own. */
    TWO("lead", List.of("a", "b")),
    /** A call of a sub-agent. */
    NESTED("boss", List.of("a")),
    /** A call of each of two sub-agents. */
    NESTED_TWO("boss", List.of("a", "b")),
    /** A call of a workflow. */
    WORKFLOW("asks", List.of("a")),
    /** Two calls of a workflow. */
    WORKFLOW_TWO("asks-twice", List.of("a", "b")),
    /** A call of a workflow, while a nested workflow sleeps. */
    WORKFLOW_NAP("asks-and-sleeps", List.of("a"));

    /** The shapes of workflows. */
    static final List<Shape> WORKFLOWS = List.of(WORKFLOW, WORKFLOW_TWO, WORKFLOW_NAP);

    private static final List<Shape> ALL = List.of(values());
    private static final List<Shape> OF_AGENTS = List.of(ONE, TWO, NESTED, NESTED_TWO);

    private final String definition;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> slots;

    Shape(String definition, List<String> slots) {
        this.definition = definition;
        this.slots = slots;
    }

    static Shape any(SplittableRandom random) {
        return ALL.get(random.nextInt(ALL.size()));
    }

    static Shape anyOfAgents(SplittableRandom random) {
        return OF_AGENTS.get(random.nextInt(OF_AGENTS.size()));
    }

    /** Return the agent or workflow that is run. */
    String definition() {
        return definition;
    }

    boolean isOfWorkflow() {
        return WORKFLOWS.contains(this);
    }

    boolean sleeps() {
        return this == WORKFLOW_NAP;
    }

    /** Return what is carried out at most once: what is approved, then what follows the sleep. */
    List<String> effects() {
        return sleeps()
                ? Stream.concat(slots.stream(), Stream.of(RaceWorkflows.NAP)).toList()
                : slots;
    }

    /** Return what is to be approved, one name each. */
    List<String> slots() {
        return slots;
    }
}
