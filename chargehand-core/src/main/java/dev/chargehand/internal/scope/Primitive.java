package dev.chargehand.internal.scope;

import dev.chargehand.event.PrimitiveType;
import dev.chargehand.json.Json;
import dev.chargehand.model.ToolDefinition;
import java.util.Map;

/** Something that the router of a network can choose; what it chooses becomes a call like any other. */
public interface Primitive {

    /** Return what a decision calls it. */
    String id();

    /** Return what it is. */
    PrimitiveType type();

    /** Return it as a model sees it that calls it. */
    ToolDefinition definition();

    /** Return whether it is given arguments as JSON, and not words. */
    boolean takesArguments();

    /** Return the arguments of a call that does what a decision says. */
    default String argumentsFor(String prompt) {
        return takesArguments()
                ? prompt
                : Json.of(Map.of(DelegationPrompts.PROMPT, prompt)).text();
    }
}
