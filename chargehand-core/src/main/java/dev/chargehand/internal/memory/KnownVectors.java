package dev.chargehand.internal.memory;

import dev.chargehand.store.memory.UnitVector;
import dev.chargehand.store.memory.VectorSpace;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The vectors of the texts that were searched for last. Thread-safe. */
final class KnownVectors {

    private static final int MOST = 256;

    private final Map<String, UnitVector> vectors = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, UnitVector> eldest) {
            return size() > MOST;
        }
    };

    /** Keep the vector of a text, if the text is as long as a passage at most. */
    synchronized void keep(String text, UnitVector vector) {
        if (text.length() <= Passages.LONGEST) {
            vectors.put(text, vector);
        }
    }

    /** Return the vector of a text in a space, if it is known. */
    synchronized Optional<UnitVector> find(String text, VectorSpace space) {
        return Optional.ofNullable(vectors.get(text)).filter(vector -> vector.dimensions() == space.dimensions());
    }
}
