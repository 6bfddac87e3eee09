package dev.chargehand.internal.loop;

import dev.chargehand.json.Json;
import dev.chargehand.model.ToolDefinition;
import dev.chargehand.run.PrimitiveType;
import java.util.Map;

/** Something that the router of a network can choose; what it chooses becomes a call like any other. */
public interface Primitive {

    /** Returns what a decision calls it. */
    String id();

    /** Returns what it is. */
    PrimitiveType type();

    /** Returns it as a model sees it that calls it. */
    ToolDefinition definition();

    /** Tells whether it is given arguments as JSON, and not words. */
    boolean takesArguments();

    /** Returns the arguments of a call that does what a decision says. */
    default String argumentsFor(String prompt) {
        return takesArguments()
                ? prompt
                : Json.of(Map.of(Prompts.PROMPT, prompt)).text();
    }
}
