package dev.chargehand.langchain4j.internal.wire;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Adds the events of one answer up. Not thread-safe; one per answer. */
public interface AnswerEvents {

    /**
     * Add an event.
     *
     * @return false if it is the last one, even if more follows
     * @throws dev.chargehand.error.ModelException if it reports an error
     */
    boolean accept(JsonNode event);

    /** Return what the provider wants back with the answer, when it is over; null if nothing. */
    @Nullable
    String state();
}
