package dev.chargehand.verify.soak;

import java.util.SplittableRandom;

/** What a run of the soak does. */
enum Traffic {
    /** A model call, a tool call, an answer. */
    PLAIN(70),
    /** A supervisor delegates to a worker, which uses a tool. */
    DELEGATION(15),
    /** A call below a supervisor waits for an approval, of which a third never comes. */
    APPROVAL(5),
    /** A run that is cancelled in the middle of its answer. */
    ABORT(5),
    /** A provider that breaks off, is overloaded, or sends no finish reason. */
    FAULT(5);

    private final int share;

    Traffic(int share) {
        this.share = share;
    }

    /** Draw a kind by its share of a hundred. */
    static Traffic draw(SplittableRandom random) {
        int left = random.nextInt(100);
        for (Traffic kind : values()) {
            left -= kind.share;
            if (left < 0) {
                return kind;
            }
        }
        throw new IllegalStateException("The shares are less than a hundred.");
    }
}
