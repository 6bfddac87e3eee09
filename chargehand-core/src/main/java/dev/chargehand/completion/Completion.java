package dev.chargehand.completion;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.text.TimeBound;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The condition under which a run is complete: scorers that evaluate each candidate answer, and the handling of a
 * failing answer.
 *
 * <p>An answer that passes ends the run with {@link dev.chargehand.run.StopReason.TaskComplete}. A failing answer is
 * returned to the model with the findings of each scorer, as long as the run has steps, unless {@link #continueOnFail}
 * is off. Immutable; every method returns a changed copy.
 */
public final class Completion {

    private final Settings settings;

    private Completion(Settings settings) {
        TimeBound.aboveZero(
                "The time limit of one scorer of a completion", settings.scorerTimeout, ConfigurationException::new);
        TimeBound.aboveZero("The time limit of a completion", settings.timeout, ConfigurationException::new);
        this.settings = settings;
    }

    /** Which scorers must pass. */
    public enum Strategy {
        /** All of them. */
        ALL,
        /** At least one. */
        ANY
    }

    private static List<Scorer> checked(List<Scorer> scorers) {
        if (scorers.isEmpty()) {
            throw new ConfigurationException("A completion needs at least one scorer.");
        }
        Set<String> names = new HashSet<>();
        for (Scorer scorer : scorers) {
            if (!names.add(scorer.name())) {
                throw new ConfigurationException("Two scorers of a completion are named '" + scorer.name()
                        + "'; names must be unique; give one of them another name, with withName(...).");
            }
            Texts.requireThreshold("Scorer '" + scorer.name() + "'", scorer.threshold());
        }
        return List.copyOf(scorers);
    }

    /** Complete a run when all scorers pass an answer. */
    public static Completion all(Scorer... scorers) {
        return of(Strategy.ALL, List.of(scorers));
    }

    /** Complete a run when at least one scorer passes an answer. */
    public static Completion any(Scorer... scorers) {
        return of(Strategy.ANY, List.of(scorers));
    }

    /** Complete a run by a list of scorers. */
    public static Completion of(Strategy strategy, List<Scorer> scorers) {
        return new Completion(new Settings(strategy, checked(scorers)));
    }

    private Completion with(Consumer<Settings> change) {
        Settings changed = new Settings(settings);
        change.accept(changed);
        return new Completion(changed);
    }

    /** Return the scorers, in order; at least one, with unique names. */
    public List<Scorer> scorers() {
        return settings.scorers;
    }

    /** Return whether all scorers must pass or one is enough. */
    public Strategy strategy() {
        return settings.strategy;
    }

    /** Return whether the run continues after an answer that failed. */
    public boolean continueOnFail() {
        return settings.continueOnFail;
    }

    /** Return whether the results of the scorers are given to the model. */
    public boolean feedbackToLLM() {
        return settings.feedbackToLLM;
    }

    /** Return whether scorers are called one after the other, until the outcome is known. */
    public boolean sequential() {
        return settings.sequential;
    }

    /** Return whether steps with tool calls are scored too, and not only candidate answers. */
    public boolean scoresEveryStep() {
        return settings.scoresEveryStep;
    }

    /** Return how long one scorer may take. */
    public Duration scorerTimeout() {
        return settings.scorerTimeout;
    }

    /** Return how long all scorers may take together. */
    public Duration timeout() {
        return settings.timeout;
    }

    /** Return whether every result is stored with the thread. */
    public boolean keepsScores() {
        return settings.keepsScores;
    }

    /** Return the observer of results, if there is one. */
    public Optional<Consumer<CompletionResult>> onComplete() {
        return Optional.ofNullable(settings.onComplete);
    }

    /** Set whether the run continues after an answer that failed. Default: true. */
    @CheckReturnValue
    public Completion continueOnFail(boolean value) {
        return with(changed -> changed.continueOnFail = value);
    }

    /** Set whether the results of the scorers are given to the model. Default: true. */
    @CheckReturnValue
    public Completion feedbackToLLM(boolean value) {
        return with(changed -> changed.feedbackToLLM = value);
    }

    /** Call the scorers one after the other, and no more of them once the outcome is known. Default: concurrently. */
    @CheckReturnValue
    public Completion inSequence() {
        return with(changed -> changed.sequential = true);
    }

    /** Score every step, those with tool calls too. Default: only candidate answers. */
    @CheckReturnValue
    public Completion everyStep() {
        return with(changed -> changed.scoresEveryStep = true);
    }

    /** Set how long one scorer may take. Default: 30 s. */
    @CheckReturnValue
    public Completion scorerTimeout(Duration value) {
        return with(changed -> changed.scorerTimeout = value);
    }

    /** Set how long all scorers may take together. Default: 60 s. */
    @CheckReturnValue
    public Completion timeout(Duration value) {
        return with(changed -> changed.timeout = value);
    }

    /**
     * Store every result with the thread, as an internal message of JSON behind the step that was scored: for readers
     * of threads, not for models. It is never replayed, and does not count among the messages that an agent remembers.
     * A run without a thread stores its results with the run alone, as every run does. Default: off.
     */
    @CheckReturnValue
    public Completion keepScores() {
        return with(changed -> changed.keepsScores = true);
    }

    /** Register an observer that is called with every result, after it is stored. Default: none. */
    @CheckReturnValue
    public Completion onComplete(Consumer<CompletionResult> hook) {
        return with(changed -> changed.onComplete = hook);
    }

    /** The values of a completion; changed only before the completion has them. */
    private static final class Settings {
        final Strategy strategy;
        final List<Scorer> scorers;
        boolean continueOnFail = true;
        boolean feedbackToLLM = true;
        boolean sequential;
        boolean scoresEveryStep;
        Duration scorerTimeout = Duration.ofSeconds(30);
        Duration timeout = Duration.ofSeconds(60);
        boolean keepsScores;

        @Nullable
        Consumer<CompletionResult> onComplete;

        Settings(Strategy strategy, List<Scorer> scorers) {
            this.strategy = strategy;
            this.scorers = scorers;
        }

        Settings(Settings other) {
            this(other.strategy, other.scorers);
            continueOnFail = other.continueOnFail;
            feedbackToLLM = other.feedbackToLLM;
            sequential = other.sequential;
            scoresEveryStep = other.scoresEveryStep;
            scorerTimeout = other.scorerTimeout;
            timeout = other.timeout;
            keepsScores = other.keepsScores;
            onComplete = other.onComplete;
        }
    }
}
