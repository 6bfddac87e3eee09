package dev.chargehand.internal.option;

import dev.chargehand.internal.option.Option.Inheritance;
import dev.chargehand.internal.option.Option.Part;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Collects what an option is declared with. Every method returns the declaration. */
final class OptionDeclaration<T extends @Nullable Object> {

    final Part part;
    final T byDefault;
    String name;
    UnaryOperator<T> check = UnaryOperator.identity();

    @Nullable
    BinaryOperator<T> merge;

    Inheritance inheritance = Inheritance.OWN;
    BinaryOperator<T> inherit = (own, above) -> own;
    boolean deciding;

    private OptionDeclaration(Part part, String name, T byDefault) {
        this.part = part;
        this.name = name;
        this.byDefault = byDefault;
    }

    @SuppressWarnings("NullAway") // the option that is made of it has nullable values
    private static <T> OptionDeclaration<T> withoutDefault(Part part, String name) {
        return new OptionDeclaration<>(part, name, null);
    }

    /** Declare plain data. */
    static <T> OptionDeclaration<T> setting(String name, T byDefault) {
        return new OptionDeclaration<>(Part.SETTINGS, name, byDefault);
    }

    /** Declare plain data that a run may lack. */
    static <T> OptionDeclaration<T> optionalSetting(String name) {
        return withoutDefault(Part.SETTINGS, name);
    }

    /** Declare a hook that a run may lack. */
    static <T> OptionDeclaration<T> hook(String name) {
        return withoutDefault(Part.CODE, name);
    }

    /** Declare code of which a run may have several. */
    static <E> OptionDeclaration<List<E>> several(String name) {
        return new OptionDeclaration<List<E>>(Part.CODE, name, List.of())
                .check(OptionChecks.elements(name))
                .merge(OptionChecks::both);
    }

    /** Declare a part of the request that a run may lack. */
    static <T> OptionDeclaration<T> optionalRequest(String name) {
        return withoutDefault(Part.REQUEST, name);
    }

    /** Declare a part of the request. */
    static <T> OptionDeclaration<T> request(String name, T byDefault) {
        return new OptionDeclaration<>(Part.REQUEST, name, byDefault);
    }

    /** Name the method that sets it. */
    OptionDeclaration<T> named(String value) {
        this.name = value;
        return this;
    }

    /** Check values, and copy them if they are mutable. */
    OptionDeclaration<T> check(UnaryOperator<T> value) {
        this.check = value;
        return this;
    }

    /** Let values be added to those that are set. */
    OptionDeclaration<T> merge(BinaryOperator<T> value) {
        this.merge = value;
        return this;
    }

    OptionDeclaration<T> inherited(Inheritance value) {
        this.inheritance = value;
        return this;
    }

    /** Give a delegated run the stricter of two values. */
    OptionDeclaration<T> strictest(BinaryOperator<T> value) {
        this.inheritance = Inheritance.STRICTER;
        this.inherit = value;
        return this;
    }

    /** Give a delegated run the value of the run above it, and its own where that has none. */
    OptionDeclaration<T> above(BinaryOperator<T> value) {
        this.inheritance = Inheritance.ABOVE;
        this.inherit = value;
        return this;
    }

    /** Declare code without which a run is not resumed. */
    OptionDeclaration<T> deciding() {
        this.deciding = true;
        return this;
    }
}
