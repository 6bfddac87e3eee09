package dev.chargehand.run;

/**
 * A kind of hook, and what its failure means.
 *
 * <p>A hook fails when it throws, returns null or exceeds {@link TimeLimit#HOOK}. Guards decide whether something may
 * happen and refuse it when they fail; observers and advisers count as having said nothing. Every failure is logged and
 * told as a {@code hook-error} event. The hooks of a run's end ({@code onFinish}, {@code onError}, {@code onAbort}) are
 * not here: nothing is left that their failure could change.
 */
public enum Hook {
    /** Changes a step before the model is asked; its failure fails the run. */
    PREPARE_STEP("prepareStep", HookPolicy.FAIL_RUN, true),
    /** Guards every call of a tool or sub-agent; its failure refuses the call. */
    BEFORE_TOOL_CALL("beforeToolCall", HookPolicy.REFUSE, true),
    /** Says whether a call must be approved before it is executed; its failure means that it must. */
    REQUIRE_TOOL_APPROVAL("requireToolApproval", HookPolicy.REFUSE, false),
    /** Guards and changes delegations; its failure refuses the delegation. */
    ON_DELEGATION_START("onDelegationStart", HookPolicy.REFUSE, true),
    /** Chooses what a sub-agent sees of the conversation; its failure refuses the delegation, and never widens it. */
    MESSAGE_FILTER("messageFilter", HookPolicy.REFUSE, false),
    /** Hears of delegations that begin; its failure changes nothing. */
    OBSERVE_DELEGATION_START("observeDelegationStart", HookPolicy.CONTINUE, true),
    /** Judges the result of a delegation; its failure accepts the result. */
    ON_DELEGATION_COMPLETE("onDelegationComplete", HookPolicy.CONTINUE, true),
    /** Decides whether a run goes on after a step; its failure counts as no decision. */
    ON_ITERATION_COMPLETE("onIterationComplete", HookPolicy.CONTINUE, true),
    /** Hears how an answer was scored; its failure changes nothing. */
    ON_COMPLETE("onComplete", HookPolicy.CONTINUE, true),
    /** Ends a run early; its failure counts as false. */
    STOP_WHEN("stopWhen", HookPolicy.CONTINUE, true),
    /** Hears of every step; its failure changes nothing. */
    ON_STEP_FINISH("onStepFinish", HookPolicy.CONTINUE, true);

    private final String key;
    private final HookPolicy byDefault;
    private final boolean canBeIgnored;

    Hook(String key, HookPolicy byDefault, boolean canBeIgnored) {
        this.key = key;
        this.byDefault = byDefault;
        this.canBeIgnored = canBeIgnored;
    }

    /** Returns the name of the option that sets it, used in events, errors and configuration. */
    public String key() {
        return key;
    }

    /** Returns what its failure means unless the options say otherwise. */
    public HookPolicy byDefault() {
        return byDefault;
    }

    /** Tells whether its failure may mean this; any failure may fail the run, only a guard's can refuse. */
    public boolean allows(HookPolicy policy) {
        return switch (policy) {
            case FAIL_RUN -> true;
            case CONTINUE -> canBeIgnored;
            case REFUSE -> byDefault == HookPolicy.REFUSE;
        };
    }
}
