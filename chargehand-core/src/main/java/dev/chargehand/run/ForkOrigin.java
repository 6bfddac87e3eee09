package dev.chargehand.run;

import dev.chargehand.error.ConfigurationException;

/**
 * The source of a forked run.
 *
 * @param runId the run it continues from
 * @param step the last step of that run that it has a copy of; 0 for none
 */
public record ForkOrigin(RunId runId, int step) {

    public ForkOrigin {
        if (step < 0) {
            throw new ConfigurationException(
                    "A run is forked after one of its steps, or before the first: step 0, not " + step + ".");
        }
    }
}
