package dev.chargehand.workflow;

/**
 * How a call ended whose failure is a value: {@code {"ok": …}} or {@code {"error": "…"}} as JSON.
 *
 * @param <R> the type of the output
 */
public sealed interface Outcome<R> {

    /**
     * The call had an output.
     *
     * @param <R> the type of the output
     */
    record Success<R>(R ok) implements Outcome<R> {}

    /**
     * The call failed after its retries.
     *
     * @param error the message
     * @param <R> the type of the output it does not have
     */
    record Failure<R>(String error) implements Outcome<R> {}
}
