package dev.chargehand.store.memory;

import dev.chargehand.annotation.Experimental;
import dev.chargehand.store.memory.NearestMessages.Message;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The vectors of one thread and which messages have theirs, for a store that holds them in memory. Not thread-safe. */
@Experimental
public final class VectorRows {

    private final Map<VectorSpace, Indexed> spaces = new HashMap<>();

    private record Part(long position, int part) {}

    private record Indexed(IndexedRange range, Map<Part, Vector> vectors) {}

    /** The vector of a passage of a message. Immutable; the bytes must not be changed. */
    public static final class Vector {

        private final Message message;
        private final int part;
        private final byte[] quantized;

        /** Create a vector of {@link UnitVector#quantized()}. */
        public Vector(Message message, int part, byte[] quantized) {
            this.message = message;
            this.part = part;
            this.quantized = quantized;
        }

        /** Return the message. */
        public Message message() {
            return message;
        }

        /** Return the vector in eight bits for each dimension. */
        public byte[] quantized() {
            return quantized;
        }

        /** Return the vector of the same passage in a copy of its thread. */
        private Vector ofThread(long number) {
            return new Vector(new Message(number, message.position(), message.saidAt()), part, quantized);
        }
    }

    /** Return which messages have their vectors in a space. */
    public Optional<IndexedRange> range(VectorSpace space) {
        return Optional.ofNullable(spaces.get(space)).map(Indexed::range);
    }

    /** Add vectors, but for passages that have theirs, and set the range. */
    public void add(VectorSpace space, IndexedRange next, Stream<Vector> more) {
        Indexed before = spaces.get(space);
        Indexed after = new Indexed(next, before == null ? new HashMap<>() : before.vectors());
        more.forEach(
                vector -> after.vectors().putIfAbsent(new Part(vector.message().position(), vector.part), vector));
        spaces.put(space, after);
    }

    /** Return the vectors of a space. */
    public Stream<Vector> vectors(VectorSpace space) {
        Indexed indexed = spaces.get(space);
        return indexed == null ? Stream.empty() : indexed.vectors().values().stream();
    }

    /** Delete the vectors of some messages. */
    public void deleteAt(Set<Long> positions) {
        spaces.values()
                .forEach(indexed -> indexed.vectors().keySet().removeIf(part -> positions.contains(part.position())));
    }

    /** Delete the vectors of a space and their range; returns how many vectors. */
    public int delete(VectorSpace space) {
        Indexed deleted = spaces.remove(space);
        return deleted == null ? 0 : deleted.vectors().size();
    }

    /**
     * Delete vectors of a space, those of the first messages first, and their range with the last ones; returns how many of both. A message
     * of the range has all its vectors at any time.
     *
     * @param limit how many vectors at most, but for those of the last message; at least 1
     */
    public int delete(VectorSpace space, int limit) {
        Indexed indexed = spaces.get(space);
        if (indexed == null) {
            return 0;
        }
        List<Long> positions = indexed.vectors().keySet().stream()
                .map(Part::position)
                .sorted(Comparator.naturalOrder())
                .toList();
        if (positions.size() < limit) {
            return delete(space) + 1;
        }
        long next = positions.get(limit - 1) + 1;
        IndexedRange range = indexed.range();
        indexed.vectors().keySet().removeIf(part -> part.position() < next);
        spaces.put(
                space,
                new Indexed(
                        new IndexedRange(Math.min(next, range.high()), range.high(), range.tries(), range.retryAt()),
                        indexed.vectors()));
        return positions.size() - indexed.vectors().size();
    }

    /**
     * Add what another thread has of its messages before a position to this, which is empty.
     *
     * @param number the number of this thread
     */
    public void copy(VectorRows other, long number, long before) {
        other.spaces.forEach((space, indexed) -> {
            IndexedRange range = indexed.range();
            if (range.low() < before) {
                add(
                        space,
                        IndexedRange.of(range.low(), Math.min(range.high(), before)),
                        indexed.vectors().values().stream()
                                .filter(vector -> vector.message().position() < before)
                                .map(vector -> vector.ofThread(number)));
            }
        });
    }
}
