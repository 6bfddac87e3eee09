package dev.chargehand.completion;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.text.ReadableTime;
import dev.chargehand.run.CompletionResult;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * When a run is complete: scorers that look at each candidate answer, and what becomes of one that fails.
 *
 * <p>An answer that passes ends the run with {@link dev.chargehand.run.StopReason.TaskComplete}. One that fails is given
 * back to the model with what each scorer said, as long as the run has steps, unless {@link #continueOnFail} is off.
 * Immutable; every method returns a changed copy.
 *
 * @param scorers the scorers, in order; at least one, names unique
 * @param strategy whether all must pass or one is enough
 * @param continueOnFail whether the run goes on after an answer that failed; default true
 * @param feedbackToLLM whether the model is told what each scorer said; default true
 * @param sequential whether scorers are asked one after the other, until the outcome is known; default false
 * @param scoresEveryStep whether steps with tool calls are scored too; default false, only candidate answers are
 * @param scorerTimeout how long one scorer may take; default 30 s
 * @param timeout how long all of them may take together; default 60 s
 * @param keepsScores whether every result is kept with the thread; default false
 * @param onComplete hears of every result, or null
 */
public record Completion(
        List<Scorer> scorers,
        Strategy strategy,
        boolean continueOnFail,
        boolean feedbackToLLM,
        boolean sequential,
        boolean scoresEveryStep,
        Duration scorerTimeout,
        Duration timeout,
        boolean keepsScores,
        @Nullable Consumer<CompletionResult> onComplete) {

    /** Which scorers must pass. */
    public enum Strategy {
        /** All of them. */
        ALL,
        /** At least one. */
        ANY
    }

    public Completion {
        scorers = List.copyOf(scorers);
        if (scorers.isEmpty()) {
            throw new ConfigurationException("A completion needs at least one scorer.");
        }
        Set<String> names = new HashSet<>();
        for (Scorer scorer : scorers) {
            if (!names.add(scorer.name())) {
                throw new ConfigurationException("Two scorers of a completion are named '" + scorer.name()
                        + "'; names must be unique; give one of them another name.");
            }
            double threshold = scorer.threshold();
            if (!(threshold > 0 && threshold <= 1)) {
                throw new ConfigurationException("Scorer '" + scorer.name()
                        + "': the threshold must be above 0 and at most 1, but is " + threshold + ".");
            }
        }
        requirePositive("time limit of one scorer", scorerTimeout);
        requirePositive("time limit", timeout);
    }

    private static void requirePositive(String what, Duration value) {
        if (!value.isPositive()) {
            throw new ConfigurationException(
                    "The " + what + " of a completion must be above zero, but is " + ReadableTime.of(value) + ".");
        }
    }

    /** Completes a run when all scorers pass an answer. */
    public static Completion all(Scorer... scorers) {
        return of(Strategy.ALL, List.of(scorers));
    }

    /** Completes a run when at least one scorer passes an answer. */
    public static Completion any(Scorer... scorers) {
        return of(Strategy.ANY, List.of(scorers));
    }

    /** Completes a run by a list of scorers. */
    public static Completion of(Strategy strategy, List<Scorer> scorers) {
        return new Completion(
                scorers,
                strategy,
                true,
                true,
                false,
                false,
                Duration.ofSeconds(30),
                Duration.ofSeconds(60),
                false,
                null);
    }

    /** Sets whether the run goes on after an answer that failed. */
    public Completion continueOnFail(boolean value) {
        return new Completion(
                scorers,
                strategy,
                value,
                feedbackToLLM,
                sequential,
                scoresEveryStep,
                scorerTimeout,
                timeout,
                keepsScores,
                onComplete);
    }

    /** Sets whether the model is told what each scorer said. */
    public Completion feedbackToLLM(boolean value) {
        return new Completion(
                scorers,
                strategy,
                continueOnFail,
                value,
                sequential,
                scoresEveryStep,
                scorerTimeout,
                timeout,
                keepsScores,
                onComplete);
    }

    /** Asks the scorers one after the other, and no more of them once the outcome is known. */
    public Completion inSequence() {
        return new Completion(
                scorers,
                strategy,
                continueOnFail,
                feedbackToLLM,
                true,
                scoresEveryStep,
                scorerTimeout,
                timeout,
                keepsScores,
                onComplete);
    }

    /** Scores every step, those with tool calls too. */
    public Completion everyStep() {
        return new Completion(
                scorers,
                strategy,
                continueOnFail,
                feedbackToLLM,
                sequential,
                true,
                scorerTimeout,
                timeout,
                keepsScores,
                onComplete);
    }

    /** Sets how long one scorer may take. */
    public Completion scorerTimeout(Duration value) {
        return new Completion(
                scorers,
                strategy,
                continueOnFail,
                feedbackToLLM,
                sequential,
                scoresEveryStep,
                value,
                timeout,
                keepsScores,
                onComplete);
    }

    /** Sets how long all scorers may take together. */
    public Completion timeout(Duration value) {
        return new Completion(
                scorers,
                strategy,
                continueOnFail,
                feedbackToLLM,
                sequential,
                scoresEveryStep,
                scorerTimeout,
                value,
                keepsScores,
                onComplete);
    }

    /**
     * Keeps every result with the thread, as an internal message of JSON behind the step that was scored: for those who
     * read threads, not for models. It is never replayed, and does not count among the messages that an agent remembers.
     * A run without a thread keeps its results with the run alone, as every run does.
     */
    public Completion keepScores() {
        return new Completion(
                scorers,
                strategy,
                continueOnFail,
                feedbackToLLM,
                sequential,
                scoresEveryStep,
                scorerTimeout,
                timeout,
                true,
                onComplete);
    }

    /** Sets who hears of every result, after it is stored. */
    public Completion onComplete(Consumer<CompletionResult> hook) {
        return new Completion(
                scorers,
                strategy,
                continueOnFail,
                feedbackToLLM,
                sequential,
                scoresEveryStep,
                scorerTimeout,
                timeout,
                keepsScores,
                hook);
    }
}
