package dev.chargehand.internal.option;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.option.Option.Part;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The values of all options. Immutable and thread-safe; reading one is an access to an array. */
public final class OptionValues {

    /** Every option at its default. */
    public static final OptionValues DEFAULT = new OptionValues(defaults());

    private final @Nullable Object[] values;

    private @Nullable OptionValues settings; // made when first needed, by several threads perhaps: they make the same

    private OptionValues(@Nullable Object[] values) {
        this.values = values;
    }

    private static @Nullable Object[] defaults() {
        List<Option<?>> all = Options.all();
        @Nullable Object[] values = new @Nullable Object[all.size()];
        for (Option<?> option : all) {
            values[option.ordinal()] = option.byDefault();
        }
        return values;
    }

    /** Return the value of an option. */
    @SuppressWarnings({"unchecked", "NullAway"}) // the array holds what the option declares
    public <T extends @Nullable Object> T get(Option<T> option) {
        return (T) values[option.ordinal()];
    }

    /** Return those values of an option that are of a type, in order. */
    public <E, P extends E> List<P> get(Option<List<E>> option, Class<P> type) {
        List<E> all = get(option);
        return all.isEmpty()
                ? List.of() // read several times a step, and there are rarely any
                : all.stream().filter(type::isInstance).map(type::cast).toList();
    }

    /**
     * Return these values with another of an option.
     *
     * @throws ConfigurationException if the value is null, or invalid
     */
    public <T extends @Nullable Object> OptionValues with(Option<T> option, T value) {
        return replaced(option, option.checked(OptionChecks.present(option.name(), value)));
    }

    /**
     * Return these values with more of an option, whose values are merged.
     *
     * @throws ConfigurationException if the value is null, or invalid
     */
    public <T extends @Nullable Object> OptionValues plus(Option<T> option, T value) {
        return replaced(option, option.merged(get(option), OptionChecks.present(option.name(), value)));
    }

    /** Return these values with the default of an option. */
    public <T extends @Nullable Object> OptionValues without(Option<T> option) {
        return replaced(option, option.byDefault());
    }

    private OptionValues replaced(Option<?> option, @Nullable Object value) {
        @Nullable Object[] copy = values.clone();
        copy[option.ordinal()] = value;
        return new OptionValues(copy);
    }

    /**
     * Return these values with another's of one part. A value that is equal to the other's stays: it may have what is not stored, such as
     * the Java type of a schema.
     */
    public OptionValues with(Part part, OptionValues others) {
        @Nullable Object[] copy = null;
        for (Option<?> option : Options.all()) {
            if (option.part() == part && !Objects.equals(values[option.ordinal()], others.values[option.ordinal()])) {
                copy = copy == null ? values.clone() : copy;
                copy[option.ordinal()] = others.values[option.ordinal()];
            }
        }
        return copy == null ? this : new OptionValues(copy); // a run in flight holds them
    }

    /** Return these values with those of one part that another has set. */
    public OptionValues withSet(Part part, OptionValues others) {
        @Nullable Object[] copy = values.clone();
        for (Option<?> option : Options.all()) {
            if (option.part() == part && !option.isUnset(others.values[option.ordinal()])) {
                copy[option.ordinal()] = others.values[option.ordinal()];
            }
        }
        return new OptionValues(copy);
    }

    /** Return the values that are stored with a run; the other options have their defaults. */
    public OptionValues settings() {
        OptionValues known = settings;
        if (known == null) {
            known = DEFAULT.with(Part.SETTINGS, this);
            settings = known;
        }
        return known;
    }

    /** Return the values that are code; the other options have their defaults. */
    public OptionValues code() {
        return DEFAULT.with(Part.CODE, this);
    }

    /**
     * Return the settings of a delegated run: these are the defaults of its agent, the others those of the run above.
     */
    public OptionValues settingsUnder(OptionValues above) {
        @Nullable Object[] copy = settings().values.clone();
        for (Option<?> option : Options.settings()) {
            copy[option.ordinal()] = inherited(option, above);
        }
        return new OptionValues(copy);
    }

    private <T extends @Nullable Object> T inherited(Option<T> option, OptionValues above) {
        return option.inherited(get(option), above.get(option));
    }

    /** Return the names of the options that decide what a run does and whose value is set and is not the other's. */
    public List<String> decidingBeyond(OptionValues other) {
        return namesBeyond(other, Option::isDeciding);
    }

    /** Return what says of the transient values of the request that the other does not have, by their names, in order. */
    public List<String> transientBeyond(OptionValues other) {
        Set<String> more = new TreeSet<>(get(Options.REQUEST_CONTEXT).transientNames());
        more.removeAll(other.get(Options.REQUEST_CONTEXT).transientNames());
        List<String> names = new ArrayList<>();
        for (String name : more) {
            names.add(Options.REQUEST_CONTEXT.name() + " " + name);
        }
        return List.copyOf(names);
    }

    /** Return the names of the options that are code and whose value is set and is not the other's. */
    public List<String> codeBeyond(OptionValues other) {
        return namesBeyond(other, option -> option.part() == Part.CODE);
    }

    private List<String> namesBeyond(OptionValues other, Predicate<Option<?>> which) {
        List<String> names = new ArrayList<>();
        for (Option<?> option : Options.all()) {
            Object value = values[option.ordinal()];
            if (which.test(option) && !option.isUnset(value) && value != other.values[option.ordinal()]) {
                names.add(option.name());
            }
        }
        return List.copyOf(names);
    }

    /** Return the values that are not at their defaults, by the names of their options. */
    public Map<String, Object> changed() {
        Map<String, Object> changed = new LinkedHashMap<>();
        for (Option<?> option : Options.all()) {
            Object value = values[option.ordinal()];
            if (value != null && !option.isUnset(value)) {
                changed.put(option.name(), value);
            }
        }
        return Collections.unmodifiableMap(changed);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || (other instanceof OptionValues those && Arrays.equals(values, those.values));
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        return "OptionValues" + changed();
    }
}
