package dev.chargehand.provider.fault;

import dev.chargehand.error.ModelException;
import java.util.List;

/** Checks the vectors of an answer. */
public final class ReturnedVectors {

    private ReturnedVectors() {}

    /**
     * Return vectors that can be used: one for each text, of the same number of dimensions, from 1, and of finite numbers.
     *
     * @param texts how many texts were embedded
     * @throws ModelException if they cannot
     */
    public static List<float[]> checked(List<float[]> vectors, int texts, ProviderFaults faults) {
        if (vectors.size() != texts) {
            throw faults.protocol("the answer has " + vectors.size() + " vectors for " + texts + " texts");
        }
        int dimensions = vectors.getFirst().length;
        for (float[] vector : vectors) {
            if (vector.length == 0) {
                throw faults.protocol("a vector of the answer has no numbers");
            }
            if (vector.length != dimensions) {
                throw faults.protocol("the vectors of the answer have different numbers of dimensions, " + dimensions
                        + " and " + vector.length);
            }
            for (float number : vector) {
                if (!Float.isFinite(number)) {
                    throw faults.protocol("a vector of the answer has a value that is not a finite number");
                }
            }
        }
        return vectors;
    }
}
