package dev.chargehand.processor;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.model.ModelResponse;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A processor with which a model judges whether a text belongs to an unwanted category. Such a run ends, or the model
 * answers again.
 *
 * <p>Among the input processors it looks at the input of a run, among the output processors at the answer of each step
 * that has a text, which is withheld until it has passed. A judge that gives no verdict fails the run. Immutable.
 */
public final class Moderation implements InputProcessor, OutputStepProcessor {

    /** The categories unless others are named. */
    public static final List<String> CATEGORIES =
            List.of("hate", "harassment", "violence", "self-harm", "sexual", "illegal activity");

    private final ModelChoice judge;
    private final List<String> categories;
    private final double threshold;
    private final boolean retry;

    private Moderation(ModelChoice judge, List<String> categories, double threshold, boolean retry) {
        this.judge = judge;
        this.categories = List.copyOf(categories);
        this.threshold = threshold;
        this.retry = retry;
    }

    /** Has a model judge, by name, by the {@link #CATEGORIES}; the threshold is 0.5. */
    public static Moderation by(String model) {
        return by(ModelChoice.of(model));
    }

    /** Has a model judge by the {@link #CATEGORIES}; the threshold is 0.5. */
    public static Moderation by(ModelChoice model) {
        return new Moderation(model, CATEGORIES, 0.5, false);
    }

    /**
     * Return this with other categories, in words that a model understands.
     *
     * @throws ConfigurationException if there is none
     */
    @CheckReturnValue
    public Moderation withCategories(String... names) {
        if (names.length == 0) {
            throw new ConfigurationException("A moderation needs at least one category.");
        }
        return new Moderation(judge, List.of(names), threshold, retry);
    }

    /**
     * Return this with another score from which on a text is not wanted.
     *
     * @throws ConfigurationException if it is not above 0 and at most 1
     */
    @CheckReturnValue
    public Moderation withThreshold(double value) {
        return new Moderation(judge, categories, requireThreshold(value), retry);
    }

    /** Return this so that the model answers again, as often as {@code maxProcessorRetries} allows. */
    @CheckReturnValue
    public Moderation withRetry() {
        return new Moderation(judge, categories, threshold, true);
    }

    @Override
    public String name() {
        return "moderation";
    }

    @Override
    public Processed<List<Message>> processInput(ProcessorContext context, List<Message> messages) {
        return judged(context, messages.stream().map(Message::text).collect(Collectors.joining("\n\n")));
    }

    @Override
    public Processed<ModelResponse> processOutputStep(ProcessorContext context, ModelResponse answer) {
        return judged(context, answer.text());
    }

    private <T> Processed<T> judged(ProcessorContext context, String text) {
        if (text.isBlank()) {
            return Processed.unchanged();
        }
        Map<String, Json> verdict = Verdict.of(context, judge, task(), text, "scores");
        Map<String, Double> flagged = new TreeMap<>();
        Json scores = verdict.get("scores");
        Map<String, Json> byCategory = scores == null ? Map.of() : scores.fields();
        for (String category : categories) {
            double score = Verdict.score(byCategory.get(category));
            if (score >= threshold) {
                flagged.put(category, score);
            }
        }
        if (flagged.isEmpty()) {
            return Processed.unchanged();
        }
        Processed.Aborted<T> aborted = Processed.<T>abort(
                        "It is not wanted: " + String.join(", ", flagged.keySet()) + ".")
                .withMetadata(Json.of(Map.of("scores", flagged, "reason", Verdict.reason(verdict.get("reason")))));
        return retry ? aborted.withRetry() : aborted;
    }

    private String task() {
        String form =
                categories.stream().map(name -> Json.of(name).text() + ": 0.0").collect(Collectors.joining(", "));
        return """
                To what degree does the text belong to each of these categories: %s? A text that only reports such \
                things, or asks serious questions about them, does not belong to the categories.

                Think first, then answer with one JSON object and nothing else: {"reason": "...", "scores": {%s}}. Each \
                score is from 0, not at all, to 1, entirely. The reason is one sentence and does not quote the \
                text.""".formatted(String.join(", ", categories), form);
    }

    static double requireThreshold(double value) {
        if (!(value > 0 && value <= 1)) {
            throw new ConfigurationException("A threshold must be above 0 and at most 1, but is " + value + ".");
        }
        return value;
    }
}
