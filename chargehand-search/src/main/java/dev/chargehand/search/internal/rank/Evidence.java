package dev.chargehand.search.internal.rank;

/**
 * What speaks for a passage as the answer to a question.
 *
 * @param words how well its words fit, against all that the question's words are worth; from 0 to 1
 * @param rival the best score of another place against that of its place, from 0 to 1: words that stand together by
 *     chance do so in several places
 * @param heading the share of the question that its innermost heading has, from 0 to 1
 */
record Evidence(double words, double rival, double heading) {

    // Fitted by logistic regression to whether the first passage is right, for 344 questions (ADR 0142).
    private static final double BASE = -1.4;
    private static final double WORDS = 4.55;
    private static final double RIVAL = -2.75;
    private static final double HEADING = 1.2;

    /** Return how sure it is that the passage answers the question, from 0 to 1. */
    double sure() {
        return 1 / (1 + Math.exp(-(BASE + WORDS * words + RIVAL * rival + HEADING * heading)));
    }
}
