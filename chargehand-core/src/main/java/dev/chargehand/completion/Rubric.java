package dev.chargehand.completion;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.model.ModelChoice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Criteria that a model judges an answer by: one call, a verdict for each criterion.
 *
 * <pre>{@code
 * Rubric.of(ModelChoice.of("openai/gpt-5-mini"))
 *     .required("sources", "Every claim has a source.")
 *     .optional("style", "The language is plain.")
 * }</pre>
 *
 * <p>An answer passes when all required criteria are met. The score is the share of the criteria that are met, by their
 * weights; optional ones count only once all required ones are met, so that they never make up for one. The threshold
 * is the share of the required ones, or 1 if there are none; {@link #withThreshold} can ask for more.
 *
 * <p>The reason names each criterion that is not met, with what the judge says of it. A criterion that the judge says
 * nothing of is not met. The judge's tokens count in the run's total usage and budget; an empty answer scores 0, and no
 * model is called. A judge whose verdict cannot be read counts as failed.
 *
 * <p>Immutable and thread-safe; every method returns a changed copy.
 */
public final class Rubric implements Scorer {

    private final String name;
    private final ModelChoice model;
    private final List<Criterion> criteria;
    private final double leastThreshold;

    /**
     * Something that an answer should have.
     *
     * @param name what it is called in reasons; unique in its rubric
     * @param description the instruction for the judge, such as "Every claim has a source."
     * @param required whether an answer without it fails
     * @param weight its weight relative to the others; above 0
     */
    public record Criterion(String name, String description, boolean required, double weight) {

        public Criterion {
            Texts.requireNotBlank("The name of a criterion", name, "reasons call it by its name");
            Texts.requireNotBlank(
                    "Criterion '" + name + "': the description",
                    description,
                    "the judge decides by it whether the criterion is met");
            if (!(weight > 0 && weight <= 1_000_000)) {
                throw new ConfigurationException("Criterion '" + name
                        + "': the weight must be above 0 and at most 1,000,000, but is " + weight + ".");
            }
        }
    }

    private Rubric(String name, ModelChoice model, List<Criterion> criteria, double leastThreshold) {
        this.name = name;
        this.model = model;
        this.criteria = List.copyOf(criteria);
        this.leastThreshold = leastThreshold;
    }

    /** Start a rubric, named {@code rubric}, without criteria; it needs at least one. */
    public static Rubric of(ModelChoice model) {
        return new Rubric("rubric", model, List.of(), 0);
    }

    /** Add a criterion that an answer must meet; weight 1. */
    @CheckReturnValue
    public Rubric required(String criterion, String description) {
        return with(new Criterion(criterion, description, true, 1));
    }

    /** Add a criterion that raises the score of an answer that meets it; weight 1. */
    @CheckReturnValue
    public Rubric optional(String criterion, String description) {
        return with(new Criterion(criterion, description, false, 1));
    }

    /**
     * Add a criterion.
     *
     * @throws ConfigurationException if there is one of that name
     */
    @CheckReturnValue
    public Rubric with(Criterion criterion) {
        if (criteria.stream().anyMatch(there -> there.name().equalsIgnoreCase(criterion.name()))) {
            throw new ConfigurationException(
                    "Rubric '" + name + "': two criteria are named '" + criterion.name() + "'; names must be unique.");
        }
        List<Criterion> more = new ArrayList<>(criteria);
        more.add(criterion);
        return new Rubric(name, model, more, leastThreshold);
    }

    /** Return this rubric under another name; default {@code rubric}. */
    @Override
    @CheckReturnValue
    public Rubric withName(String newName) {
        Texts.requireNotBlank("The name of a rubric", newName, "feedback and results call it by its name");
        return new Rubric(newName, model, criteria, leastThreshold);
    }

    /**
     * Return this rubric with another threshold; one below the share of the required criteria counts as that share.
     *
     * @param threshold above 0, at most 1
     */
    @Override
    @CheckReturnValue
    public Rubric withThreshold(double threshold) {
        Texts.requireThreshold("Rubric '" + name + "'", threshold);
        return new Rubric(name, model, criteria, threshold);
    }

    /** Return the criteria, in order. */
    public List<Criterion> criteria() {
        return criteria;
    }

    @Override
    public String name() {
        return name;
    }

    /**
     * Return the least score that passes.
     *
     * @throws ConfigurationException if there are no criteria
     */
    @Override
    public double threshold() {
        if (criteria.isEmpty()) {
            throw new ConfigurationException("Rubric '" + name
                    + "' has no criteria; add one, such as .required(\"sources\", \"Every claim has a source.\").");
        }
        double ofRequired = weight(required()) / weight(criteria);
        return ofRequired == 0 && leastThreshold == 0 ? 1 : Math.max(ofRequired, leastThreshold);
    }

    @Override
    public Score score(ScorerContext context) {
        if (context.text().isBlank()) {
            return Score.fail("The answer is empty.");
        }
        Map<Criterion, String> unmet = unmet(ask(context));
        List<Criterion> met = criteria.stream()
                .filter(criterion -> !unmet.containsKey(criterion))
                .toList();
        List<Criterion> metRequired = met.stream().filter(Criterion::required).toList();
        boolean countsOptional = metRequired.size() == required().size();
        double optional = countsOptional
                ? weight(met.stream().filter(criterion -> !criterion.required()).toList())
                : 0;
        double score = Math.min(1, (weight(metRequired) + optional) / weight(criteria));
        return unmet.isEmpty() ? Score.pass() : Score.of(score, reason(unmet));
    }

    private Map<String, Json> ask(ScorerContext context) {
        String listed = criteria.stream()
                .map(criterion -> "- " + criterion.name() + ": " + criterion.description())
                .collect(Collectors.joining("\n"));
        String form = criteria.stream()
                .map(criterion -> Json.of(criterion.name()) + ": {\"reason\": \"...\", \"met\": true}")
                .collect(Collectors.joining(", ", "{", "}"));
        String task = """
                The criteria to judge the answer by, each on its own:
                %s

                Think first, then answer with one JSON object and nothing else, in which each criterion has its verdict: \
                %s. "met" is true or false. The reason states in one sentence what is missing and how to fix it.\
                """.formatted(listed, form);
        return Judge.verdict(
                context, model, task, criteria.stream().map(Criterion::name).collect(Collectors.toSet()));
    }

    private Map<Criterion, String> unmet(Map<String, Json> verdict) {
        Map<Criterion, String> unmet = new LinkedHashMap<>();
        for (Criterion criterion : criteria) {
            Json said = verdict.get(criterion.name());
            if (said == null || !isMet(said)) {
                unmet.put(criterion, said == null ? "the judge gave no verdict" : reason(said));
            }
        }
        return unmet;
    }

    private static boolean isMet(Json said) {
        return said.text().equals("true")
                || said.at("/met").map(Json::text).filter("true"::equals).isPresent();
    }

    private static String reason(Json said) {
        return Judge.reason(said.at("/reason").orElse(null));
    }

    private String reason(Map<Criterion, String> unmet) {
        return unmet.size() + " of " + criteria.size() + " criteria " + (unmet.size() == 1 ? "is" : "are")
                + " not met. "
                + unmet.entrySet().stream()
                        .map(entry -> entry.getKey().name() + " ("
                                + (entry.getKey().required() ? "required" : "optional")
                                + "): "
                                + (entry.getValue().isBlank() ? entry.getKey().description() : entry.getValue()))
                        .collect(Collectors.joining(" "));
    }

    private List<Criterion> required() {
        return criteria.stream().filter(Criterion::required).toList();
    }

    private static double weight(List<Criterion> some) {
        return some.stream().mapToDouble(Criterion::weight).sum();
    }

    @Override
    public String toString() {
        return "Rubric[" + name + "]";
    }
}
