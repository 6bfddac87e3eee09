package dev.chargehand.config;

import dev.chargehand.run.Limit;
import dev.chargehand.run.TimeLimit;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The allowed keys of the file, by the section they belong to. A test compares them with the JSON Schema. */
public final class Keys {

    static final List<String> FILE = List.of(
            "model",
            "default",
            "docs",
            "store",
            "agents",
            "tools",
            "limits",
            "timeLimits",
            "budget",
            "prices",
            "approvals",
            "providers");

    static final List<String> AGENT = List.of(
            "description",
            "instructions",
            "model",
            "agents",
            "tools",
            "maxSteps",
            "retries",
            "toolCallConcurrency",
            "lastMessages",
            "modelSettings",
            "requireToolApproval",
            "completion",
            "inputProcessors",
            "outputProcessors",
            "maxProcessorRetries",
            "structuredOutput",
            "subAgentContext",
            "bailStrategy",
            "cancelSiblings",
            "includeSubAgentToolResultsInModelContext",
            "enableResultReferences",
            "delegationMemory");

    static final List<String> TOOL_OF_AGENT = List.of("approval");

    static final List<String> MODEL_SETTINGS =
            List.of("temperature", "topP", "maxOutputTokens", "seed", "stopSequences", "reasoningEffort");

    static final List<String> SUB_AGENT_CONTEXT = List.of("lastMessages");

    static final List<String> COMPLETION = List.of(
            "scorers",
            "strategy",
            "continueOnFail",
            "feedbackToLLM",
            "sequential",
            "everyStep",
            "keepScores",
            "timeout",
            "scorerTimeout");

    /** What a scorer is; one of them. */
    static final List<String> SCORER_KINDS = List.of(
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

    /** The keys that may be added to it. */
    static final List<String> BESIDE_SCORER = List.of("name", "threshold", "model");

    static final List<String> RUBRIC = List.of("required", "optional");

    /** What a processor is; one of them. */
    static final List<String> PROCESSOR_KINDS =
            List.of("redact", "unicode", "tokenLimit", "leaveOutToolCalls", "promptInjection", "moderation");

    /** The keys that may be added to it. */
    static final List<String> BESIDE_PROCESSOR =
            List.of("patterns", "blocking", "model", "threshold", "alsoToolResults", "categories", "retry");

    static final List<String> STRUCTURED_OUTPUT = List.of("schema", "onInvalid", "fallback", "structuredBy");

    static final List<String> LIMITS = Stream.of(Limit.values()).map(Limit::key).toList();

    static final List<String> TIME_LIMITS =
            Stream.of(TimeLimit.values()).map(TimeLimit::key).toList();

    static final List<String> BUDGET = List.of("tokens", "cost", "wallTime", "calls");

    static final List<String> PRICE = List.of("input", "output", "cachedInput");

    static final List<String> APPROVALS = List.of("expiry", "selfApproval");

    static final List<String> PROVIDER = List.of("baseUrl", "key", "headers");

    static final List<String> COMMAND = List.of(
            "description",
            "command",
            "arguments",
            "approval",
            "repeatable",
            "polling",
            "timeout",
            "maxOutput",
            "folder",
            "environment");

    static final List<String> ARGUMENT = List.of("description", "type", "values", "default");

    static final List<String> OPENAPI = List.of(
            "openapi",
            "server",
            "operations",
            "headers",
            "approval",
            "repeatable",
            "polling",
            "idempotencyHeader",
            "timeout",
            "maxOutput");

    static final List<String> OPERATION = List.of("name", "description", "approval", "repeatable", "polling");

    private Keys() {}

    /** Return them all, under the names that the schema has for what they stand below. */
    public static Map<String, List<String>> all() {
        return Map.ofEntries(
                Map.entry("file", FILE),
                Map.entry("agent", AGENT),
                Map.entry("toolOfAgent", TOOL_OF_AGENT),
                Map.entry("modelSettings", MODEL_SETTINGS),
                Map.entry("subAgentContext", SUB_AGENT_CONTEXT),
                Map.entry("completion", COMPLETION),
                Map.entry(
                        "scorer",
                        Stream.concat(SCORER_KINDS.stream(), BESIDE_SCORER.stream())
                                .toList()),
                Map.entry("rubric", RUBRIC),
                Map.entry(
                        "processor",
                        Stream.concat(PROCESSOR_KINDS.stream(), BESIDE_PROCESSOR.stream())
                                .toList()),
                Map.entry("structuredOutput", STRUCTURED_OUTPUT),
                Map.entry("limits", LIMITS),
                Map.entry("timeLimits", TIME_LIMITS),
                Map.entry("budget", BUDGET),
                Map.entry("price", PRICE),
                Map.entry("approvals", APPROVALS),
                Map.entry("provider", PROVIDER),
                Map.entry("command", COMMAND),
                Map.entry("argument", ARGUMENT),
                Map.entry("openapi", OPENAPI),
                Map.entry("operation", OPERATION));
    }
}
