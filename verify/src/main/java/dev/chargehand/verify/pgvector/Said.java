package dev.chargehand.verify.pgvector;

import dev.chargehand.store.memory.PassageQuery;
import dev.chargehand.store.memory.UnitVector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A message with the vectors of its passages, as it was stored.
 *
 * @param thread its thread
 * @param position its place there
 * @param passages the vectors, in their order
 */
record Said(Talk thread, long position, List<UnitVector> passages) {

    /** The greater one was said later. */
    static final Comparator<Said> OLDEST_FIRST = Comparator.comparingLong(Said::second)
            .thenComparingLong(Said::position)
            .thenComparingInt(said -> said.thread().number());

    private long second() {
        return thread.second() + position;
    }

    /** Return which message it is. */
    String name() {
        return thread.id() + " " + position;
    }

    /** Return the vector that is nearest to another one. */
    UnitVector nearestTo(UnitVector vector) {
        return passages.stream()
                .max(Comparator.comparingDouble(each -> product(each, vector)))
                .orElseThrow();
    }

    /** Return how near the message is to a vector, computed with doubles. */
    double score(UnitVector vector) {
        return product(nearestTo(vector), vector);
    }

    private static double product(UnitVector one, UnitVector other) {
        float[] a = one.components();
        float[] b = other.components();
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += (double) a[i] * b[i];
        }
        return sum;
    }

    /** Return those of an owner that a search may find, the nearest first. */
    static List<Said> candidates(List<Talk> talks, PassageQuery query) {
        PassageQuery.Among among = query.among();
        List<Said> candidates = new ArrayList<>();
        for (Talk talk : talks) {
            if (talk.owner().equals(query.owner())
                    && (among.onlyThread() == null || among.onlyThread().equals(talk.id()))) {
                talk.messages().stream()
                        .filter(said -> !said.passages().isEmpty()
                                && !(talk.id().equals(among.leftOut()) && said.position() >= among.from()))
                        .forEach(candidates::add);
            }
        }
        candidates.sort(Comparator.<Said>comparingDouble(said -> said.score(query.vector()))
                .thenComparing(OLDEST_FIRST)
                .reversed());
        return candidates;
    }
}
