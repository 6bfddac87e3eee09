package dev.chargehand.processor;

/**
 * Looks at what goes into a run or comes out of it, and lets it pass, rewrites it, or ends the run with a tripwire.
 *
 * <p>A processor implements one or more of the interfaces that say where it stands: {@link InputProcessor},
 * {@link InputStepProcessor}, {@link OutputStreamProcessor}, {@link OutputStepProcessor} and
 * {@link OutputResultProcessor}. Those of a kind are called one after the other, in the order in which they were given;
 * each sees what the one before it made.
 *
 * <p>Each call has the time limit {@link dev.chargehand.run.TimeLimit#HOOK} and a virtual thread of its own. A
 * processor that throws, returns null or takes longer fails the run: nothing passes a guardrail that is broken. Its
 * decision is stored together with the data, so that it is not asked again when a run is resumed. Thread-safe: one
 * processor serves any number of runs at once.
 */
public interface Processor {

    /** Return its name, as it is in events, errors and stop reasons. */
    String name();
}
