package dev.chargehand.config.internal.file;

import dev.chargehand.config.internal.key.KeySection;
import dev.chargehand.config.internal.key.ProcessorKeys;
import dev.chargehand.document.Mistakes;
import dev.chargehand.document.NameSuggestions;
import dev.chargehand.document.Position;
import dev.chargehand.document.Section;
import dev.chargehand.document.Setting;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.processor.Moderation;
import dev.chargehand.processor.Processor;
import dev.chargehand.processor.PromptInjectionDetector;
import dev.chargehand.processor.Redaction;
import dev.chargehand.processor.TokenLimiter;
import dev.chargehand.processor.ToolCallFilter;
import dev.chargehand.processor.UnicodeNormalizer;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Reads the processors of an agent. */
final class ProcessorsReader {

    private static final Map<String, Redaction.Kind> KINDS = kinds();

    private final String agent;
    private final Collection<String> tools;
    private final Mistakes mistakes;

    private ProcessorsReader(String agent, Collection<String> tools, Mistakes mistakes) {
        this.agent = agent;
        this.tools = tools;
        this.mistakes = mistakes;
    }

    private static Map<String, Redaction.Kind> kinds() {
        Map<String, Redaction.Kind> kinds = new LinkedHashMap<>();
        Stream.of(Redaction.Kind.values()).forEach(kind -> kinds.put(kind.label(), kind));
        return kinds;
    }

    /** Read those of an agent whose tools and sub-agents are called by these names. */
    static ProcessorsEntry of(String id, Section agent, Collection<String> tools) {
        ProcessorsReader reader = new ProcessorsReader(id, tools, agent.mistakes());
        return new ProcessorsEntry(
                reader.list(agent, "inputProcessors", KeySection.names(ProcessorKeys.KINDS)),
                reader.list(agent, "outputProcessors", KeySection.names(ProcessorKeys.OF_OUTPUT)));
    }

    private List<ProcessorsEntry.One> list(Section agent, String key, List<String> kinds) {
        return agent.items(key, "an item of '" + key + "' of agent '" + this.agent + "'").stream()
                .map(item -> one(item, key, kinds))
                .flatMap(Optional::stream)
                .toList();
    }

    private Optional<ProcessorsEntry.One> one(Section item, String list, List<String> kinds) {
        String where = "'" + list + "' of agent '" + agent + "'";
        Optional<String> named = item.keys().stream()
                .filter(key -> !ProcessorKeys.added().contains(key))
                .findFirst();
        if (named.isEmpty()) {
            mistakes.add(
                    item.at(),
                    "an item of " + where + " says nothing of what it does. One of these keys is needed: "
                            + String.join(", ", kinds) + ".");
            return Optional.empty();
        }
        String kind = named.get();
        if (!kinds.contains(kind)) {
            mistakes.add(
                    item.at(kind),
                    (KeySection.names(ProcessorKeys.KINDS).contains(kind) ? "'" : "unknown processor '")
                            + Section.shown(kind)
                            + (KeySection.names(ProcessorKeys.KINDS).contains(kind) ? "' cannot be used in " : "' in ")
                            + where + "."
                            + NameSuggestions.allowed("There are", kind, kinds));
            return Optional.empty();
        }
        List<String> allowed = Stream.concat(Stream.of(kind), ProcessorKeys.addedTo(kind).stream())
                .toList();
        item.allowing(allowed);
        int before = mistakes.count();
        Optional<ProcessorsEntry.One> made = made(kind, item, list);
        return mistakes.count() > before ? Optional.empty() : made;
    }

    private Optional<ProcessorsEntry.One> made(String kind, Section item, String list) {
        Position at = item.at(kind);
        return switch (kind) {
            case "redact" -> plain(at, redaction(item));
            case "unicode" -> plain(at, unicode(item));
            case "tokenLimit" -> {
                Integer tokens = ProcessorKeys.TOKEN_LIMIT.in(item);
                yield plain(at, () -> TokenLimiter.of(tokens == null ? 1 : tokens));
            }
            case "leaveOutToolCalls" -> plain(at, filter(item));
            case "promptInjection" -> Optional.of(judged(item, at, injection(item)));
            case "moderation" -> Optional.of(judged(item, at, moderation(item, list)));
            default -> throw new IllegalStateException("No such processor: " + kind);
        };
    }

    /** Create a processor, which may still reject its settings. */
    private Optional<ProcessorsEntry.One> plain(Position at, Supplier<Processor> maker) {
        try {
            return Optional.of(new ProcessorsEntry.Plain(maker.get()));
        } catch (ConfigurationException e) {
            mistakes.add(at, e.getMessage());
            return Optional.empty();
        }
    }

    private Supplier<Processor> redaction(Section item) {
        Map<String, Setting> patterns = item.words("patterns", "'patterns' of a redaction of agent '" + agent + "'");
        List<Setting> listed = item.isEmpty("redact") ? List.of() : item.texts("redact");
        for (Setting kind : listed) {
            if (!KINDS.containsKey(kind.text())) {
                mistakes.add(
                        kind.at(),
                        "unknown kind '" + Section.shown(kind.text()) + "' in 'redact' of agent '" + agent + "'."
                                + NameSuggestions.allowed("There are", kind.text(), KINDS.keySet()));
            }
        }
        Redaction.Kind[] kinds = listed.stream()
                .map(kind -> KINDS.getOrDefault(kind.text(), Redaction.Kind.EMAIL))
                .toArray(Redaction.Kind[]::new);
        boolean all = item.isEmpty("redact");
        if (!all && listed.isEmpty() && patterns.isEmpty() && item.isList("redact")) {
            mistakes.add(
                    item.at("redact"),
                    "'redact' of agent '" + agent + "' lists no kinds. Leave the list out for all of them, or add"
                            + " 'patterns'." + NameSuggestions.allowed("There are", "", KINDS.keySet()));
        }
        boolean blocking = Boolean.TRUE.equals(ProcessorKeys.BLOCKING.in(item));
        return () -> {
            Redaction redaction = all
                    ? Redaction.all()
                    : kinds.length == 0 && !patterns.isEmpty() ? Redaction.none() : Redaction.of(kinds);
            for (Map.Entry<String, Setting> pattern : patterns.entrySet()) {
                redaction =
                        redaction.pattern(pattern.getKey(), pattern.getValue().text());
            }
            return blocking ? redaction.blocking() : redaction;
        };
    }

    private Supplier<Processor> unicode(Section item) {
        UnicodeNormalizer form = item.isEmpty("unicode") ? UnicodeNormalizer.nfkc() : ProcessorKeys.UNICODE.in(item);
        return () -> form == null ? UnicodeNormalizer.nfkc() : form;
    }

    private Supplier<Processor> filter(Section item) {
        if (item.isEmpty("leaveOutToolCalls")) {
            return ToolCallFilter::all;
        }
        List<Setting> named = item.texts("leaveOutToolCalls");
        named.stream()
                .filter(name -> !tools.contains(name.text()))
                .forEach(name -> mistakes.add(
                        name.at(),
                        "agent '" + agent + "' has no tool '" + Section.shown(name.text()) + "'."
                                + NameSuggestions.allowed("It has", name.text(), tools)));
        String[] names = named.stream().map(Setting::text).toArray(String[]::new);
        return () -> ToolCallFilter.of(names);
    }

    private static ProcessorsEntry.Judged judged(Section item, Position at, Function<ModelChoice, Processor> maker) {
        return new ProcessorsEntry.Judged(at, item.text("model"), maker);
    }

    private static Function<ModelChoice, Processor> injection(Section item) {
        item.nothing("promptInjection");
        Double threshold = ProcessorKeys.THRESHOLD.in(item);
        boolean results = Boolean.TRUE.equals(ProcessorKeys.ALSO_TOOL_RESULTS.in(item));
        return model -> {
            PromptInjectionDetector detector = PromptInjectionDetector.by(model);
            PromptInjectionDetector tuned = threshold == null ? detector : detector.withThreshold(threshold);
            return results ? tuned.alsoToolResults() : tuned;
        };
    }

    private Function<ModelChoice, Processor> moderation(Section item, String list) {
        item.nothing("moderation");
        Double threshold = ProcessorKeys.THRESHOLD.in(item);
        List<String> categories =
                item.texts("categories").stream().map(Setting::text).toList();
        if (categories.isEmpty() && item.isList("categories")) {
            mistakes.add(
                    item.at("categories"),
                    "'categories' of agent '" + agent + "' lists none. Name some, such as [insults, threats], or leave"
                            + " 'categories' out for the usual ones.");
        }
        boolean retry = Boolean.TRUE.equals(ProcessorKeys.RETRY.in(item));
        if (retry && list.equals("inputProcessors")) {
            mistakes.add(
                    item.at("retry"),
                    "'retry' of agent '" + agent
                            + "' has no answer to ask for again in 'inputProcessors'. It belongs below 'outputProcessors'.");
        }
        return model -> {
            Moderation moderation = Moderation.by(model);
            Moderation named =
                    categories.isEmpty() ? moderation : moderation.withCategories(categories.toArray(String[]::new));
            Moderation tuned = threshold == null ? named : named.withThreshold(threshold);
            return retry ? tuned.withRetry() : tuned;
        };
    }
}
