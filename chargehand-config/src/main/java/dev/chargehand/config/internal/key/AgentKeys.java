package dev.chargehand.config.internal.key;

import dev.chargehand.document.Setting;
import dev.chargehand.hook.SubAgentContext;
import dev.chargehand.run.BailStrategy;
import dev.chargehand.run.DelegationMemory;
import dev.chargehand.version.Version;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The keys of an agent. */
public final class AgentKeys {

    private static final Shape<SubAgentContext> CONTEXT_WORD = Shape.choice(
            Map.entry("fullHistory", SubAgentContext.fullHistory()),
            Map.entry("promptOnly", SubAgentContext.promptOnly()),
            Map.entry("lastMessages", SubAgentContext.lastMessages()));

    private static final Shape<SubAgentContext> CONTEXT =
            new Shape<>(Shape.anyOf(CONTEXT_WORD.schema(), Shape.reference("subAgentContext")), CONTEXT_WORD.reader());

    public static final Key<Setting> DESCRIPTION = Key.of(
            "description",
            Shape.TEXT,
            "The agent's abilities. A sub-agent must have a description: a supervisor's model uses it to decide.");

    public static final Key<Setting> INSTRUCTIONS =
            Key.of("instructions", Shape.TEXT, "The instructions for its model before every conversation.");

    public static final Key<List<Setting>> MODEL = Key.of(
            "model",
            Shape.ONE_OR_MORE.with(
                    "examples",
                    List.of(
                            "${MODEL:-offline}",
                            "openai/gpt-5-mini",
                            List.of("openai/gpt-5.1", "mistral/mistral-medium-latest"))),
            "Its model, if not the file's. " + FileKeys.A_MODEL);

    public static final Key<List<Setting>> AGENTS =
            Key.of("agents", Shape.TEXTS, "Its sub-agents by id; each becomes a tool of its model, named agent-<id>.");

    public static final Key<List<Setting>> WORKFLOWS = Key.of(
            "workflows",
            Shape.TEXTS,
            "The workflows that it can execute by id; each becomes a tool of its model, named workflow-<id>.");

    public static final Key<Void> TOOLS = Key.of(
            "tools",
            Shape.unread(Shape.schema(
                            "type",
                            "array",
                            "items",
                            Shape.schema(
                                    "anyOf",
                                    List.of(
                                            Shape.TEXT.schema(),
                                            Shape.schema(
                                                    "description",
                                                    "A tool with settings below its name.",
                                                    "type",
                                                    "object",
                                                    "minProperties",
                                                    1,
                                                    "maxProperties",
                                                    1,
                                                    "additionalProperties",
                                                    Shape.reference("toolOfAgent")))),
                            "uniqueItems",
                            true))
                    .with("examples", List.of(List.of("search-files"))),
            "Its tools by name: search-files, list-files and read-file for its documents, and those that the file defines.");

    public static final Key<Integer> MAX_STEPS = Key.of(
            "maxSteps",
            Shape.from(1),
            "The maximum number of its steps; default 10 for the agent that is run, 5 for a sub-agent.");

    public static final Key<Integer> RETRIES = Key.of(
                    "retries",
                    Shape.from(0),
                    "The number of retries of a model call that failed for a temporary reason.")
            .orElse(2);

    public static final Key<Integer> TOOL_CALL_CONCURRENCY = Key.of(
                    "toolCallConcurrency", Shape.from(1), "The maximum number of concurrent calls of one step.")
            .orElse(10);

    public static final Key<Void> MEMORY = Key.ofSection("memory");

    public static final Key<Void> MODEL_SETTINGS = Key.ofSection("modelSettings");

    public static final Key<Boolean> REQUIRE_TOOL_APPROVAL = Key.of(
                    "requireToolApproval",
                    Shape.FLAG,
                    "Whether every call of a tool waits for approval, those of its sub-agents included.")
            .orElse(false);

    public static final Key<Void> COMPLETION = Key.ofSection("completion");

    public static final Key<Void> INPUT_PROCESSORS = Key.of(
            "inputProcessors",
            ProcessorKeys.list(ProcessorKeys.KINDS),
            "Processors of its input and of the conversation, in this order.");

    public static final Key<Void> OUTPUT_PROCESSORS = Key.of(
            "outputProcessors",
            ProcessorKeys.list(ProcessorKeys.OF_OUTPUT),
            "Processors of its answers before they are emitted, in this order.");

    public static final Key<Integer> MAX_PROCESSOR_RETRIES = Key.of(
                    "maxProcessorRetries",
                    Shape.from(0),
                    "The number of times in a run that processors may make its model answer again.")
            .orElse(1);

    public static final Key<Void> STRUCTURED_OUTPUT = Key.ofSection("structuredOutput");

    public static final Key<SubAgentContext> SUB_AGENT_CONTEXT = Key.of(
                    "subAgentContext", CONTEXT, "The part of the conversation that its sub-agents receive.")
            .orElse("fullHistory");

    public static final Key<BailStrategy> BAIL_STRATEGY = Key.of(
                    "bailStrategy",
                    Shape.choice(Map.entry("first", BailStrategy.FIRST), Map.entry("last", BailStrategy.LAST)),
                    "Which bail wins; only a Java program can bail.")
            .orElse("first");

    public static final Key<Boolean> CANCEL_SIBLINGS = Key.of(
                    "cancelSiblings", Shape.FLAG, "Whether a bail cancels the other calls of its step.")
            .orElse(false);

    public static final Key<Boolean> INCLUDE_SUB_AGENT_TOOL_RESULTS_IN_MODEL_CONTEXT = Key.of(
                    "includeSubAgentToolResultsInModelContext",
                    Shape.FLAG,
                    "Whether its model receives the results of the tools of sub-agents.")
            .orElse(false);

    public static final Key<Boolean> ENABLE_RESULT_REFERENCES = Key.of(
                    "enableResultReferences",
                    Shape.FLAG,
                    "Whether results of delegations get ids that later delegations can name.")
            .orElse(false);

    public static final Key<DelegationMemory> DELEGATION_MEMORY = Key.of(
                    "delegationMemory",
                    Shape.choice(
                            Map.entry("fresh", DelegationMemory.FRESH),
                            Map.entry("perParentThread", DelegationMemory.PER_PARENT_THREAD)),
                    "The earlier delegations that it remembers as a sub-agent: none, or those of the same conversation.")
            .orElse("fresh");

    public static final Key<Void> BACKGROUND = Key.ofSection("background");

    public static final Key<Setting> VERSION = Key.of(
            "version",
            Shape.TEXT.with("maxLength", Version.LONGEST),
            "Its version, which a run keeps. It is used unless another version is selected.");

    public static final Key<Void> VERSIONS = Key.of(
            "versions",
            Shape.sections("agent", "^.{1," + Version.LONGEST + "}$").with("minProperties", 1),
            "Further versions of it, by their names; each has all keys of its own, but not these two. It needs version too.");

    private static final List<Key<?>> OF_EACH_VERSION = List.of(
            DESCRIPTION,
            INSTRUCTIONS,
            MODEL,
            AGENTS,
            WORKFLOWS,
            TOOLS,
            MAX_STEPS,
            RETRIES,
            TOOL_CALL_CONCURRENCY,
            MEMORY,
            MODEL_SETTINGS,
            REQUIRE_TOOL_APPROVAL,
            COMPLETION,
            INPUT_PROCESSORS,
            OUTPUT_PROCESSORS,
            MAX_PROCESSOR_RETRIES,
            STRUCTURED_OUTPUT,
            SUB_AGENT_CONTEXT,
            BAIL_STRATEGY,
            CANCEL_SIBLINGS,
            INCLUDE_SUB_AGENT_TOOL_RESULTS_IN_MODEL_CONTEXT,
            ENABLE_RESULT_REFERENCES,
            DELEGATION_MEMORY,
            BACKGROUND);

    public static final KeySection SECTION = new KeySection(
            "agent",
            "An agent.",
            Stream.concat(OF_EACH_VERSION.stream(), Stream.of(VERSION, VERSIONS))
                    .toList(),
            Map.of("dependencies", Map.of("versions", List.of("version"))));

    /** The names of the keys of a further version of an agent, and of a saved one. */
    public static final List<String> OF_VERSION = KeySection.names(OF_EACH_VERSION);

    /** The keys of a tool in the list of an agent. */
    public static final class OfTool {

        public static final Key<Boolean> APPROVAL = Key.of(
                        "approval", Shape.FLAG, "Whether every call of it waits for approval.")
                .orElse(false);

        public static final KeySection SECTION =
                KeySection.of("toolOfAgent", "Settings of a tool for one agent.", APPROVAL);

        private OfTool() {}
    }

    /** The keys of what sub-agents receive. */
    public static final class Context {

        public static final Key<Integer> LAST_MESSAGES =
                Key.of("lastMessages", Shape.from(0), "The number of messages.");

        public static final KeySection SECTION = KeySection.of("subAgentContext", "The last messages.", LAST_MESSAGES)
                .requiring(LAST_MESSAGES);

        private Context() {}
    }

    private AgentKeys() {}
}
