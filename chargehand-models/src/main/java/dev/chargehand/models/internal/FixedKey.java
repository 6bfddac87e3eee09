package dev.chargehand.models.internal;

import java.util.function.Supplier;

/**
 * A key that never changes, which no code of the application has to give.
 *
 * @param value the key
 */
public record FixedKey(String value) implements Supplier<String> {

    @Override
    public String get() {
        return value;
    }

    /** Return that it is a key: a record would show it. */
    @Override
    public String toString() {
        return "FixedKey";
    }
}
