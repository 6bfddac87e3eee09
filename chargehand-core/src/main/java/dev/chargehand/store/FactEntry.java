package dev.chargehand.store;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A fact of a run as a store keeps it: a type, a version and a JSON text that the store never interprets.
 *
 * <p>The text is written when it is first asked for. Thread-safe.
 */
public final class FactEntry {

    private final String type;
    private final int version;
    private final Supplier<String> writer;
    private volatile @Nullable String text;

    private FactEntry(String type, int version, Supplier<String> writer) {
        this.type = type;
        this.version = version;
        this.writer = writer;
    }

    /** Makes an entry of a text that is there. */
    public static FactEntry of(String type, int version, String text) {
        return new FactEntry(type, version, () -> text);
    }

    /** Makes an entry whose text is written when it is needed; the writer gives the same text every time. */
    public static FactEntry lazy(String type, int version, Supplier<String> writer) {
        return new FactEntry(type, version, writer);
    }

    /** Returns the name of the fact's type, from a closed list. */
    public String type() {
        return type;
    }

    /** Returns the version of the type's form. */
    public int version() {
        return version;
    }

    /** Returns the JSON text. */
    public String text() {
        String ready = text;
        if (ready == null) {
            ready = writer.get();
            text = ready;
        }
        return ready;
    }

    @Override
    public String toString() {
        return type + " v" + version;
    }
}
