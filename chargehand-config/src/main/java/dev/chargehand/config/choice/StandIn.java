package dev.chargehand.config.choice;

import dev.chargehand.config.internal.offline.OfflineModel;

/** Reads answers of the stand-in that replaces a model without a key. */
public final class StandIn {

    private StandIn() {}

    /**
     * Return whether a text is the stand-in's answer for which nothing was found that could be quoted.
     *
     * @param answer the text of a run; an answer of a model gives false, regardless of its words
     */
    public static boolean foundNothing(String answer) {
        return OfflineModel.foundNothing(answer);
    }
}
