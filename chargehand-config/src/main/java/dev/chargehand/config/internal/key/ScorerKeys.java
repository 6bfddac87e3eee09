package dev.chargehand.config.internal.key;

import dev.chargehand.document.Setting;
import java.util.List;

/** The keys of a scorer. */
public final class ScorerKeys {

    public static final Key<List<Setting>> CONTAINS = Key.of(
            "contains",
            Shape.ONE_OR_MORE,
            "A text that the answer must contain, or a list of them; upper and lower case alike.");

    public static final Key<Setting> MATCHES =
            Key.of("matches", Shape.TEXT, "A regular expression that is found anywhere in the answer.");

    public static final Key<Integer> MIN_LENGTH =
            Key.of("minLength", Shape.from(1), "The minimum number of characters.");

    public static final Key<Integer> MAX_LENGTH =
            Key.of("maxLength", Shape.from(1), "The maximum number of characters.");

    public static final Key<Void> JSON_SCHEMA =
            Key.of("jsonSchema", Shape.JSON_SCHEMA, "A JSON schema that the answer must fit, as keys and values.");

    public static final Key<Integer> CITATIONS =
            Key.of("citations", Shape.from(1), "The minimum number of different cited sources.");

    public static final Key<Void> CITED_FILES_EXIST = Key.of(
            "citedFilesExist",
            Shape.NOTHING,
            "Each cited file:line must be in the folder of the documents; without a value.");

    public static final Key<Void> CITED_SOURCES_WERE_SEEN = Key.of(
            "citedSourcesWereSeen",
            Shape.NOTHING,
            "Tools or sub-agents must have returned each cited source; without a value.");

    public static final Key<Setting> TOOL_CALLED = Key.of(
            "toolCalled", Shape.TEXT, "A tool of the agent that must have been called; a sub-agent's is agent-<id>.");

    public static final Key<Setting> TOOL_NOT_CALLED =
            Key.of("toolNotCalled", Shape.TEXT, "A tool of the agent that must not have been called.");

    public static final Key<Setting> JUDGE =
            Key.of("judge", Shape.TEXT, "A question that a model judges the answer by.");

    public static final Key<Void> RUBRIC = Key.ofSection("rubric");

    public static final Key<Setting> NAME =
            Key.of("name", Shape.TEXT, "Its name in scores; distinguishes two scorers of a kind.");

    public static final Key<Double> THRESHOLD = Key.of("threshold", Shape.SHARE, "The minimum score that passes.");

    public static final Key<Setting> MODEL =
            Key.of("model", Shape.TEXT, "The model that judges, if not the agent's; together with judge and rubric.");

    /** What a scorer is; one of them. */
    public static final List<Key<?>> KINDS = List.of(
            CONTAINS,
            MATCHES,
            MIN_LENGTH,
            MAX_LENGTH,
            JSON_SCHEMA,
            CITATIONS,
            CITED_FILES_EXIST,
            CITED_SOURCES_WERE_SEEN,
            TOOL_CALLED,
            TOOL_NOT_CALLED,
            JUDGE,
            RUBRIC);

    /** The scorers that a model evaluates. */
    public static final List<Key<?>> JUDGED = List.of(JUDGE, RUBRIC);

    /** The keys that may be added to a scorer. */
    public static final List<Key<?>> ADDED = List.of(NAME, THRESHOLD, MODEL);

    public static final KeySection SECTION = KeySection.of(
                    "scorer",
                    "A scorer with its settings.",
                    CONTAINS,
                    MATCHES,
                    MIN_LENGTH,
                    MAX_LENGTH,
                    JSON_SCHEMA,
                    CITATIONS,
                    CITED_FILES_EXIST,
                    CITED_SOURCES_WERE_SEEN,
                    TOOL_CALLED,
                    TOOL_NOT_CALLED,
                    JUDGE,
                    RUBRIC,
                    NAME,
                    THRESHOLD,
                    MODEL)
            .with(
                    "oneOf",
                    KINDS.stream().map(kind -> KeySection.requires(kind.name())).toList())
            .with("allOf", List.of(ProcessorKeys.together(MODEL, JUDGED)));

    /** The keys of {@code rubric}. */
    public static final class OfRubric {

        public static final Key<Void> REQUIRED = Key.of("required", Shape.TEXTS_BY_NAME, "Required criteria, by name.");

        public static final Key<Void> OPTIONAL = Key.of("optional", Shape.TEXTS_BY_NAME, "Optional criteria, by name.");

        public static final KeySection SECTION = KeySection.of(
                        "rubric", "Criteria that a model judges the answer by.", REQUIRED, OPTIONAL)
                .with("minProperties", 1);

        private OfRubric() {}
    }

    private ScorerKeys() {}
}
