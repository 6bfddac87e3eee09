package dev.chargehand.processor;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The decision of a processor.
 *
 * @param <T> what it looked at
 */
public sealed interface Processed<T> {

    /** Lets it pass as it is. */
    record Unchanged<T>() implements Processed<T> {}

    /** Lets something else pass instead. */
    record Rewritten<T>(T value) implements Processed<T> {
        public Rewritten {
            Objects.requireNonNull(value, "value");
        }
    }

    /**
     * Lets nothing pass: a tripwire.
     *
     * @param reason why, for people and, with {@code retry}, for the model; it should not quote what it keeps out
     * @param retry whether the model is to answer again, with the reason; where there is no answer to give
     *     again, or too many were rejected, the run ends
     * @param metadata what the application wants to know about it, or null; stored and emitted, never shown to a model
     * @param <T> what does not pass
     */
    record Aborted<T>(
            String reason, boolean retry, @Nullable Json metadata) implements Processed<T> {

        public Aborted {
            if (reason.isBlank()) {
                throw new ConfigurationException("A processor that aborts must give a reason.");
            }
        }

        /** Return this with the wish that the model answers again. */
        @CheckReturnValue
        public Aborted<T> withRetry() {
            return new Aborted<>(reason, true, metadata);
        }

        /** Return this with something for the application. */
        @CheckReturnValue
        public Aborted<T> withMetadata(Json value) {
            return new Aborted<>(reason, retry, value);
        }
    }

    /** Let it pass as it is. */
    static <T> Processed<T> unchanged() {
        return new Unchanged<>();
    }

    /** Let something else pass instead. */
    static <T> Processed<T> rewritten(T value) {
        return new Rewritten<>(value);
    }

    /**
     * Block the data, and end the run unless {@link Aborted#withRetry} is set.
     *
     * @throws ConfigurationException if the reason is blank
     */
    static <T> Aborted<T> abort(String reason) {
        return new Aborted<>(reason, false, null);
    }

    /**
     * Block the data, and let the model answer again; the same as {@code abort} with {@link Aborted#withRetry}.
     *
     * @throws ConfigurationException if the reason is blank
     */
    static <T> Aborted<T> retry(String reason) {
        return new Aborted<>(reason, true, null);
    }
}
