package dev.chargehand.config.internal.key;

import dev.chargehand.document.Setting;
import dev.chargehand.processor.Redaction;
import dev.chargehand.processor.UnicodeNormalizer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The keys of a processor. */
public final class ProcessorKeys {

    private static final Shape<UnicodeNormalizer> WORD =
            Shape.choice(Map.entry("nfkc", UnicodeNormalizer.nfkc()), Map.entry("nfc", UnicodeNormalizer.nfc()));

    private static final Shape<UnicodeNormalizer> FORM =
            new Shape<>(Shape.anyOf(Shape.NOTHING.schema(), WORD.schema()), WORD.reader());

    public static final Key<Void> REDACT = Key.of(
            "redact",
            Shape.unread(Shape.anyOf(
                    Shape.NOTHING.schema(),
                    Shape.schema(
                            "type",
                            "array",
                            "items",
                            Shape.schema(
                                    "enum",
                                    Stream.of(Redaction.Kind.values())
                                            .map(Redaction.Kind::label)
                                            .toList()),
                            "uniqueItems",
                            true))),
            "Removes text with the form of personal data or of a key: all kinds without a value, or a list of kinds.");

    public static final Key<UnicodeNormalizer> UNICODE = Key.of(
            "unicode",
            FORM,
            "Normalises characters that look alike, and removes invisible ones; nfkc by default, or nfc.");

    public static final Key<Integer> TOKEN_LIMIT = Key.of(
            "tokenLimit",
            Shape.from(1),
            "The maximum number of tokens of a conversation that the model receives; the oldest messages are omitted.");

    public static final Key<Void> LEAVE_OUT_TOOL_CALLS = Key.of(
            "leaveOutToolCalls",
            Shape.unread(Shape.anyOf(Shape.NOTHING.schema(), Shape.SOME_TEXTS.schema())),
            "Omits calls and results of earlier turns, those of the listed tools or without a value all.");

    public static final Key<Void> PROMPT_INJECTION = Key.of(
            "promptInjection",
            Shape.NOTHING,
            "A model judges whether the text tries to take over the agent; without a value.");

    public static final Key<Void> MODERATION =
            Key.of("moderation", Shape.NOTHING, "A model judges whether the text is unwanted; without a value.");

    public static final Key<Void> PATTERNS = Key.of(
            "patterns",
            Shape.TEXTS_BY_NAME,
            "Further text to remove: regular expressions by their replacement; together with redact.");

    public static final Key<Boolean> BLOCKING = Key.of(
                    "blocking", Shape.FLAG, "Ends the run instead of removing text; together with redact.")
            .orElse(false);

    public static final Key<Setting> MODEL = Key.of(
            "model",
            Shape.TEXT,
            "The model that judges, if not the agent's; together with promptInjection and moderation.");

    public static final Key<Double> THRESHOLD = Key.of(
            "threshold",
            Shape.SHARE,
            "The score from which a text is blocked; default 0.7 for promptInjection and 0.5 for moderation.");

    public static final Key<Boolean> ALSO_TOOL_RESULTS = Key.of(
                    "alsoToolResults",
                    Shape.FLAG,
                    "Also judges results of tools and sub-agents; together with promptInjection.")
            .orElse(false);

    public static final Key<List<Setting>> CATEGORIES = Key.of(
            "categories",
            Shape.SOME_TEXTS,
            "Unwanted categories, in words that a model understands; together with moderation.");

    public static final Key<Boolean> RETRY = Key.of(
                    "retry",
                    Shape.FLAG,
                    "Lets the model answer again instead of ending the run; together with moderation, in outputProcessors.")
            .orElse(false);

    /** What a processor is; one of them. */
    public static final List<Key<?>> KINDS =
            List.of(REDACT, UNICODE, TOKEN_LIMIT, LEAVE_OUT_TOOL_CALLS, PROMPT_INJECTION, MODERATION);

    /** The processors that can inspect answers too. */
    public static final List<Key<?>> OF_OUTPUT = List.of(REDACT, MODERATION);

    private static final Map<Key<?>, List<Key<?>>> TOGETHER = together();

    public static final KeySection SECTION = KeySection.of(
                    "processor",
                    "A processor with its settings.",
                    REDACT,
                    UNICODE,
                    TOKEN_LIMIT,
                    LEAVE_OUT_TOOL_CALLS,
                    PROMPT_INJECTION,
                    MODERATION,
                    PATTERNS,
                    BLOCKING,
                    MODEL,
                    THRESHOLD,
                    ALSO_TOOL_RESULTS,
                    CATEGORIES,
                    RETRY)
            .with(
                    "oneOf",
                    KINDS.stream().map(kind -> KeySection.requires(kind.name())).toList())
            .with(
                    "allOf",
                    TOGETHER.entrySet().stream()
                            .map(entry -> together(entry.getKey(), entry.getValue()))
                            .toList());

    /** Return the keys that may be added to a processor. */
    public static List<String> addedTo(String kind) {
        return TOGETHER.entrySet().stream()
                .filter(entry -> KeySection.names(entry.getValue()).contains(kind))
                .map(entry -> entry.getKey().name())
                .toList();
    }

    /** Return the keys that may be added to some processor. */
    public static List<String> added() {
        return KeySection.names(List.copyOf(TOGETHER.keySet()));
    }

    private static Map<Key<?>, List<Key<?>>> together() {
        Map<Key<?>, List<Key<?>>> together = new LinkedHashMap<>();
        together.put(PATTERNS, List.of(REDACT));
        together.put(BLOCKING, List.of(REDACT));
        together.put(MODEL, List.of(PROMPT_INJECTION, MODERATION));
        together.put(THRESHOLD, List.of(PROMPT_INJECTION, MODERATION));
        together.put(ALSO_TOOL_RESULTS, List.of(PROMPT_INJECTION));
        together.put(CATEGORIES, List.of(MODERATION));
        together.put(RETRY, List.of(MODERATION));
        return together;
    }

    /** Return the schema of a key that needs one of some others. */
    static Map<String, Object> together(Key<?> key, List<Key<?>> others) {
        return Shape.schema(
                "if",
                KeySection.requires(key.name()),
                "then",
                Shape.schema(
                        "anyOf",
                        others.stream()
                                .map(other -> KeySection.requires(other.name()))
                                .toList()));
    }

    /** Return the shape of a list of processors; those that need no value may be given by name. */
    static Shape<Void> list(List<Key<?>> kinds) {
        List<Key<?>> words = new ArrayList<>(kinds);
        words.remove(TOKEN_LIMIT);
        return Shape.unread(Shape.schema(
                "type",
                "array",
                "items",
                Shape.anyOf(
                        Shape.schema("enum", KeySection.names(words)),
                        Shape.schema(
                                "allOf",
                                List.of(
                                        Shape.reference("processor"),
                                        Shape.schema(
                                                "anyOf",
                                                kinds.stream()
                                                        .map(kind -> KeySection.requires(kind.name()))
                                                        .toList()))))));
    }

    private ProcessorKeys() {}
}
