package dev.chargehand.config.internal.file;

import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Rubric;
import dev.chargehand.completion.Scorer;
import dev.chargehand.completion.Scorers;
import dev.chargehand.config.internal.key.CompletionKeys;
import dev.chargehand.config.internal.key.Key;
import dev.chargehand.config.internal.key.KeySection;
import dev.chargehand.config.internal.key.ScorerKeys;
import dev.chargehand.document.Mistakes;
import dev.chargehand.document.NameSuggestions;
import dev.chargehand.document.Position;
import dev.chargehand.document.Section;
import dev.chargehand.document.Setting;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.model.ModelChoice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Reads the completion of an agent. */
final class CompletionReader {

    /** A placeholder for the judging model, to find mistakes in its settings. */
    private static final ModelChoice SOME_MODEL = ModelChoice.of("any/model");

    private final String agent;
    private final Collection<String> tools;
    private final Mistakes mistakes;

    /** Prepare reading for an agent whose tools and sub-agents are called by these names. */
    CompletionReader(String agent, Collection<String> tools, Mistakes mistakes) {
        this.agent = agent;
        this.tools = tools;
        this.mistakes = mistakes;
    }

    CompletionEntry read(Section of) {
        String name = "'completion' of agent '" + agent + "'";
        Section section = of.section("completion", name).allowing(CompletionKeys.SECTION.names());
        List<Section> items = section.items("scorers", "a scorer of agent '" + agent + "'");
        if (items.isEmpty() && (!section.has("scorers") || section.isList("scorers"))) {
            mistakes.add(of.at("completion"), name + " has no scorers. Put a list of them below 'scorers'.");
        }
        List<ScorerEntry> scorers =
                items.stream().map(this::scorer).flatMap(Optional::stream).toList();
        requireNames(scorers);
        Completion.Strategy strategy = CompletionKeys.STRATEGY.in(section);
        return new CompletionEntry(
                section.at("scorers"),
                strategy == null ? Completion.Strategy.ALL : strategy,
                scorers,
                options(section));
    }

    private static UnaryOperator<Completion> options(Section section) {
        List<UnaryOperator<Completion>> set = new ArrayList<>();
        Boolean continueOnFail = CompletionKeys.CONTINUE_ON_FAIL.in(section);
        if (continueOnFail != null) {
            set.add(completion -> completion.continueOnFail(continueOnFail));
        }
        Boolean feedback = CompletionKeys.FEEDBACK_TO_LLM.in(section);
        if (feedback != null) {
            set.add(completion -> completion.feedbackToLLM(feedback));
        }
        if (Boolean.TRUE.equals(CompletionKeys.SEQUENTIAL.in(section))) {
            set.add(Completion::inSequence);
        }
        if (Boolean.TRUE.equals(CompletionKeys.EVERY_STEP.in(section))) {
            set.add(Completion::everyStep);
        }
        if (Boolean.TRUE.equals(CompletionKeys.KEEP_SCORES.in(section))) {
            set.add(Completion::keepScores);
        }
        Duration timeout = CompletionKeys.TIMEOUT.in(section);
        if (timeout != null) {
            set.add(completion -> completion.timeout(timeout));
        }
        Duration scorerTimeout = CompletionKeys.SCORER_TIMEOUT.in(section);
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

    /** Scorers of the same name cannot be distinguished in the scores; a scorer knows its own name. */
    private void requireNames(List<ScorerEntry> scorers) {
        Set<String> names = new HashSet<>();
        for (ScorerEntry entry : scorers) {
            Optional<Scorer> scorer =
                    switch (entry) {
                        case ScorerEntry.Plain plain -> Optional.of(plain.scorer());
                        case ScorerEntry.Judged judged ->
                            made(judged.at(), () -> judged.maker().apply(SOME_MODEL));
                        case ScorerEntry.OfDocuments ignored -> Optional.empty();
                    };
            scorer.map(Scorer::name)
                    .filter(name -> !names.add(name))
                    .ifPresent(name -> mistakes.add(
                            entry.at(),
                            "two scorers of agent '" + agent + "' are named '" + name
                                    + "'. Give one of them a 'name: ...'."));
        }
    }

    private Optional<ScorerEntry> scorer(Section item) {
        if (item.keys().isEmpty()) {
            mistakes.add(item.at(), nothingIn());
            return Optional.empty();
        }
        List<String> kinds = item.keys().stream()
                .filter(key -> !KeySection.names(ScorerKeys.ADDED).contains(key))
                .toList();
        if (kinds.isEmpty()) {
            mistakes.add(item.at(), nothingIn());
            return Optional.empty();
        }
        String kind = kinds.getFirst();
        if (!KeySection.names(ScorerKeys.KINDS).contains(kind)) {
            mistakes.add(
                    item.at(kind),
                    "unknown scorer '" + Section.shown(kind) + "' of agent '" + agent + "'."
                            + NameSuggestions.allowed("There are", kind, KeySection.names(ScorerKeys.KINDS)));
            return Optional.empty();
        }
        if (kinds.size() > 1) {
            mistakes.add(
                    item.at(kinds.get(1)),
                    "'" + Section.shown(kinds.get(1)) + "' is in the same scorer of agent '" + agent + "' as '"
                            + kind + "'. Give each scorer a '-' of its own; a scorer can also have: "
                            + String.join(", ", KeySection.names(ScorerKeys.ADDED)) + "."
                            + NameSuggestions.meant(kinds.get(1), KeySection.names(ScorerKeys.ADDED)));
        }
        if (item.has("model") && !KeySection.names(ScorerKeys.JUDGED).contains(kind)) {
            mistakes.add(
                    item.at("model"),
                    "scorer '" + kind + "' calls no model. These scorers can have a 'model': judge, rubric.");
        }
        return scorer(kind, item, item.at(kind));
    }

    private String nothingIn() {
        return "a scorer of agent '" + agent + "' says nothing of what it scores. One of these keys is needed: "
                + String.join(", ", KeySection.names(ScorerKeys.KINDS)) + ".";
    }

    private Optional<ScorerEntry> scorer(String kind, Section item, Position at) {
        UnaryOperator<Scorer> tuned = tuned(item);
        return switch (kind) {
            case "citedFilesExist" -> {
                item.nothing(kind);
                yield Optional.of(
                        new ScorerEntry.OfDocuments(at, folder -> tuned.apply(Scorers.citedFilesExist(folder))));
            }
            case "judge" -> {
                Setting asked = item.text(kind);
                if (asked == null) {
                    yield Optional.empty();
                }
                String question = asked.text();
                yield Optional.of(new ScorerEntry.Judged(
                        at, item.text("model"), model -> tuned.apply(Scorers.judge("judge", model, question))));
            }
            case "rubric" -> rubric(item, at, tuned);
            default -> plain(kind, item, at, tuned);
        };
    }

    /** Create a scorer, which may still reject its settings. */
    private Optional<ScorerEntry> plain(String kind, Section item, Position at, UnaryOperator<Scorer> tuned) {
        int before = mistakes.count();
        Supplier<Scorer> maker = plain(kind, item);
        return mistakes.count() > before
                ? Optional.empty()
                : made(at, () -> tuned.apply(maker.get())).map(scorer -> new ScorerEntry.Plain(at, scorer));
    }

    private Optional<Scorer> made(Position at, Supplier<Scorer> maker) {
        try {
            return Optional.of(maker.get());
        } catch (ConfigurationException e) {
            mistakes.add(at, e.getMessage());
            return Optional.empty();
        }
    }

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
                JsonSchema schema = item.schema(kind).orElse(JsonSchema.of(Json.of(Map.of())));
                yield () -> Scorers.jsonSchema(schema);
            }
            case "minLength" -> counting(item, ScorerKeys.MIN_LENGTH, Scorers::minLength);
            case "maxLength" -> counting(item, ScorerKeys.MAX_LENGTH, Scorers::maxLength);
            case "citations" -> counting(item, ScorerKeys.CITATIONS, Scorers::citations);
            case "toolCalled" -> naming(tool(item.textOf(kind)), Scorers::toolCalled);
            case "toolNotCalled" -> naming(tool(item.textOf(kind)), Scorers::toolNotCalled);
            case "citedSourcesWereSeen" -> {
                item.nothing(kind);
                yield Scorers::citedSourcesWereSeen;
            }
            default -> throw new IllegalStateException("No such scorer: " + kind);
        };
    }

    private static Supplier<Scorer> counting(Section item, Key<Integer> key, IntFunction<Scorer> maker) {
        Integer number = key.in(item);
        return () -> maker.apply(number == null ? 1 : number);
    }

    private static Supplier<Scorer> naming(String name, Function<String, Scorer> maker) {
        return () -> maker.apply(name);
    }

    private String tool(Setting name) {
        if (!name.text().isEmpty() && !tools.contains(name.text())) {
            mistakes.add(
                    name.at(),
                    "agent '" + agent + "' has no tool '" + Section.shown(name.text()) + "'."
                            + NameSuggestions.allowed("It has", name.text(), tools));
        }
        return name.text();
    }

    private Optional<ScorerEntry> rubric(Section item, Position at, UnaryOperator<Scorer> tuned) {
        int before = mistakes.count();
        Section rubric = item.section("rubric", "'rubric' of agent '" + agent + "'")
                .allowing(ScorerKeys.OfRubric.SECTION.names());
        Map<String, String> required = texts(rubric.words("required", "'required' of 'rubric'"));
        Map<String, String> optional = texts(rubric.words("optional", "'optional' of 'rubric'"));
        if (mistakes.count() > before) {
            return Optional.empty();
        }
        if (required.isEmpty() && optional.isEmpty()) {
            mistakes.add(
                    at,
                    "'rubric' of agent '" + agent
                            + "' has no criteria. Put them below 'required' or 'optional', such as"
                            + " sources: Every claim has a source.");
            return Optional.empty();
        }
        return Optional.of(new ScorerEntry.Judged(
                at, item.text("model"), model -> tuned.apply(rubric(model, required, optional))));
    }

    private static Map<String, String> texts(Map<String, Setting> words) {
        Map<String, String> texts = new LinkedHashMap<>();
        words.forEach((word, setting) -> texts.put(word, setting.text().strip()));
        return texts;
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
        Double threshold = ScorerKeys.THRESHOLD.in(item);
        return scorer -> {
            Scorer named = name == null ? scorer : scorer.withName(name.text());
            return threshold == null ? named : named.withThreshold(threshold);
        };
    }
}
