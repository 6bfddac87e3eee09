package dev.chargehand.internal.journal;

import java.util.ArrayList;
import java.util.List;

/** The places of facts among those of their tree. */
final class TreePositions {

    private TreePositions() {}

    /**
     * Give stored facts their tree positions.
     *
     * @param before the position before the first one; below 0 if the store could not say it, so that they get none
     */
    static List<Journal.Stored> placed(List<Journal.Stored> facts, long before) {
        List<Journal.Stored> placed = new ArrayList<>(facts.size());
        long position = before;
        for (Journal.Stored each : facts) {
            position++;
            placed.add(new Journal.Stored(each.fact(), each.after(), before < 0 ? 0 : position));
        }
        return placed;
    }
}
