package dev.chargehand.cli.config;

import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Rubric;
import dev.chargehand.completion.Scorer;
import dev.chargehand.completion.Scorers;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.model.ModelChoice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Reads the completion of an agent. */
final class CompletionReader {

    private static final List<String> KEYS = List.of(
            "scorers",
            "strategy",
            "continueOnFail",
            "feedbackToLLM",
            "sequential",
            "everyStep",
            "keepScores",
            "timeout",
            "scorerTimeout");

    private static final Map<String, Completion.Strategy> STRATEGIES =
            Map.of("all", Completion.Strategy.ALL, "any", Completion.Strategy.ANY);

    private static final List<String> SCORERS = List.of(
            "contains",
            "matches",
            "minLength",
            "maxLength",
            "jsonSchema",
            "citations",
            "citedFilesExist",
            "citedSourcesWereSeen",
            "toolCalled",
            "toolNotCalled",
            "judge",
            "rubric");

    private static final List<String> JUDGED = List.of("judge", "rubric");

    private static final List<String> BESIDE = List.of("name", "threshold", "model");

    private final String agent;
    private final Collection<String> tools;

    /** Prepares reading for an agent whose tools and sub-agents are called by these names. */
    CompletionReader(String agent, Collection<String> tools) {
        this.agent = agent;
        this.tools = tools;
    }

    CompletionEntry read(Section of) {
        String name = "'completion' of agent '" + agent + "'";
        Section section = of.section("completion", name).allowing(KEYS);
        List<Section> items = section.items("scorers", "a scorer of agent '" + agent + "'");
        if (items.isEmpty()) {
            throw of.at("completion").error(name + " has no scorers. Put a list of them below 'scorers'.");
        }
        List<ScorerEntry> scorers = items.stream().map(this::scorer).toList();
        Completion.Strategy strategy = section.choice("strategy", STRATEGIES);
        return new CompletionEntry(
                section.at("scorers"),
                strategy == null ? Completion.Strategy.ALL : strategy,
                scorers,
                options(section));
    }

    private static UnaryOperator<Completion> options(Section section) {
        List<UnaryOperator<Completion>> set = new ArrayList<>();
        Boolean continueOnFail = section.flag("continueOnFail");
        if (continueOnFail != null) {
            set.add(completion -> completion.continueOnFail(continueOnFail));
        }
        Boolean feedback = section.flag("feedbackToLLM");
        if (feedback != null) {
            set.add(completion -> completion.feedbackToLLM(feedback));
        }
        if (Boolean.TRUE.equals(section.flag("sequential"))) {
            set.add(Completion::inSequence);
        }
        if (Boolean.TRUE.equals(section.flag("everyStep"))) {
            set.add(Completion::everyStep);
        }
        if (Boolean.TRUE.equals(section.flag("keepScores"))) {
            set.add(Completion::keepScores);
        }
        Duration timeout = section.duration("timeout");
        if (timeout != null) {
            set.add(completion -> completion.timeout(timeout));
        }
        Duration scorerTimeout = section.duration("scorerTimeout");
        if (scorerTimeout != null) {
            set.add(completion -> completion.scorerTimeout(scorerTimeout));
        }
        return completion -> {
            Completion changed = completion;
            for (UnaryOperator<Completion> change : set) {
                changed = change.apply(changed);
            }
            return changed;
        };
    }

    private ScorerEntry scorer(Section item) {
        List<String> kinds =
                item.keys().stream().filter(key -> !BESIDE.contains(key)).toList();
        if (kinds.isEmpty()) {
            throw item.at()
                    .error("a scorer of agent '" + agent + "' says nothing of what it scores. One of these keys"
                            + " is needed: " + String.join(", ", SCORERS) + ".");
        }
        String kind = kinds.getFirst();
        if (!SCORERS.contains(kind)) {
            throw item.at(kind)
                    .error("unknown scorer '" + kind + "' of agent '" + agent + "'."
                            + Names.allowed("There are", kind, SCORERS));
        }
        if (kinds.size() > 1) {
            throw item.at(kinds.get(1))
                    .error("'" + kinds.get(1) + "' stands in the same scorer of agent '" + agent + "' as '" + kind
                            + "'. Give each scorer a '-' of its own; beside a scorer may stand: "
                            + String.join(", ", BESIDE) + ".");
        }
        if (item.keys().contains("model") && !JUDGED.contains(kind)) {
            throw item.at("model")
                    .error("scorer '" + kind + "' asks no model. 'model' may stand beside: judge, rubric.");
        }
        return scorer(kind, item, item.at(kind));
    }

    private ScorerEntry scorer(String kind, Section item, Position at) {
        UnaryOperator<Scorer> tuned = tuned(item);
        return switch (kind) {
            case "citedFilesExist" -> {
                item.nothing(kind);
                yield new ScorerEntry.OfDocuments(at, folder -> tuned.apply(Scorers.citedFilesExist(folder)));
            }
            case "judge" -> {
                String question = item.textOf(kind).text();
                yield new ScorerEntry.Judged(
                        at, item.text("model"), model -> tuned.apply(Scorers.judge("judge", model, question)));
            }
            case "rubric" -> rubric(item, at, tuned);
            default -> {
                Supplier<Scorer> maker = plain(kind, item);
                yield new ScorerEntry.Plain(at, ScorerEntry.blaming(at, () -> tuned.apply(maker.get())));
            }
        };
    }

    /** Reads the value, whose mistakes have a place of their own; the scorer may still refuse it. */
    private Supplier<Scorer> plain(String kind, Section item) {
        return switch (kind) {
            case "contains" -> {
                String[] texts =
                        item.oneOrMore(kind).stream().map(Setting::text).toArray(String[]::new);
                yield () -> Scorers.contains(texts);
            }
            case "matches" -> {
                String regex = item.textOf(kind).text();
                yield () -> Scorers.matches(regex);
            }
            case "jsonSchema" -> {
                Json schema = item.json(kind);
                yield () -> Scorers.jsonSchema(JsonSchema.of(schema));
            }
            case "minLength" -> counting(item.numberOf(kind, 1), Scorers::minLength);
            case "maxLength" -> counting(item.numberOf(kind, 1), Scorers::maxLength);
            case "citations" -> counting(item.numberOf(kind, 1), Scorers::citations);
            case "toolCalled" -> naming(tool(item.textOf(kind)), Scorers::toolCalled);
            case "toolNotCalled" -> naming(tool(item.textOf(kind)), Scorers::toolNotCalled);
            case "citedSourcesWereSeen" -> {
                item.nothing(kind);
                yield Scorers::citedSourcesWereSeen;
            }
            default -> throw new IllegalStateException("No such scorer: " + kind);
        };
    }

    private static Supplier<Scorer> counting(int number, IntFunction<Scorer> maker) {
        return () -> maker.apply(number);
    }

    private static Supplier<Scorer> naming(String name, Function<String, Scorer> maker) {
        return () -> maker.apply(name);
    }

    private String tool(Setting name) {
        if (!tools.contains(name.text())) {
            throw name.at()
                    .error("agent '" + agent + "' has no tool '" + name.text() + "'."
                            + Names.allowed("It has", name.text(), tools));
        }
        return name.text();
    }

    private ScorerEntry rubric(Section item, Position at, UnaryOperator<Scorer> tuned) {
        Section rubric = item.section("rubric", "'rubric'").allowing(List.of("required", "optional"));
        Map<String, String> required = rubric.words("required", "'required' of 'rubric'");
        Map<String, String> optional = rubric.words("optional", "'optional' of 'rubric'");
        if (required.isEmpty() && optional.isEmpty()) {
            throw at.error("'rubric' of agent '" + agent + "' has no criteria. Put them below 'required' or 'optional',"
                    + " such as sources: Every claim has a source.");
        }
        return new ScorerEntry.Judged(at, item.text("model"), model -> tuned.apply(rubric(model, required, optional)));
    }

    private static Rubric rubric(ModelChoice model, Map<String, String> required, Map<String, String> optional) {
        Rubric rubric = Rubric.of(model);
        for (Map.Entry<String, String> criterion : required.entrySet()) {
            rubric = rubric.required(criterion.getKey(), criterion.getValue());
        }
        for (Map.Entry<String, String> criterion : optional.entrySet()) {
            rubric = rubric.optional(criterion.getKey(), criterion.getValue());
        }
        return rubric;
    }

    private static UnaryOperator<Scorer> tuned(Section item) {
        Setting name = item.text("name");
        Double threshold = item.share("threshold");
        return scorer -> {
            Scorer named = name == null ? scorer : scorer.withName(name.text());
            return threshold == null ? named : named.withThreshold(threshold);
        };
    }
}
