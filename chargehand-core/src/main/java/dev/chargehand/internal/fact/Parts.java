package dev.chargehand.internal.fact;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Validates what facts are built from. */
final class Parts {

    private Parts() {}

    /** Reject what lacks a part: a damaged fact must not be taken for a fact. */
    static void require(@Nullable Object... parts) {
        for (Object part : parts) {
            Objects.requireNonNull(part, "A fact lacks a part.");
        }
    }
}
