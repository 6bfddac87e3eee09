package dev.chargehand.config.internal.key;

import dev.chargehand.document.Setting;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The keys of a workflow. */
public final class WorkflowKeys {

    private static final String VALID_ID = "^[A-Za-z0-9_-]{1,64}$";

    /** The start of a JSON Pointer into the values of a run. */
    private static final String POINTER = "^/(input|value|state|steps/[A-Za-z0-9_-]{1,64})(/.*)?$";

    public static final Key<Setting> DESCRIPTION = Key.of(
            "description",
            Shape.TEXT,
            "Its purpose. A workflow that is a tool of an agent must have a description: the agent's model uses it to decide.");

    public static final Key<Setting> VERSION = Key.of(
                    "version",
                    Shape.TEXT,
                    "The version of its definition, at most 64 characters; a run keeps its version.")
            .orElse("1");

    public static final Key<Void> INPUT = Key.of(
            "input", Shape.JSON_SCHEMA, "The JSON schema of its input, as keys and values; by default any value.");

    public static final Key<Void> OUTPUT = Key.of(
            "output", Shape.JSON_SCHEMA, "The JSON schema of its output, as keys and values; by default any value.");

    public static final Key<Void> STATE = Key.of(
            "state",
            Shape.unread(Shape.schema("type", "object")),
            "The values that its steps share at the start of a run, as keys and values; 'setState' changes them.");

    public static final Key<Void> STEPS =
            Key.of("steps", steps(), "Its entries in order; the output of each is the value of the next one.");

    public static final KeySection SECTION = KeySection.of(
                    "workflow",
                    "Steps that run in an order which is known before the run.",
                    DESCRIPTION,
                    VERSION,
                    INPUT,
                    OUTPUT,
                    STATE,
                    STEPS)
            .requiring(STEPS);

    private static Shape<Void> steps() {
        return Shape.unread(Shape.schema("type", "array", "minItems", 1, "items", Shape.reference("workflowStep")));
    }

    /** The keys of an item of {@code steps}. */
    public static final class OfStep {

        public static final Key<Setting> ID = Key.of(
                "id",
                Shape.TEXT.with("pattern", VALID_ID),
                "Its id, unique within the workflow; by default the name of the agent, tool or workflow, or its kind and a number.");

        public static final Key<Setting> AGENT =
                Key.of("agent", Shape.TEXT, "The agent that does the work; its answer is the output.");

        public static final Key<Setting> TOOL = Key.of(
                "tool",
                Shape.TEXT,
                "The tool that is called: search-files, list-files, read-file, or one that the file defines. Its result is the output.");

        public static final Key<Setting> WORKFLOW =
                Key.of("workflow", Shape.TEXT, "The workflow that is executed, in a run of its own.");

        public static final Key<Setting> ASK = Key.of(
                "ask",
                Shape.TEXT,
                "A question to a human, a template; the run waits for the answer, which is the output.");

        public static final Key<Void> MAP = Key.of(
                "map",
                Shape.unread(Map.of()),
                "The output itself, as keys and values; its texts are templates. A text that is one placeholder becomes the value there.");

        public static final Key<Void> PARALLEL =
                Key.of("parallel", steps(), "Steps that are executed at the same time, with the same value.");

        public static final Key<Setting> BRANCH = Key.of(
                "branch", Shape.TEXT.with("pattern", POINTER), "A JSON Pointer; its value selects one of 'cases'.");

        public static final Key<Void> BRANCH_ALL = Key.of(
                "branchAll",
                steps(),
                "Steps with 'when'; all whose condition holds are executed at the same time, with the same value.");

        public static final Key<Void> SET_STATE = Key.of(
                "setState",
                Shape.unread(Shape.schema("type", "object")),
                "Changes of the shared state, as 'map'; null removes a key. The value stays.");

        public static final Key<Setting> SLEEP_UNTIL = Key.of(
                "sleepUntil",
                Shape.TEXT.with("pattern", POINTER),
                "A JSON Pointer to a time such as 2026-03-01T09:00:00Z, until which the run waits; its value stays.");

        public static final Key<Setting> WHEN = Key.of(
                "when",
                Shape.TEXT.with("pattern", POINTER),
                "A JSON Pointer; the step is executed if the value there is that of 'is'. Required in 'branchAll'.");

        public static final Key<Setting> DO_WHILE = Key.of(
                "doWhile",
                Shape.TEXT.with("pattern", POINTER),
                "A JSON Pointer; the step is executed, and again with its output while the value there is that of 'is'. /value is its output.");

        public static final Key<Setting> DO_UNTIL = Key.of(
                "doUntil", Shape.TEXT.with("pattern", POINTER), "The same, until the value there is that of 'is'.");

        public static final Key<Setting> IS = Key.of(
                        "is",
                        Shape.TEXT,
                        "What the value must be, as text. Together with 'when', 'doWhile' or 'doUntil'.")
                .orElse("true");

        public static final Key<Integer> AT_MOST = Key.of(
                        "atMost",
                        Shape.range(1, 1000),
                        "The number of iterations after which the run ends, limit-reached. Together with 'doWhile' or 'doUntil'.")
                .orElse(10);

        public static final Key<Void> FALLBACK = Key.of(
                "fallback", Shape.unread(Map.of()), "The output if the step fails, as 'map'; /value is its input.");

        public static final Key<Duration> TIMEOUT = Key.of(
                "timeout", Shape.TIME, "The time limit of one attempt; by default 'toolTime'. Together with 'tool'.");

        public static final Key<Boolean> ON_FAILURE = Key.of(
                        "onFailure",
                        Shape.choice(Map.entry("finish", false), Map.entry("cancel", true)),
                        "What happens to the other steps, or items, if one fails: finish or cancel. Together with 'parallel', 'branchAll' or 'foreach'.")
                .orElse("finish");

        public static final Key<Duration> SLEEP =
                Key.of("sleep", Shape.TIME, "The time for which the run waits; its value stays.");

        public static final Key<Setting> PROMPT = Key.of(
                        "prompt", Shape.TEXT, "The prompt of an agent, a template; together with 'agent'.")
                .orElse("{/value}");

        public static final Key<Void> INPUT = Key.of(
                "input",
                Shape.unread(Map.of()),
                "The input of a workflow or the arguments of a tool, as 'map'; by default the value. Together with 'workflow' and, outside of 'parallel' and 'branch', 'tool'.");

        public static final Key<Boolean> APPROVAL = Key.of(
                        "approval",
                        Shape.FLAG,
                        "Whether each call of the tool waits for approval. Together with 'tool'.")
                .orElse(false);

        public static final Key<Void> ANSWER = Key.of(
                "answer",
                Shape.JSON_SCHEMA,
                "The JSON schema of the answer, as keys and values; by default any value. Together with 'ask'.");

        public static final Key<Void> CASES = Key.of(
                "cases",
                Shape.unread(Shape.schema(
                        "type", "object", "minProperties", 1, "additionalProperties", Shape.reference("workflowStep"))),
                "Steps by the values that select them; together with 'branch'.");

        public static final Key<Void> OTHERWISE = Key.of(
                "otherwise",
                Shape.unread(Shape.anyOf(Shape.schema("const", "pass"), Shape.reference("workflowStep"))),
                "The step for all other values, or pass: the value stays. Required with 'branch'.");

        public static final Key<Setting> FOREACH = Key.of(
                "foreach",
                Shape.TEXT.with("pattern", POINTER),
                "A JSON Pointer to a list; the step is executed for each item, which is its value. The output is the list of outputs.");

        public static final Key<Integer> CONCURRENCY = Key.of(
                        "concurrency", Shape.range(1, 100), "The number of items at once; together with 'foreach'.")
                .orElse(1);

        public static final Key<Boolean> COLLECT = Key.of(
                        "collect",
                        Shape.FLAG,
                        "Whether an item that fails does not fail the run: each output is { ok: … } or { error: … }. Together with 'foreach'.")
                .orElse(false);

        public static final Key<Integer> RETRIES = Key.of(
                        "retries", Shape.range(0, 100), "The number of further attempts after one that failed.")
                .orElse(0);

        public static final Key<Duration> BACKOFF = Key.of(
                        "backoff",
                        Shape.TIME,
                        "The wait before the second attempt, at most 5m; each further one is twice as long.")
                .orElse("1s");

        public static final Key<Boolean> OPTIONAL = Key.of(
                        "optional",
                        Shape.FLAG,
                        "Whether the output is null, instead of a failure of the run, if it fails.")
                .orElse(false);

        /** The kinds of work that can be done for each item, in parallel, or in a case. */
        public static final List<Key<?>> WORK = List.of(AGENT, TOOL, WORKFLOW, ASK);

        /** What a step is; one of them. */
        public static final List<Key<?>> KINDS =
                List.of(AGENT, TOOL, WORKFLOW, ASK, MAP, SET_STATE, PARALLEL, BRANCH, BRANCH_ALL, SLEEP, SLEEP_UNTIL);

        /** The keys that need one of some others in the same step. */
        public static final Map<Key<?>, List<Key<?>>> TOGETHER = together();

        public static final KeySection SECTION = KeySection.of(
                        "workflowStep",
                        "An entry of a workflow.",
                        ID,
                        AGENT,
                        TOOL,
                        WORKFLOW,
                        ASK,
                        MAP,
                        SET_STATE,
                        PARALLEL,
                        BRANCH,
                        BRANCH_ALL,
                        SLEEP,
                        SLEEP_UNTIL,
                        PROMPT,
                        INPUT,
                        APPROVAL,
                        ANSWER,
                        CASES,
                        OTHERWISE,
                        WHEN,
                        FOREACH,
                        CONCURRENCY,
                        COLLECT,
                        DO_WHILE,
                        DO_UNTIL,
                        IS,
                        AT_MOST,
                        ON_FAILURE,
                        TIMEOUT,
                        RETRIES,
                        BACKOFF,
                        OPTIONAL,
                        FALLBACK)
                .with(
                        "oneOf",
                        KINDS.stream()
                                .map(kind -> KeySection.requires(kind.name()))
                                .toList())
                .with("dependencies", Shape.schema("branch", List.of("cases", "otherwise")))
                .with(
                        "allOf",
                        TOGETHER.entrySet().stream()
                                .map(each -> ProcessorKeys.together(each.getKey(), each.getValue()))
                                .toList());

        private static Map<Key<?>, List<Key<?>>> together() {
            Map<Key<?>, List<Key<?>>> together = new LinkedHashMap<>();
            together.put(PROMPT, List.of(AGENT));
            together.put(INPUT, List.of(TOOL, WORKFLOW));
            together.put(APPROVAL, List.of(TOOL));
            together.put(ANSWER, List.of(ASK));
            together.put(CASES, List.of(BRANCH));
            together.put(OTHERWISE, List.of(BRANCH));
            together.put(FOREACH, WORK);
            together.put(CONCURRENCY, List.of(FOREACH));
            together.put(COLLECT, List.of(FOREACH));
            together.put(RETRIES, List.of(AGENT, TOOL, WORKFLOW));
            together.put(BACKOFF, List.of(RETRIES));
            together.put(OPTIONAL, WORK);
            together.put(FALLBACK, WORK);
            together.put(TIMEOUT, List.of(TOOL));
            together.put(WHEN, WORK);
            together.put(DO_WHILE, WORK);
            together.put(DO_UNTIL, WORK);
            together.put(IS, List.of(WHEN, DO_WHILE, DO_UNTIL));
            together.put(AT_MOST, List.of(DO_WHILE, DO_UNTIL));
            together.put(ON_FAILURE, List.of(PARALLEL, BRANCH_ALL, FOREACH));
            return together;
        }

        private OfStep() {}
    }

    private WorkflowKeys() {}
}
