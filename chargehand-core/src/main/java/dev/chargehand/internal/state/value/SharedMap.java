package dev.chargehand.internal.state.value;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A map by texts that shares with the map it was made from all but the path to the changed entry, so that a change costs
 * the same in a small map and in a large one: a tree by the hash of the key. Nothing is removed. Immutable.
 */
public final class SharedMap<V> {

    private static final int BITS = 4;
    private static final int WIDTH = 1 << BITS;
    private static final SharedMap<?> EMPTY = new SharedMap<>(new Object[WIDTH]);

    /** Each slot holds nothing, an entry, or a further node. */
    private final Object[] root;

    private SharedMap(Object[] root) {
        this.root = root;
    }

    /** An entry, and those whose keys have the same hash. */
    private record Entry(String key, Object value, @Nullable Entry next) {

        @Nullable
        Object find(String wanted) {
            for (Entry entry = this; entry != null; entry = entry.next) {
                if (entry.key.equals(wanted)) {
                    return entry.value;
                }
            }
            return null;
        }

        /** Return these entries with another one, which replaces that of its key. */
        Entry with(String added, Object other) {
            if (key.equals(added)) {
                return new Entry(added, other, next);
            }
            return new Entry(key, value, next == null ? new Entry(added, other, null) : next.with(added, other));
        }
    }

    @SuppressWarnings("unchecked") // it has no values
    public static <V> SharedMap<V> empty() {
        return (SharedMap<V>) EMPTY;
    }

    /** Return this map with a value for a key, which replaces the one before. */
    public SharedMap<V> with(String key, V value) {
        return new SharedMap<>(with(root, 0, key, value));
    }

    private static Object[] with(Object[] node, int shift, String key, Object value) {
        Object[] changed = node.clone();
        int slot = slot(key, shift);
        Object there = changed[slot];
        if (there == null) {
            changed[slot] = new Entry(key, value, null);
        } else if (there instanceof Entry entry) {
            changed[slot] = entry.key().hashCode() == key.hashCode()
                    ? entry.with(key, value)
                    : with(below(entry, shift + BITS), shift + BITS, key, value);
        } else {
            changed[slot] = with((Object[]) there, shift + BITS, key, value);
        }
        return changed;
    }

    private static Object[] below(Entry entry, int shift) {
        Object[] node = new Object[WIDTH];
        node[slot(entry.key(), shift)] = entry;
        return node;
    }

    private static int slot(String key, int shift) {
        return (key.hashCode() >>> shift) & (WIDTH - 1);
    }

    /** Return the value of a key, if there is one. */
    @SuppressWarnings("unchecked") // values are put in by their type
    public Optional<V> get(String key) {
        Object there = root[slot(key, 0)];
        for (int shift = BITS; there instanceof Object[] node; shift += BITS) {
            there = node[slot(key, shift)];
        }
        return there instanceof Entry entry ? Optional.ofNullable((V) entry.find(key)) : Optional.empty();
    }
}
