package dev.chargehand.config.internal.workflow;

import dev.chargehand.config.internal.key.Key;
import dev.chargehand.config.internal.key.KeySection;
import dev.chargehand.config.internal.key.WorkflowKeys.OfStep;
import dev.chargehand.document.Mistakes;
import dev.chargehand.document.NameSuggestions;
import dev.chargehand.document.Position;
import dev.chargehand.document.Section;
import dev.chargehand.document.Setting;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.workflow.Backoff;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the steps of one workflow, and knows the ids so far. Used by one thread. */
final class StepReader {

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final Backoff USUAL = Backoff.exponential(Duration.ofSeconds(1));

    private final String workflow;
    private final KnownNames known;
    private final Mistakes mistakes;
    private final Map<String, Position> ids = new HashMap<>();
    private final KeptOutputs kept;

    StepReader(String workflow, KnownNames known, KeptOutputs kept, Mistakes mistakes) {
        this.kept = kept;
        this.workflow = workflow;
        this.known = known;
        this.mistakes = mistakes;
    }

    /** Return the outputs that exist before what is read next. */
    KeptOutputs kept() {
        return kept;
    }

    /** Return what a step is, the first of the allowed kinds that it has; wrong keys are noted. */
    Optional<String> kind(Section item, List<Key<?>> allowed) {
        item.allowing(OfStep.SECTION.names());
        List<String> kinds = item.keys().stream()
                .filter(KeySection.names(OfStep.KINDS)::contains)
                .toList();
        List<String> possible = KeySection.names(allowed);
        if (kinds.isEmpty()) {
            mistakes.add(
                    item.at(),
                    "a step of " + workflow + " does not say what it does. One of these keys is needed: "
                            + String.join(", ", possible) + ".");
            return Optional.empty();
        }
        String kind = kinds.getFirst();
        if (kinds.size() > 1) {
            mistakes.add(
                    item.at(kinds.get(1)),
                    "'" + kinds.get(1) + "' is in the same step of " + workflow + " as '" + kind
                            + "'. Give each step a '-' of its own.");
        }
        if (!possible.contains(kind)) {
            mistakes.add(
                    item.at(kind),
                    "'" + kind + "' of " + workflow + " must be an entry of its own, or in a workflow that is the step"
                            + " here. Allowed: " + String.join(", ", possible) + ".");
        }
        OfStep.TOGETHER.forEach((key, others) -> {
            if (item.has(key.name()) && others.stream().noneMatch(other -> item.has(other.name()))) {
                mistakes.add(
                        item.at(key.name()),
                        "'" + key.name() + "' of " + workflow + " needs one of these keys in the same step: "
                                + String.join(", ", KeySection.names(others)) + ".");
            }
        });
        return Optional.of(kind);
    }

    /** Read the step of a kind that does some work. */
    Optional<StepDefinition> step(String kind, Section item) {
        Setting named = item.text(kind);
        if (named == null) {
            return Optional.empty();
        }
        StepDefinition.Work work =
                switch (kind) {
                    case "agent" -> {
                        requireKnown(named, "agent", known.agents());
                        yield new StepDefinition.OfAgent(named, prompt(item));
                    }
                    case "tool" -> {
                        requireKnown(named, "tool", known.tools());
                        yield new StepDefinition.OfTool(
                                named,
                                item.has("input") ? input(item) : null,
                                Boolean.TRUE.equals(OfStep.APPROVAL.in(item)));
                    }
                    case "workflow" -> {
                        requireKnown(named, "workflow", known.workflows());
                        yield new StepDefinition.OfWorkflow(named, input(item));
                    }
                    default ->
                        new StepDefinition.Ask(
                                TextTemplate.of(named, kept, mistakes),
                                item.schema("answer").orElse(null));
                };
        Integer retries = OfStep.RETRIES.in(item);
        boolean optional = Boolean.TRUE.equals(OfStep.OPTIONAL.in(item));
        String id = id(item, kind.equals("ask") ? kind : named.text());
        return Optional.of(new StepDefinition(
                id,
                item.at(kind),
                work,
                retries == null ? 0 : retries,
                backoff(item),
                optional,
                fallback(item, optional),
                timeout(item)));
    }

    /** Read a step that makes a value. */
    Optional<StepDefinition> mapping(Section item) {
        return item.json("map").map(json -> {
            StepDefinition.Work work =
                    new StepDefinition.Mapping(JsonTemplate.of(json, item.at("map"), kept, mistakes));
            return made(id(item, "map"), item.at("map"), work);
        });
    }

    /** Read a step that changes the shared state. */
    Optional<StepDefinition> patch(Section item) {
        if (!kept.hasState()) {
            mistakes.add(
                    item.at("setState"),
                    "'setState' of " + workflow
                            + " needs a shared state. Add 'state' to the workflow, with the values at"
                            + " the start of a run.");
        }
        return item.json("setState").map(json -> {
            if (!json.isObject()) {
                mistakes.add(item.at("setState"), "'setState' of " + workflow + " must have keys and values.");
            }
            StepDefinition.Work work =
                    new StepDefinition.StatePatch(JsonTemplate.of(json, item.at("setState"), kept, mistakes));
            return made(id(item, "setState"), item.at("setState"), work);
        });
    }

    private static StepDefinition made(String id, Position at, StepDefinition.Work work) {
        return new StepDefinition(id, at, work, 0, USUAL, false, null, null);
    }

    private @Nullable JsonTemplate fallback(Section item, boolean optional) {
        if (optional && item.has("fallback")) {
            mistakes.add(
                    item.at("fallback"),
                    "'fallback' and 'optional' are in the same step of " + workflow + ". Keep one of them.");
        }
        return item.json("fallback")
                .map(json -> JsonTemplate.of(json, item.at("fallback"), kept, mistakes))
                .orElse(null);
    }

    private @Nullable Duration timeout(Section item) {
        Duration timeout = OfStep.TIMEOUT.in(item);
        if (timeout != null && !timeout.isPositive()) {
            mistakes.add(item.valueAt("timeout"), "'timeout' of " + workflow + " must be above zero.");
            return null;
        }
        return timeout;
    }

    private void requireKnown(Setting named, String what, Collection<String> names) {
        if (!names.contains(named.text())) {
            mistakes.add(
                    named.at(),
                    "unknown " + what + " '" + Section.shown(named.text()) + "' in " + workflow + "."
                            + NameSuggestions.allowed("There are", named.text(), names));
        }
    }

    private TextTemplate prompt(Section item) {
        Setting prompt = item.text("prompt");
        return TextTemplate.of(
                prompt == null ? new Setting(String.valueOf(OfStep.PROMPT.byDefault()), item.at()) : prompt,
                kept,
                mistakes);
    }

    private JsonTemplate input(Section item) {
        Json json = item.json("input").orElse(Json.of("{/value}"));
        return JsonTemplate.of(json, item.at("input"), kept, mistakes);
    }

    private Backoff backoff(Section item) {
        Duration first = OfStep.BACKOFF.in(item);
        try {
            return first == null ? USUAL : Backoff.exponential(first);
        } catch (ConfigurationException e) {
            mistakes.add(item.valueAt("backoff"), "'backoff' of " + workflow + ": " + e.getMessage());
            return USUAL;
        }
    }

    /** Return the id of a step or an entry: its own, or the usual one for what it is. */
    String id(Section item, String usual) {
        Setting given = item.text("id");
        boolean numbered = KeySection.names(OfStep.KINDS).contains(usual);
        String id = given != null ? given.text() : numbered ? numbered(usual) : usual;
        Position at = given == null ? item.at() : given.at();
        if (!isValid(id)) {
            mistakes.add(
                    at,
                    "id '" + Section.shown(id) + "' in " + workflow
                            + " cannot be used. Allowed are 1 to 64 letters, digits, '_' and '-'.");
        }
        Position first = ids.putIfAbsent(id, at);
        if (first != null) {
            mistakes.add(
                    at,
                    "id '" + Section.shown(id) + "' is used twice in " + workflow + ", first at " + first
                            + ". Give one of the steps an 'id: ...' of its own.");
        }
        return id;
    }

    static boolean isValid(String id) {
        return ID.matcher(id).matches();
    }

    private String numbered(String kind) {
        int number = 1;
        while (ids.containsKey(kind + "-" + number)) {
            number++;
        }
        return kind + "-" + number;
    }
}
