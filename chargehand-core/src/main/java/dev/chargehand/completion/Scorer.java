package dev.chargehand.completion;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.error.ConfigurationException;

/**
 * A rule that evaluates an answer. Thread-safe: one scorer serves any number of runs at once.
 *
 * <pre>{@code
 * Scorer polite = Scorer.of("polite", run -> run.output().contains("please")
 *     ? Score.pass()
 *     : Score.fail("Add 'please'."));
 * }</pre>
 *
 * <p>The same scorers decide whether a run is complete, see {@link Completion}, and can be used on their own to
 * evaluate answers.
 */
public interface Scorer {

    /** Return its name, as it is in feedback, results and events. */
    String name();

    /** Return the minimum score that passes; default 1, the full score. */
    default double threshold() {
        return 1.0;
    }

    /**
     * Score an answer, on a virtual thread of its own that is interrupted when its time is up.
     *
     * @throws Exception if it cannot; the answer then counts as failed, and the feedback says that the scorer failed
     */
    Score score(ScorerContext context) throws Exception;

    /** A function that scores. */
    @FunctionalInterface
    interface Function {

        /** Score an answer; see {@link Scorer#score}. */
        Score score(ScorerContext context) throws Exception;
    }

    /**
     * Make a scorer of a function.
     *
     * @throws ConfigurationException if the name is blank
     */
    static Scorer of(String name, Function function) {
        return new NamedScorer(name, 1.0, function);
    }

    /**
     * Return this scorer under another name, as two of a kind in one completion need.
     *
     * @throws ConfigurationException if it is blank
     */
    @CheckReturnValue
    default Scorer withName(String name) {
        return new NamedScorer(name, threshold(), this::score);
    }

    /**
     * Return this scorer with another threshold.
     *
     * @param threshold above 0, at most 1
     * @throws ConfigurationException if it is not
     */
    @CheckReturnValue
    default Scorer withThreshold(double threshold) {
        return new NamedScorer(name(), threshold, this::score);
    }
}
