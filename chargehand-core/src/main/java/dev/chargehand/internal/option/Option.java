package dev.chargehand.internal.option;

import java.util.Collection;
import java.util.Objects;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One option of a run: its name, its default, and how its values are checked, merged and inherited.
 *
 * @param <T> the type of its values; nullable if the option has no default
 */
public final class Option<T extends @Nullable Object> {

    /** The part of a run's options that an option belongs to. */
    public enum Part {
        /** Plain data: stored with the run and in force again when the run is resumed. */
        SETTINGS,
        /** Code: not stored. A resumed run has the code of its agent's defaults and of the call that resumes it. */
        CODE,
        /** The request that the run serves: the run's first fact stores it apart from the settings. */
        REQUEST
    }

    /** What a delegated run has of its supervisor's run. */
    public enum Inheritance {
        /** Nothing: it has the sub-agent's own default. */
        OWN,
        /** The value of the supervisor's run; both are bound by it together. */
        SHARED,
        /** The value of the supervisor's run. */
        COPY,
        /** The stricter of the sub-agent's own default and the value of the supervisor's run. */
        STRICTER,
        /** The value of the supervisor's run, and the sub-agent's own default where that has none. */
        ABOVE,
        /** Nothing: it has the default of the option. */
        NONE
    }

    private final int ordinal;
    private final String name;
    private final Part part;
    private final T byDefault;
    private final UnaryOperator<T> check;
    private final @Nullable BinaryOperator<T> merge;
    private final Inheritance inheritance;
    private final BinaryOperator<T> inherit;
    private final boolean deciding;

    Option(int ordinal, OptionDeclaration<T> from) {
        this.ordinal = ordinal;
        this.name = from.name;
        this.part = from.part;
        this.byDefault = from.byDefault;
        this.check = from.check;
        this.merge = from.merge;
        this.inheritance = from.inheritance;
        this.inherit = from.inherit;
        this.deciding = from.deciding;
    }

    int ordinal() {
        return ordinal;
    }

    /** Return the name of the method that sets it, used in errors and in the documentation. */
    public String name() {
        return name;
    }

    /** Return the part of the options that it belongs to. */
    public Part part() {
        return part;
    }

    /** Return its default. */
    public T byDefault() {
        return byDefault;
    }

    /** Return what a delegated run has of it. */
    public Inheritance inheritance() {
        return inheritance;
    }

    /**
     * Return whether it is code that decides what a run does. Such a run is not resumed without it; code that only
     * observes may be missing.
     */
    public boolean isDeciding() {
        return deciding;
    }

    /** Return whether a value sets nothing: it is null, empty or the default. */
    boolean isUnset(@Nullable Object value) {
        return value == null || Objects.equals(value, byDefault) || (value instanceof Collection<?> c && c.isEmpty());
    }

    T checked(T value) {
        return check.apply(value);
    }

    T merged(T before, T more) {
        if (merge == null) {
            throw new IllegalStateException("Option '" + name + "' has one value.");
        }
        return checked(merge.apply(before, more));
    }

    T inherited(T own, T above) {
        return switch (inheritance) {
            case OWN -> own;
            case SHARED, COPY -> above;
            case STRICTER, ABOVE -> inherit.apply(own, above);
            case NONE -> byDefault;
        };
    }

    @Override
    public String toString() {
        return name;
    }
}
