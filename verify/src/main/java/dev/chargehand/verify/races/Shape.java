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
    /** Data for a call of its own. */
    DATA("lead", List.of("?a")),
    /** A call of a sub-agent. */
    NESTED("boss", List.of("a")),
    /** A call of each of two sub-agents. */
    NESTED_TWO("boss", List.of("a", "b")),
    /** A call of a workflow. */
    WORKFLOW("asks", List.of("a")),
    /** Two calls of a workflow. */
    WORKFLOW_TWO("asks-twice", List.of("a", "b")),
    /** A call of a workflow, while a nested workflow sleeps. */
    WORKFLOW_NAP("asks-and-sleeps", List.of("a")),
    /** Data for a step of a workflow. */
    WORKFLOW_DATA("wants-data", List.of("?a")),
    /** A call of a workflow, and data for a step. */
    WORKFLOW_BOTH("asks-and-wants-data", List.of("a", "?b")),
    /** Data for a step of a workflow, while a nested workflow sleeps. */
    WORKFLOW_DATA_NAP("wants-data-and-sleeps", List.of("?a"));

    /** The shapes of workflows. */
    static final List<Shape> WORKFLOWS =
            List.of(WORKFLOW, WORKFLOW_TWO, WORKFLOW_NAP, WORKFLOW_DATA, WORKFLOW_BOTH, WORKFLOW_DATA_NAP);

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
        return this == WORKFLOW_NAP || this == WORKFLOW_DATA_NAP;
    }

    /** Return what is carried out at most once: what is approved or gets data, then what follows the sleep. */
    List<String> effects() {
        return sleeps()
                ? Stream.concat(slots.stream(), Stream.of(RaceWorkflows.NAP)).toList()
                : slots;
    }

    /** Return whether data is to be given for a slot; else it is to be approved. */
    static boolean wantsData(String slot) {
        return slot.startsWith("?");
    }

    /** Return what is to be approved, and with {@code ?} what data is to be given for, one name each. */
    List<String> slots() {
        return slots;
    }
}
