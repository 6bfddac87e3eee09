package dev.chargehand.models.internal;

import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The key of an endpoint.
 *
 * @param source gives the key, at every call; empty if there is none
 * @param hint what to set when the key is missing or rejected
 * @param needed whether a call without a key fails before it is sent
 * @param isAtHand whether it is given at once, without code of the application
 */
public record EndpointKey(Supplier<Optional<String>> source, String hint, boolean needed, boolean isAtHand) {

    /** Return a key that is needed if it is given at all. */
    public static EndpointKey given(@Nullable Supplier<String> source, String hint) {
        return new EndpointKey(
                () -> source == null ? Optional.empty() : Optional.ofNullable(source.get()),
                hint,
                source != null,
                source == null || source instanceof FixedKey);
    }

    /** Return the key of this moment without white space around it; empty if there is none. */
    String current() {
        return source.get().orElse("").strip();
    }
}
