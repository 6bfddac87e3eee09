package dev.chargehand.workflow;

/**
 * Bounds a loop.
 *
 * @param most how many iterations it has at most, from 1; the limit of the run holds too
 */
public record Repeat(int most) {

    public Repeat {
        Rules.between("The number of iterations of a loop", 1, Integer.MAX_VALUE, most);
    }

    /**
     * Bound a loop to a number of iterations; a run that needs more ends there.
     *
     * @throws dev.chargehand.error.ConfigurationException if it is below 1
     */
    public static Repeat atMost(int iterations) {
        return new Repeat(iterations);
    }
}
