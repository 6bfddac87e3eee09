package dev.chargehand.server.internal.shape;

/** The shapes of what is stored in addition to runs. */
public final class RecordShapes {

    /** A page of facts. */
    public static final Shape FACTS = Shape.fields()
            .always(
                    "facts",
                    Shape.list(Shape.fields()
                            .always("position", Shape.from(0))
                            .always("type", Shape.TEXT)
                            .always("version", Shape.from(1))
                            .always(
                                    "fact",
                                    Shape.ANY,
                                    "The stored form, which is internal and changes between versions.")
                            .build()))
            .maybe("next", Shape.from(0), "For the parameter 'from'; absent on the last page.")
            .build();

    /** A text of a working memory. */
    public static final Shape WORKING = Shape.fields()
            .always("text", Shape.TEXT, "Empty if nothing was ever noted.")
            .always("revision", Shape.from(0), "The number of the text; 0 if nothing was ever noted.")
            .maybe("at", Shape.TIME, "When it was stored.")
            .named("WorkingMemory");

    /** A change of a working memory. */
    public static final Shape WORKING_CHANGE = Shape.onlyFields()
            .always("text", Shape.TEXT.with("maxLength", 16_384), "The whole text; may be empty.")
            .maybe("revision", Shape.from(0), "The revision that is replaced; another one is a conflict.")
            .named("WorkingMemoryChange");

    /** Messages that a search has found. */
    public static final Shape FOUND = Shape.fields()
            .always(
                    "messages",
                    Shape.list(Shape.fields()
                            .always("thread", RunShapes.ID)
                            .always("score", Shape.NUMBER, "The similarity, at most 1.")
                            .all(ApiShapes.MESSAGE)
                            .named("FoundMessage")))
            .build();

    /** What was deleted of a resource. */
    public static final Shape FORGOTTEN = Shape.fields()
            .always("runs", Shape.from(0))
            .always("threads", Shape.from(0))
            .always("workingMemories", Shape.from(0))
            .build();

    /** A saved version of an agent. */
    public static final Shape VERSION = Shape.fields()
            .always("id", Shape.TEXT)
            .always("agent", Shape.TEXT)
            .always("document", Shape.TEXT)
            .always("createdAt", Shape.TIME)
            .always("published", Shape.FLAG)
            .always("latest", Shape.FLAG)
            .named("AgentVersion");

    /** A page of versions. */
    public static final Shape VERSIONS = Shape.fields()
            .always("versions", Shape.list(VERSION))
            .maybe("next", Shape.TEXT, "For the parameter 'after'; absent on the last page.")
            .build();

    /** A draft of a version. */
    public static final Shape DRAFT = Shape.onlyFields()
            .always("document", Shape.text(262_144), "What the reader of the server's catalog reads.")
            .named("Draft");

    private static final Shape TIMES = Shape.fields()
            .always("p50Millis", Shape.from(0))
            .always("p95Millis", Shape.from(0))
            .build();

    /** Numbers of some runs. */
    private static final Shape COUNTS = Shape.fields()
            .always("runs", Shape.from(0))
            .always("byStatus", Shape.map(Shape.from(1)))
            .always("usage", RunShapes.USAGE)
            .always("cost", Shape.NUMBER)
            .maybe(
                    "duration",
                    TIMES,
                    "From the start of a run to its end, with all that it waited for; of the runs that have ended.")
            .named("Counts");

    private static final Shape PROCESS = Shape.fields()
            .maybe("firstText", TIMES, "From the start of a run to its first text.")
            .maybe("tools", TIMES, "Of calls of tools and sub-agents.")
            .always(
                    "abandonedCalls",
                    Shape.from(0),
                    "Calls that were given up and have not returned yet, of all tenants.")
            .named("Process");

    /** Numbers of the runs of a time. */
    public static final Shape SUMMARY = Shape.fields()
            .always("since", Shape.TIME)
            .always("complete", Shape.FLAG, "False if there were more runs than are counted, the newest ones.")
            .always("all", COUNTS)
            .always("byAgent", Shape.map(COUNTS))
            .always("pending", Shape.from(0), "How many runs wait to be executed now, at most 1,000.")
            .maybe(
                    "process",
                    PROCESS,
                    "What the process that answers knows of its own runs; not for the runs of a resource.")
            .named("Summary");

    private RecordShapes() {}
}
