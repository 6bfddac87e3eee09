package dev.chargehand.internal.fact;

/**
 * A call of a step of a workflow, under the id that was minted for it.
 *
 * @param path where it stands, such as {@code check} or {@code notify[3]}
 * @param step the id of the step that is executed
 * @param input JSON text
 */
public record PlannedCall(String callId, String path, String step, String input) {
    public PlannedCall {
        Parts.require(callId, path, step, input);
    }
}
