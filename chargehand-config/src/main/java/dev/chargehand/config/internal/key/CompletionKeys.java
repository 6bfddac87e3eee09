package dev.chargehand.config.internal.key;

import dev.chargehand.completion.Completion;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The keys of {@code completion}. */
public final class CompletionKeys {

    public static final Key<Void> SCORERS = Key.of(
            "scorers",
            Shape.unread(Shape.schema(
                    "type",
                    "array",
                    "minItems",
                    1,
                    "items",
                    Shape.anyOf(
                            Shape.schema(
                                    "enum",
                                    List.of(
                                            ScorerKeys.CITED_FILES_EXIST.name(),
                                            ScorerKeys.CITED_SOURCES_WERE_SEEN.name())),
                            Shape.reference("scorer")))),
            "The scorers of each answer; at least one.");

    public static final Key<Completion.Strategy> STRATEGY = Key.of(
                    "strategy",
                    Shape.choice(Map.entry("all", Completion.Strategy.ALL), Map.entry("any", Completion.Strategy.ANY)),
                    "Which of them must pass.")
            .orElse("all");

    public static final Key<Boolean> CONTINUE_ON_FAIL = Key.of(
                    "continueOnFail", Shape.FLAG, "false ends the run with an answer that failed.")
            .orElse(true);

    public static final Key<Boolean> FEEDBACK_TO_LLM = Key.of(
                    "feedbackToLLM", Shape.FLAG, "false calls the model again without the reasons.")
            .orElse(true);

    public static final Key<Boolean> SEQUENTIAL = Key.of(
                    "sequential", Shape.FLAG, "Calls one scorer after the other, until the outcome is certain.")
            .orElse(false);

    public static final Key<Boolean> EVERY_STEP = Key.of(
                    "everyStep", Shape.FLAG, "Scores steps with calls of tools too.")
            .orElse(false);

    public static final Key<Boolean> KEEP_SCORES =
            Key.of("keepScores", Shape.FLAG, "Stores the scores in the thread.").orElse(false);

    public static final Key<Duration> TIMEOUT =
            Key.of("timeout", Shape.TIME, "For all scorers together.").orElse("60s");

    public static final Key<Duration> SCORER_TIMEOUT =
            Key.of("scorerTimeout", Shape.TIME, "For one of them.").orElse("30s");

    public static final KeySection SECTION = KeySection.of(
                    "completion",
                    "The condition under which its task is done; by default its model decides.",
                    SCORERS,
                    STRATEGY,
                    CONTINUE_ON_FAIL,
                    FEEDBACK_TO_LLM,
                    SEQUENTIAL,
                    EVERY_STEP,
                    KEEP_SCORES,
                    TIMEOUT,
                    SCORER_TIMEOUT)
            .requiring(SCORERS);

    private CompletionKeys() {}
}
