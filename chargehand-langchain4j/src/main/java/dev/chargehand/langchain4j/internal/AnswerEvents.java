package dev.chargehand.langchain4j.internal;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Adds the events of one answer up. Not thread-safe; one per answer. */
public interface AnswerEvents {

    /**
     * Adds an event.
     *
     * @return false if it is the last one, whatever else may follow
     * @throws dev.chargehand.error.ModelException if it reports an error
     */
    boolean accept(JsonNode event);

    /** Returns what the provider wants back with the answer, when it is over; null if nothing. */
    @Nullable
    String state();
}
