package dev.chargehand.workflow;

/**
 * Decides whether a case of a branch runs, or whether a loop continues.
 *
 * @param <T> the type of the value it takes
 */
@FunctionalInterface
public interface Condition<T> {

    /**
     * Decide. It must have no effects; its result is stored with the run and not evaluated again when the run resumes.
     *
     * @throws Exception if it cannot; the run then fails
     */
    boolean test(T value, WorkflowContext context) throws Exception;
}
