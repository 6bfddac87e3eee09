package dev.chargehand.store.memory;

/**
 * A set of vectors that can be compared with each other. Vectors of two spaces never are.
 *
 * @param model the name of the model that made them
 * @param dimensions how many numbers a vector has, from 1
 * @param passageRule the version of the rule by which messages are split into passages
 */
public record VectorSpace(String model, int dimensions, int passageRule) {

    public VectorSpace {
        if (dimensions < 1) {
            throw new IllegalArgumentException("A vector has at least 1 dimension, not " + dimensions + ".");
        }
    }

    /**
     * Check that a vector is of this space.
     *
     * @return the vector
     * @throws IllegalArgumentException if it has another number of dimensions
     */
    public UnitVector require(UnitVector vector) {
        if (vector.dimensions() != dimensions) {
            throw new IllegalArgumentException(
                    "A vector of " + vector.dimensions() + " dimensions is not of the space " + name() + ".");
        }
        return vector;
    }

    /** Return its name, which is unique. */
    public String name() {
        return model + "/" + dimensions + "/" + passageRule;
    }

    @Override
    public String toString() {
        return name();
    }
}
