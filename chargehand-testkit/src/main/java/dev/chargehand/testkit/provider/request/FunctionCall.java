package dev.chargehand.testkit.provider.request;

/**
 * Name one tool call as it stands on the wire.
 *
 * <p>Nothing is checked, so that a reply can carry an empty id or broken arguments.
 *
 * @param id the call's id; empty when the wire had none
 * @param name the function's name; empty when the wire had none
 * @param arguments the arguments as text, JSON or not
 */
public record FunctionCall(String id, String name, String arguments) {}
