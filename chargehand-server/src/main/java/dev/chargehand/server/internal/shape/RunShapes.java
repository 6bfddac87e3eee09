package dev.chargehand.server.internal.shape;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.background.TaskStatus;
import dev.chargehand.run.RunStatus;
import dev.chargehand.version.Version;

/** The shapes of runs: how they are started, their records, results and events. */
public final class RunShapes {

    /** An id. */
    public static final Shape ID = Shape.text(1_000);

    /** How a run stands. */
    public static final Shape STATUS = Shape.words(RunStatus.values()).named("RunStatus");

    /** Tokens. */
    public static final Shape USAGE = Shape.fields()
            .always("inputTokens", Shape.WHOLE)
            .always("outputTokens", Shape.WHOLE)
            .always("cachedInputTokens", Shape.WHOLE)
            .always("reasoningTokens", Shape.WHOLE)
            .always("totalTokens", Shape.WHOLE)
            .named("Usage");

    /** A call that waits for an answer. */
    public static final Shape APPROVAL = Shape.fields()
            .always("id", ID, "Its id in the routes of waiting calls.")
            .always("rootRunId", ID)
            .always("runId", ID, "The run that makes the call: the root run or a nested one.")
            .always("path", Shape.TEXT, "The agents from the root run down to that run.")
            .always("callId", Shape.TEXT)
            .always("waitNumber", Shape.from(1), "How often the call has waited, this time included.")
            .always("kind", Shape.words(PendingApproval.Kind.values()), "What it waits for.")
            .always("toolName", Shape.TEXT)
            .always("arguments", Shape.ANY, "What will be executed.")
            .always("digest", Shape.TEXT, "The digest of the arguments; an answer repeats it.")
            .maybe("payload", Shape.ANY, "What the tool shows to the approver.")
            .maybe("dataSchema", Shape.ANY, "The JSON Schema of the data that it waits for.")
            .maybe("stepPath", Shape.TEXT)
            .maybe("requester", Shape.TEXT)
            .maybe("threadId", Shape.TEXT)
            .maybe("resourceId", Shape.TEXT)
            .always("askedAt", Shape.TIME)
            .always("expiresAt", Shape.TIME, "From when on it counts as declined.")
            .named("WaitingCall");

    private static final Shape APPROVALS = Shape.list(APPROVAL);

    private static final Shape CANCELLED = Shape.fields()
            .always("by", Shape.TEXT, "What cancelled it, such as caller or shutdown.")
            .maybe("reason", Shape.TEXT, "Why, in the words of the caller.")
            .build();

    /** The record of a run. */
    public static final Shape RUN = Shape.fields()
            .always("runId", ID)
            .always("status", STATUS)
            .always("agent", Shape.TEXT, "The agent or workflow.")
            .always("path", Shape.TEXT)
            .maybe("rootRunId", ID, "Of a nested run.")
            .maybe("parentRunId", ID, "Of a nested run.")
            .maybe("parentCallId", Shape.TEXT, "Of a nested run.")
            .maybe("thread", Shape.TEXT)
            .maybe("resource", Shape.TEXT)
            .always("startedAt", Shape.TIME)
            .always("updatedAt", Shape.TIME)
            .maybe("waitsUntil", Shape.TIME)
            .maybe("kind", Shape.TEXT)
            .maybe("firstWords", Shape.TEXT, "How the input starts.")
            .maybe("step", Shape.WHOLE)
            .maybe("usage", USAGE)
            .maybe("cost", Shape.NUMBER)
            .maybe("stopReason", Shape.TEXT)
            .maybe("cancelled", CANCELLED, "Of a cancelled run.")
            .maybe("pending", APPROVALS, "What a run that is open waits for; not in lists.")
            .named("Run");

    /** A page of runs. */
    public static final Shape RUNS = Shape.fields()
            .always("runs", Shape.list(RUN))
            .maybe("next", ID, "For the parameter 'after'; absent on the last page.")
            .build();

    /** The result of a run. */
    public static final Shape RESULT = Shape.fields()
            .always("runId", ID)
            .always("status", STATUS)
            .always("stopReason", Shape.TEXT)
            .maybe(
                    "error",
                    Shape.fields()
                            .always("code", Shape.TEXT)
                            .always("retryable", Shape.FLAG)
                            .build(),
                    "Why it failed; docs/errors.md lists the codes.")
            .maybe("cancelled", CANCELLED, "Of a cancelled run.")
            .always("text", Shape.TEXT, "The answer of an agent; may be empty.")
            .maybe("object", Shape.ANY, "The structured answer of an agent, or the output of a workflow.")
            .always("usage", USAGE)
            .always("usageByAgent", Shape.map(USAGE))
            .always("cost", Shape.NUMBER)
            .maybe("thread", Shape.TEXT)
            .maybe("pending", APPROVALS)
            .named("RunResult");

    /** A run that was started. */
    public static final Shape ACCEPTED = Shape.fields()
            .always("runId", ID)
            .always("status", STATUS)
            .maybe("pending", APPROVALS, "What it waits for, if it is suspended.")
            .named("AcceptedRun");

    /** A run, by its id. */
    public static final Shape RUN_ID = Shape.fields().always("runId", ID).build();

    private static final Shape VERSION = Shape.onlyFields()
            .maybe("status", Shape.words("published"), "The version that is published when the run starts.")
            .maybe("versionId", Shape.text(Version.LONGEST), "The version with this id. One of both must be set.")
            .build();

    private static final Shape VERSIONS = Shape.onlyFields()
            .maybe(
                    "agents",
                    Shape.map(VERSION),
                    "By the ids of agents of which the server lets callers select versions.")
            .build();

    private static final String VERSIONS_ARE = "The versions of the called agent and of its descendants.";

    private static final String CONTEXT = "Values of the request context that callers may set.";

    /** The options that a caller may set. */
    public static final Shape OPTIONS = Shape.onlyFields()
            .maybe("maxSteps", Shape.whole(1, Integer.MAX_VALUE), "Can only be lowered.")
            .maybe(
                    "budget",
                    Shape.onlyFields()
                            .maybe("tokens", Shape.from(1))
                            .maybe("cost", Shape.NUMBER.with("exclusiveMinimum", 0))
                            .maybe("calls", Shape.whole(1, Integer.MAX_VALUE))
                            .build(),
                    "Can only be lowered.")
            .maybe("activeTools", Shape.list(Shape.TEXT), "The tools that the agent may use, of those that it has.")
            .maybe("structuredOutput", Shape.ANY, "A JSON Schema of the answer.")
            .maybe("requestContext", Shape.OBJECT, CONTEXT)
            .maybe("versions", VERSIONS, VERSIONS_ARE)
            .build();

    /** The input of a run: a text, or messages of the user. */
    public static final Shape INPUT = Shape.anyOf(
            Shape.TEXT.with("minLength", 1),
            Shape.list(Shape.onlyFields()
                            .maybe("role", Shape.words("user"))
                            .always("content", Shape.TEXT.with("minLength", 1))
                            .build())
                    .with("minItems", 1));

    /** Texts that are stored with a run. */
    public static final Shape METADATA =
            Shape.map(Shape.TEXT.with("maxLength", 512)).with("maxProperties", 16);

    private static final String BEHALF = "On whose behalf it works; default: the resource of the caller.";

    /** A request to start a run of an agent. */
    public static final Shape START = Shape.onlyFields()
            .always("input", INPUT)
            .maybe("thread", ID, "The conversation that it continues; a new one gets this id for the caller.")
            .maybe("resource", ID, BEHALF)
            .maybe("options", OPTIONS)
            .maybe("metadata", METADATA)
            .named("StartOfAgent");

    /** The options of a run of a workflow that a caller may set. */
    public static final Shape WORKFLOW_OPTIONS = Shape.onlyFields()
            .maybe("requestContext", Shape.OBJECT, CONTEXT)
            .maybe("initialState", Shape.OBJECT, "The state with which it starts, in place of that of the workflow.")
            .maybe("versions", VERSIONS, "The versions of agents in its steps.")
            .build();

    /** A request to start a run of a workflow. */
    public static final Shape START_WORKFLOW = Shape.onlyFields()
            .always("input", Shape.ANY, "Fits the schema of the workflow's input.")
            .maybe("resource", ID, BEHALF)
            .maybe("options", WORKFLOW_OPTIONS)
            .named("StartOfWorkflow");

    /** An event, in a page. */
    public static final Shape EVENTS = Shape.fields()
            .always("events", Shape.list(Shape.OBJECT), "See the page of events; each has the field 'type'.")
            .maybe("next", Shape.TEXT, "A cursor: for the parameter 'from' or the header 'Last-Event-ID'.")
            .maybe("reset", Shape.FLAG, "True if the store does not have the cursor any more: the events start again.")
            .build();

    /** A background task. */
    public static final Shape TASK = Shape.fields()
            .always("id", ID)
            .always("runId", ID, "The run of its last attempt.")
            .always("attempt", Shape.from(1))
            .always("agent", Shape.TEXT)
            .always("status", Shape.words(TaskStatus.values()))
            .always("originRunId", ID)
            .always("originCallId", Shape.TEXT)
            .always("startedAt", Shape.TIME)
            .always("changedAt", Shape.TIME)
            .maybe("readBy", ID, "The run that has given the result to a model.")
            .named("Task");

    /** Background tasks. */
    public static final Shape TASKS =
            Shape.fields().always("tasks", Shape.list(TASK)).build();

    private RunShapes() {}
}
