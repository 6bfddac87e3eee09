package dev.chargehand.server.internal.shape;

/** The shapes of agents, workflows, answers and threads. */
public final class ApiShapes {

    /** A tool. */
    public static final Shape TOOL = Shape.fields()
            .always("name", Shape.TEXT)
            .always("description", Shape.TEXT)
            .always("input", Shape.OBJECT, "The JSON Schema of its arguments.")
            .always("needsApproval", Shape.FLAG, "Whether some of its calls may wait for an approval.")
            .named("Tool");

    /** An agent, in a list. */
    public static final Shape AGENT = Shape.fields()
            .always("id", Shape.TEXT)
            .always("name", Shape.TEXT)
            .always("description", Shape.TEXT)
            .maybe("version", Shape.TEXT)
            .named("Agent");

    /** Agents. */
    public static final Shape AGENTS =
            Shape.fields().always("agents", Shape.list(AGENT)).build();

    /** An agent with all that it has. */
    public static final Shape AGENT_DETAILS = Shape.fields()
            .all(AGENT)
            .always("dynamic", Shape.FLAG, "Whether model, tools and instructions depend on the request.")
            .maybe("model", Shape.TEXT)
            .maybe("tools", Shape.list(TOOL))
            .maybe("instructions", Shape.TEXT, "For callers with the scope agents:inspect.")
            .always("agents", Shape.map(Shape.reference("AgentDetails")))
            .named("AgentDetails");

    /** A workflow, in a list. */
    public static final Shape WORKFLOW = Shape.fields()
            .always("id", Shape.TEXT)
            .always("name", Shape.TEXT)
            .always("description", Shape.TEXT)
            .always("version", Shape.TEXT)
            .named("Workflow");

    /** Workflows. */
    public static final Shape WORKFLOWS =
            Shape.fields().always("workflows", Shape.list(WORKFLOW)).build();

    /** A workflow with its schemas and a picture. */
    public static final Shape WORKFLOW_DETAILS = Shape.fields()
            .all(WORKFLOW)
            .always("input", Shape.ANY, "The JSON Schema of its input.")
            .always("output", Shape.ANY, "The JSON Schema of its output.")
            .always("mermaid", Shape.TEXT, "A picture, as text for Mermaid.")
            .named("WorkflowDetails");

    /** A page of waiting calls. */
    public static final Shape APPROVALS = Shape.fields()
            .always("approvals", Shape.list(RunShapes.APPROVAL))
            .maybe("next", Shape.TEXT, "For the parameter 'after'; absent on the last page.")
            .build();

    /** An answer to a waiting call. */
    public static final Shape ANSWER = Shape.onlyFields()
            .always("decision", Shape.words("approve", "decline", "data"))
            .always("digest", Shape.text(1_000), "The one that was shown with the arguments.")
            .maybe("reason", Shape.text(10_000), "Of a 'decline'; the model sees it.")
            .maybe("data", Shape.ANY, "Of 'data'; fits the schema of the waiting call.")
            .named("Answer");

    /** An answer that is stored. */
    public static final Shape ANSWERED = Shape.fields()
            .always("runId", RunShapes.ID, "The root run.")
            .always("answered", Shape.FLAG)
            .build();

    /** A thread. */
    public static final Shape THREAD = Shape.fields()
            .always("id", RunShapes.ID)
            .maybe("resource", Shape.TEXT)
            .maybe("title", Shape.TEXT)
            .always("metadata", Shape.OBJECT)
            .always("messages", Shape.WHOLE, "How many messages it has.")
            .maybe(
                    "copyOf",
                    RunShapes.ID,
                    "The thread that it was copied from; absent if that was deleted or belongs to another resource.")
            .maybe("copiedMessages", Shape.WHOLE, "Of a copy: how many messages it got from there.")
            .always("createdAt", Shape.TIME)
            .always("updatedAt", Shape.TIME)
            .named("Thread");

    /** A page of threads. */
    public static final Shape THREADS = Shape.fields()
            .always("threads", Shape.list(THREAD))
            .maybe("next", Shape.WHOLE, "For the parameter 'offset'; absent on the last page.")
            .build();

    /** A change of a thread. */
    public static final Shape THREAD_CHANGE = Shape.onlyFields()
            .maybe("title", Shape.orNull(Shape.text(1_000)), "With null the thread has no title.")
            .maybe(
                    "metadata",
                    Shape.orNull(Shape.OBJECT),
                    "Values that are set, or removed with null; others are kept. Null removes all.")
            .named("ThreadChange");

    /** How a thread is copied. */
    public static final Shape THREAD_COPY = Shape.onlyFields()
            .maybe("resource", RunShapes.ID, "The owner of the copy; default: that of the thread.")
            .maybe("before", Shape.from(1), "The position before which messages are copied; default: all.")
            .all(THREAD_CHANGE)
            .named("ThreadCopy");

    /** The threads that a thread was copied from. */
    public static final Shape LINEAGE = Shape.fields()
            .always("threads", Shape.list(THREAD), "What it was copied from, what that was copied from, and so on.")
            .build();

    /** A new thread. */
    public static final Shape NEW_THREAD = Shape.onlyFields()
            .maybe("id", RunShapes.ID)
            .maybe("resource", RunShapes.ID)
            .all(THREAD_CHANGE)
            .named("NewThread");

    /** A message of a thread. */
    public static final Shape MESSAGE = Shape.fields()
            .always("position", Shape.WHOLE)
            .always("role", Shape.TEXT)
            .always("text", Shape.TEXT)
            .maybe("runId", RunShapes.ID, "The run that has added it.")
            .maybe("at", Shape.TIME)
            .always("message", Shape.OBJECT, "The whole message.")
            .named("Message");

    /** A page of messages. */
    public static final Shape MESSAGES = Shape.fields()
            .always("messages", Shape.list(MESSAGE))
            .maybe("next", Shape.WHOLE, "For the parameter 'before'; absent on the last page.")
            .build();

    private ApiShapes() {}
}
