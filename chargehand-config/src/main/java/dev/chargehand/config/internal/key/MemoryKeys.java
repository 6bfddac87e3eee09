package dev.chargehand.config.internal.key;

import dev.chargehand.document.Setting;
import dev.chargehand.memory.Ancestor;
import dev.chargehand.memory.Scope;
import java.util.List;
import java.util.Map;

/** The keys of {@code memory}. */
public final class MemoryKeys {

    private static final Shape<Scope> SCOPE =
            Shape.choice(Map.entry("resource", Scope.RESOURCE), Map.entry("thread", Scope.THREAD));

    public static final Key<Integer> LAST_MESSAGES = Key.of(
            "lastMessages",
            Shape.from(0),
            "The number of messages of its conversation that it remembers; by default 10, or with 'observations' all that were not observed.");

    public static final Key<Integer> HISTORY_TOKENS = Key.of(
            "historyTokens",
            Shape.from(1),
            "The number of tokens of its conversation that it sees at most, in addition to lastMessages; off by default. If there are more, the oldest messages are left out until 75 % are left.");

    public static final Key<Setting> TITLE = Key.of(
            "title",
            Shape.TEXT.with("examples", List.of("openai/gpt-5-nano")),
            "The model that writes the title of a conversation after its first answer, named provider/name; by default the title is the first words of the user. ${NAME} and ${NAME:-default} are replaced by environment variables.");

    public static final Key<Setting> TITLE_INSTRUCTIONS = Key.of(
            "titleInstructions", Shape.TEXT, "What the model of the title is instructed to write, with 'title'.");

    public static final Key<Long> DAILY_TOKENS = Key.of(
            "dailyTokens",
            Shape.fromLong(1),
            "The number of tokens that models may use on a day, in UTC, for the memory of one resource after its runs; no bound by default. When they are spent, this work waits until the day is over.");

    public static final Key<Void> SEMANTIC_RECALL = Key.ofSection("semanticRecall");

    public static final Key<Void> WORKING_MEMORY = Key.ofSection("workingMemory");

    public static final Key<Void> OBSERVATIONS = Key.ofSection("observations");

    public static final Key<Ancestor> READS_WORKING_MEMORY_OF = Key.of(
            "readsWorkingMemoryOf",
            Shape.choice(Map.entry("root", Ancestor.ROOT)),
            "root shows it as a sub-agent what the agent that the run started with has noted in its working memory; by default it sees only its own.");

    public static final KeySection SECTION = KeySection.of(
            "memory",
            "What it remembers in a conversation; by default its last 10 messages.",
            LAST_MESSAGES,
            HISTORY_TOKENS,
            SEMANTIC_RECALL,
            WORKING_MEMORY,
            OBSERVATIONS,
            TITLE,
            TITLE_INSTRUCTIONS,
            READS_WORKING_MEMORY_OF,
            DAILY_TOKENS);

    /** The keys of {@code semanticRecall}. */
    public static final class Recall {

        private static final Shape<Integer> AROUND = Shape.range(0, 20);

        public static final Key<Setting> MODEL = Key.of(
                "model",
                Shape.TEXT.with("examples", List.of("openai/text-embedding-3-small", "offline")),
                "The embedding model, named provider/name, or offline for a stand-in that finds common words, not meaning. ${NAME} and ${NAME:-default} are replaced by environment variables.");

        public static final Key<Integer> TOP_K = Key.of(
                        "topK", Shape.range(1, 50), "The maximum number of messages that are found.")
                .orElse(4);

        public static final Key<Integer> MESSAGE_RANGE = Key.of(
                        "messageRange",
                        new Shape<>(Shape.anyOf(AROUND.schema(), Shape.reference("messageRange")), AROUND.reader()),
                        "The number of messages before and after each found one that are recalled with it.")
                .orElse(1);

        public static final Key<Scope> SCOPE = Key.of(
                        "scope",
                        MemoryKeys.SCOPE,
                        "Which messages are searched: those of all conversations of the resource, or those of the thread. A run needs a resource for the former.")
                .orElse("resource");

        public static final Key<Double> THRESHOLD = Key.of(
                        "threshold", Shape.between(-1, 1), "The minimum similarity of a message that is found.")
                .orElse(0);

        public static final Key<Boolean> ALSO_TOOL_RESULTS = Key.of(
                        "alsoToolResults",
                        Shape.FLAG,
                        "true finds results of tools and of sub-agents too; a change embeds the messages again.")
                .orElse(false);

        public static final KeySection SECTION = KeySection.of(
                        "semanticRecall",
                        "How earlier messages are found by their meaning, when they have to do with the newest one; off by default.",
                        MODEL,
                        TOP_K,
                        MESSAGE_RANGE,
                        SCOPE,
                        THRESHOLD,
                        ALSO_TOOL_RESULTS)
                .requiring(MODEL);

        private Recall() {}
    }

    /** The keys of {@code messageRange}. */
    public static final class Range {

        public static final Key<Integer> BEFORE = Key.of("before", Recall.AROUND, "The number of messages before it.")
                .orElse(1);

        public static final Key<Integer> AFTER = Key.of("after", Recall.AROUND, "The number of messages after it.")
                .orElse(1);

        public static final KeySection SECTION = KeySection.of(
                "messageRange", "The number of messages that are recalled with a found one.", BEFORE, AFTER);

        private Range() {}
    }

    /** The keys of {@code workingMemory}. */
    public static final class Working {

        public static final Key<Setting> TEMPLATE = Key.of(
                "template",
                Shape.TEXT,
                "The text before the first change, in Markdown; by default a list of what is known about a user.");

        public static final Key<Void> SCHEMA = Key.of(
                "schema",
                Shape.JSON_SCHEMA,
                "The JSON schema that it must fit, as keys and values, instead of a template.");

        public static final Key<Scope> SCOPE = Key.of(
                        "scope",
                        MemoryKeys.SCOPE,
                        "For whom there is one text: for each resource, or for each thread. A run needs a resource for the former.")
                .orElse("resource");

        public static final Key<Boolean> WHOLE_TEXT = Key.of(
                        "wholeText",
                        Shape.FLAG,
                        "true has its model write the whole text at each change, instead of edits; what it leaves out is lost. Not with a schema.")
                .orElse(false);

        public static final KeySection SECTION = KeySection.of(
                        "workingMemory",
                        "A text that it keeps up to date with the tool updateWorkingMemory, such as what it knows about a user; off by default.",
                        TEMPLATE,
                        SCHEMA,
                        SCOPE,
                        WHOLE_TEXT)
                .with(
                        "not",
                        Shape.schema(
                                "required",
                                List.of("schema"),
                                "anyOf",
                                List.of(
                                        Shape.schema("required", List.of("template")),
                                        Shape.schema(
                                                "required",
                                                List.of("wholeText"),
                                                "properties",
                                                Shape.schema("wholeText", Shape.schema("const", true))))));

        private Working() {}
    }

    /** The keys of {@code observations}. */
    public static final class Observations {

        private static final Shape<Integer> TOKENS = Shape.from(100);

        public static final Key<Setting> MODEL = Key.of(
                "model",
                Shape.TEXT.with("examples", List.of("openai/gpt-5-nano")),
                "The model that writes observations, named provider/name, or offline: nothing is observed then. ${NAME} and ${NAME:-default} are replaced by environment variables.");

        public static final Key<Setting> REFLECTOR = Key.of(
                "reflector",
                Shape.TEXT.with("examples", List.of("openai/gpt-5-mini")),
                "The model that shortens observations, named provider/name; by default the one that writes them. ${NAME} and ${NAME:-default} are replaced by environment variables.");

        public static final Key<Setting> INSTRUCTIONS = Key.of(
                "instructions",
                Shape.TEXT,
                "What is worth remembering; by default facts about the user, decisions, preferences, open tasks and results.");

        public static final Key<Scope> SCOPE = Key.of(
                        "scope",
                        MemoryKeys.SCOPE,
                        "Which observations it sees: those of the thread, or in addition those of the other threads of the resource. A run needs a resource for the latter.")
                .orElse("thread");

        public static final Key<Integer> MESSAGE_TOKENS = Key.of(
                        "messageTokens",
                        TOKENS,
                        "The number of tokens of messages that a conversation has before they are observed.")
                .orElse(30_000);

        public static final Key<Integer> OBSERVATION_TOKENS = Key.of(
                        "observationTokens",
                        TOKENS,
                        "The number of tokens of observations that a conversation has before they are shortened.")
                .orElse(40_000);

        public static final Key<Boolean> RECALL_TOOL = Key.of(
                        "recallTool",
                        Shape.FLAG,
                        "true gives it the tool recall, which reads the messages behind observations.")
                .orElse(false);

        public static final KeySection SECTION = KeySection.of(
                        "observations",
                        "How a model writes observations of older messages, which the agent sees in place of these; off by default.",
                        MODEL,
                        REFLECTOR,
                        INSTRUCTIONS,
                        SCOPE,
                        MESSAGE_TOKENS,
                        OBSERVATION_TOKENS,
                        RECALL_TOOL)
                .requiring(MODEL);

        private Observations() {}
    }

    private MemoryKeys() {}
}
