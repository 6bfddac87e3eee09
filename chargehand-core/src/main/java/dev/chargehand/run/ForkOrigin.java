package dev.chargehand.run;

import dev.chargehand.error.ConfigurationException;
import java.util.List;

/**
 * The source of a forked run.
 *
 * @param runId the run it continues from
 * @param step the last step of that run that it has a copy of; 0 for none
 * @param replaced what the fork has in place of what the source run had, in the words of the fork: {@code agent},
 *     {@code version}, {@code model}, {@code input}; of a workflow {@code workflow}, {@code input}, {@code state}, and {@code output
 *     PATH} for each output that was given. Empty for none, and for forks that were stored before it was known.
 */
public record ForkOrigin(RunId runId, int step, List<String> replaced) {

    public ForkOrigin {
        if (step < 0) {
            throw new ConfigurationException(
                    "A run is forked after one of its steps, or before the first: step 0, not " + step + ".");
        }
        replaced = List.copyOf(replaced);
    }
}
