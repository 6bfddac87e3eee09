package dev.chargehand.processor;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a processor decided.
 *
 * @param <T> what it looked at
 */
public sealed interface Processed<T> {

    /** Lets it pass as it is. */
    record Unchanged<T>() implements Processed<T> {}

    /** Lets something else pass in its place. */
    record Rewritten<T>(T value) implements Processed<T> {
        public Rewritten {
            Objects.requireNonNull(value, "value");
        }
    }

    /**
     * Lets nothing pass: a tripwire.
     *
     * @param reason why, for people and, with {@code retry}, for the model; it should not quote what it keeps out
     * @param retry whether the model is to answer again, and is told the reason; where there is no answer to give again,
     *     or too many were refused, the run ends
     * @param metadata what the application wants to know about it, or null; stored and told, never shown to a model
     * @param <T> what does not pass
     */
    record Aborted<T>(
            String reason, boolean retry, @Nullable Json metadata) implements Processed<T> {

        public Aborted {
            if (reason.isBlank()) {
                throw new ConfigurationException("A processor that aborts must give a reason.");
            }
        }

        /** Returns this with the wish that the model answers again. */
        public Aborted<T> withRetry() {
            return new Aborted<>(reason, true, metadata);
        }

        /** Returns this with something for the application. */
        public Aborted<T> withMetadata(Json value) {
            return new Aborted<>(reason, retry, value);
        }
    }

    /** Lets it pass as it is. */
    static <T> Processed<T> unchanged() {
        return new Unchanged<>();
    }

    /** Lets something else pass in its place. */
    static <T> Processed<T> rewritten(T value) {
        return new Rewritten<>(value);
    }

    /**
     * Lets nothing pass, and ends the run unless {@link Aborted#withRetry} says otherwise.
     *
     * @throws ConfigurationException if the reason is blank
     */
    static <T> Aborted<T> abort(String reason) {
        return new Aborted<>(reason, false, null);
    }

    /**
     * Lets nothing pass, and has the model answer again; the same as {@code abort} with {@link Aborted#withRetry}.
     *
     * @throws ConfigurationException if the reason is blank
     */
    static <T> Aborted<T> retry(String reason) {
        return new Aborted<>(reason, true, null);
    }
}
