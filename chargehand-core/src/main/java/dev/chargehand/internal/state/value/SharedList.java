package dev.chargehand.internal.state.value;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;

/**
 * A list that shares with the list it was made from all but the path to the changed element, so that a change costs the
 * same in a short list and in a long one: a tree whose nodes have at most 32 entries. Immutable.
 */
public final class SharedList<E> extends AbstractList<E> implements RandomAccess {

    private static final int BITS = 5;
    private static final int WIDTH = 1 << BITS;
    private static final SharedList<?> EMPTY = new SharedList<>(new Object[0], 0, 0);

    private final Object[] root;

    /** By how many bits an index is shifted at the root; 0 if the root holds elements. */
    private final int shift;

    private final int size;

    private SharedList(Object[] root, int shift, int size) {
        this.root = root;
        this.shift = shift;
        this.size = size;
    }

    @SuppressWarnings("unchecked") // it has no elements
    public static <E> SharedList<E> empty() {
        return (SharedList<E>) EMPTY;
    }

    public static <E> SharedList<E> of(List<E> elements) {
        Object[] level = elements.toArray();
        int shift = 0;
        for (; level.length > WIDTH; shift += BITS) {
            level = grouped(level);
        }
        return new SharedList<>(level, shift, elements.size());
    }

    private static Object[] grouped(Object[] entries) {
        Object[] nodes = new Object[(entries.length + WIDTH - 1) / WIDTH];
        for (int i = 0; i < nodes.length; i++) {
            nodes[i] = Arrays.copyOfRange(entries, i * WIDTH, Math.min(entries.length, (i + 1) * WIDTH));
        }
        return nodes;
    }

    /** Return these elements and one more. */
    public SharedList<E> plus(E element) {
        boolean full = size == 1 << (shift + BITS);
        return full
                ? new SharedList<>(new Object[] {root, path(shift, element)}, shift + BITS, size + 1)
                : new SharedList<>(set(root, shift, size, element), shift, size + 1);
    }

    /** Return these elements with another one at an index. */
    public SharedList<E> with(int index, E element) {
        return new SharedList<>(set(root, shift, Objects.checkIndex(index, size), element), shift, size);
    }

    private static Object[] set(Object[] node, int shift, int index, Object element) {
        int slot = slot(index, shift);
        Object[] changed = Arrays.copyOf(node, Math.max(node.length, slot + 1));
        if (shift == 0) {
            changed[slot] = element;
        } else {
            changed[slot] = slot < node.length
                    ? set((Object[]) node[slot], shift - BITS, index, element)
                    : path(shift - BITS, element);
        }
        return changed;
    }

    /** Return a node that holds only one element. */
    private static Object[] path(int shift, Object element) {
        return new Object[] {shift == 0 ? element : path(shift - BITS, element)};
    }

    private static int slot(int index, int shift) {
        return (index >>> shift) & (WIDTH - 1);
    }

    @Override
    @SuppressWarnings("unchecked") // elements are put in by their type
    public E get(int index) {
        Objects.checkIndex(index, size);
        Object[] node = root;
        for (int level = shift; level > 0; level -= BITS) {
            node = (Object[]) node[slot(index, level)];
        }
        return (E) node[slot(index, 0)];
    }

    @Override
    public int size() {
        return size;
    }
}
