package dev.chargehand.run;

/**
 * A bound on what a run and all its descendants may do together.
 *
 * <p>Spent {@link #MODEL_CALLS}, {@link #TOOL_CALLS}, {@link #IDENTICAL_CALLS}, {@link #OUTPUT_CHARACTERS} and those of workflows end the
 * run with {@link StopReason.LimitReached}; a call past one of the others gets an error result and the run continues.
 */
public enum Limit {
    /** Model calls, failed attempts included; default 100. */
    MODEL_CALLS("modelCalls", 100),
    /** Tool calls and delegations; default 200. */
    TOOL_CALLS("toolCalls", 200),
    /** Nested agents, the root counted as 1; default 8. */
    DEPTH("depth", 8),
    /** How often one agent may stand on a path; default 2. */
    SAME_AGENT_ON_PATH("sameAgentOnPath", 2),
    /** Tool calls of one answer; default 16. */
    CALLS_PER_STEP("callsPerStep", 16),
    /** Step in a row that make the same call with the same arguments; default 3. */
    IDENTICAL_CALLS("identicalCalls", 3),
    /** Characters that models write: text, reasoning and arguments; default 1,000,000. */
    OUTPUT_CHARACTERS("output", 1_000_000),
    /**
     * UTF-8 bytes of one tool result that a model sees, and of one error, reason or feedback; the whole result is
     * stored in full; default 65,536.
     */
    TOOL_RESULT_BYTES("toolResultBytes", 65_536),
    /** UTF-8 bytes of one call's arguments; default 262,144. */
    ARGUMENT_BYTES("argumentBytes", 262_144),
    /** Level of one call's arguments; default 64. */
    ARGUMENT_NESTING("argumentNesting", 64),
    /** Calls of steps of workflows, each iteration and item counted; calls that a fork has copied or whose outputs were given do not count; default 10,000. */
    WORKFLOW_CALLS("workflowCalls", 10_000),
    /** Iterations of one loop of a workflow; default 1,000. */
    LOOP_ITERATIONS("loopIterations", 1_000),
    /** Items of one {@code foreach} of a workflow; default 10,000. */
    FOREACH_ITEMS("foreachItems", 10_000),
    /** Background tasks that a run starts, each counted once with all its attempts; default 100. */
    TASKS("tasks", 100),
    /** Turns of an until-idle call that the ends of its background tasks start; default 20. */
    CONTINUATIONS("continuations", 20);

    private final String key;
    private final long byDefault;

    Limit(String key, long byDefault) {
        this.key = key;
        this.byDefault = byDefault;
    }

    /** Return the name used in stop reasons, configuration and stored runs. */
    public String key() {
        return key;
    }

    /** Return the default. */
    public long byDefault() {
        return byDefault;
    }
}
