package dev.chargehand.hook;

import dev.chargehand.run.TimeLimit;

/**
 * A kind of hook, and what its failure means.
 *
 * <p>A hook fails when it throws, returns null or exceeds {@link TimeLimit#HOOK}. Guards decide whether something may
 * happen and reject it when they fail; observers and advisers count as having said nothing. Every failure is logged and
 * emitted as a {@code hook-error} event. The hooks of a run's end ({@code onFinish}, {@code onError}, {@code onAbort})
 * are not here: nothing is left that their failure could change.
 */
public enum Hook {
    /** Change a step before the model is called; its failure fails the run. */
    PREPARE_STEP("prepareStep", HookPolicy.FAIL_RUN, true),
    /** Guard every call of a tool or sub-agent; its failure rejects the call. */
    BEFORE_TOOL_CALL("beforeToolCall", HookPolicy.REFUSE, true),
    /** Return whether a call must be approved before it is executed; its failure means that it must. */
    REQUIRE_TOOL_APPROVAL("requireToolApproval", HookPolicy.REFUSE, false),
    /** Guard and changes delegations; its failure rejects the delegation. */
    ON_DELEGATION_START("onDelegationStart", HookPolicy.REFUSE, true),
    /** Choose what a sub-agent sees of the conversation; its failure rejects the delegation, and never widens it. */
    MESSAGE_FILTER("messageFilter", HookPolicy.REFUSE, false),
    /** Observe delegation starts; its failure changes nothing. */
    OBSERVE_DELEGATION_START("observeDelegationStart", HookPolicy.CONTINUE, true),
    /** Judge the result of a delegation; its failure accepts the result. */
    ON_DELEGATION_COMPLETE("onDelegationComplete", HookPolicy.CONTINUE, true),
    /** Decide whether a run continues after a step; its failure counts as no decision. */
    ON_ITERATION_COMPLETE("onIterationComplete", HookPolicy.CONTINUE, true),
    /** Hear how an answer was scored; its failure changes nothing. */
    ON_COMPLETE("onComplete", HookPolicy.CONTINUE, true),
    /** End a run early; its failure counts as false. */
    STOP_WHEN("stopWhen", HookPolicy.CONTINUE, true),
    /** Receive every step; its failure changes nothing. */
    ON_STEP_FINISH("onStepFinish", HookPolicy.CONTINUE, true);

    private final String key;
    private final HookPolicy byDefault;
    private final boolean canBeIgnored;

    Hook(String key, HookPolicy byDefault, boolean canBeIgnored) {
        this.key = key;
        this.byDefault = byDefault;
        this.canBeIgnored = canBeIgnored;
    }

    /** Return the name of the option that sets it, used in events, errors and configuration. */
    public String key() {
        return key;
    }

    /** Return what its failure means unless the options say otherwise. */
    public HookPolicy byDefault() {
        return byDefault;
    }

    /** Return whether its failure may mean this; any failure may fail the run, only a guard's can reject. */
    public boolean allows(HookPolicy policy) {
        return switch (policy) {
            case FAIL_RUN -> true;
            case CONTINUE -> canBeIgnored;
            case REFUSE -> byDefault == HookPolicy.REFUSE;
        };
    }
}
