package dev.chargehand.store;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A fact of a run as a store keeps it: a type, a version and a JSON text that the store never interprets.
 *
 * <p>The text is written when it is first asked for. Thread-safe.
 */
public final class FactEntry {

    private final String type;
    private final int version;
    private final Object fact;
    private final Function<Object, String> writer;
    private volatile @Nullable String text;

    private FactEntry(String type, int version, Object fact, Function<Object, String> writer) {
        this.type = type;
        this.version = version;
        this.fact = fact;
        this.writer = writer;
    }

    /** Make an entry of a text that exists. */
    public static FactEntry of(String type, int version, String text) {
        return lazy(type, version, text, Function.identity());
    }

    /** Make an entry whose text is written when it is needed; the writer gives the same text every time. */
    public static <T> FactEntry lazy(String type, int version, T fact, Function<? super T, String> writer) {
        @SuppressWarnings("unchecked") // it is given nothing but this fact
        Function<Object, String> write = (Function<Object, String>) writer;
        return new FactEntry(type, version, fact, write);
    }

    /** Return the name of the fact's type, from a closed list. */
    public String type() {
        return type;
    }

    /** Return the version of the type's form. */
    public int version() {
        return version;
    }

    /** Return the JSON text. */
    public String text() {
        String ready = text;
        if (ready == null) {
            ready = writer.apply(fact);
            text = ready;
        }
        return ready;
    }

    @Override
    public String toString() {
        return type + " v" + version;
    }
}
