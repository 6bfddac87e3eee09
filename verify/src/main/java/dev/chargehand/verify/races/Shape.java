package dev.chargehand.verify.races;

import java.util.List;
import java.util.SplittableRandom;

/** What a run waits for. */
enum Shape {
    /** One call of its own. */
    ONE("lead", List.of("a")),
    /** Two calls of its own. */
    TWO("lead", List.of("a", "b")),
    /** A call of a sub-agent. */
    NESTED("boss", List.of("a")),
    /** A call of each of two sub-agents. */
    NESTED_TWO("boss", List.of("a", "b"));

    private static final List<Shape> ALL = List.of(values());

    private final String agent;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> slots;

    Shape(String agent, List<String> slots) {
        this.agent = agent;
        this.slots = slots;
    }

    static Shape any(SplittableRandom random) {
        return ALL.get(random.nextInt(ALL.size()));
    }

    /** Return the agent that is run. */
    String agent() {
        return agent;
    }

    /** Return what is to be approved, one name each. */
    List<String> slots() {
        return slots;
    }
}
