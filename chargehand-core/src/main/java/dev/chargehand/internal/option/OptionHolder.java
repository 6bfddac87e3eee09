package dev.chargehand.internal.option;

import org.jspecify.annotations.Nullable;

/** What holds the values of options; the packages of the framework read them, its users do not see them. */
public abstract class OptionHolder {

    private final OptionValues values;

    protected OptionHolder(OptionValues values) {
        this.values = values;
    }

    protected final OptionValues values() {
        return values;
    }

    @Override
    public final boolean equals(@Nullable Object other) {
        return other instanceof OptionHolder those && values.equals(those.values);
    }

    @Override
    public final int hashCode() {
        return values.hashCode();
    }

    @Override
    public final String toString() {
        return "RunOptions" + values.changed();
    }
}
