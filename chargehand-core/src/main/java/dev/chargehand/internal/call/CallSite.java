package dev.chargehand.internal.call;

import dev.chargehand.run.RunId;
import dev.chargehand.run.RunInfo;
import dev.chargehand.spi.CallInfo;
import org.jspecify.annotations.Nullable;

/**
 * Describes a call of foreign code, for thread dumps and errors and, where there is an instrumentation, for that.
 *
 * @param kind the kind of the call
 * @param name the name of the called thing
 * @param run the run that the call belongs to, or null
 * @param root the root run of that run, or null
 * @param step the step that it belongs to, or 0
 * @param callId the executed tool call, or null
 * @param attempt the number of the attempt, or 0
 */
public record CallSite(
        CallInfo.Kind kind,
        String name,
        @Nullable RunInfo run,
        @Nullable RunId root,
        int step,
        @Nullable String callId,
        int attempt) {

    /** Describe a call that belongs to no run. */
    public static CallSite of(CallInfo.Kind kind, String name) {
        return new CallSite(kind, name, null, null, 0, null, 0);
    }

    /** Describe a call of a run. */
    public static CallSite of(CallInfo.Kind kind, String name, RunInfo run, RunId root) {
        return new CallSite(kind, name, run, root, 0, null, 0);
    }

    /** Return the description of another call of the same kind in the same run. */
    public CallSite named(String other) {
        return new CallSite(kind, other, run, root, step, callId, attempt);
    }

    /** Return the description with the step that the call belongs to. */
    public CallSite atStep(int number) {
        return new CallSite(kind, name, run, root, number, callId, attempt);
    }

    /** Return the description with the tool call that is executed. */
    public CallSite executing(String id) {
        return new CallSite(kind, name, run, root, step, id, attempt);
    }

    /** Return the description with the number of the attempt. */
    public CallSite onAttempt(int number) {
        return new CallSite(kind, name, run, root, step, callId, number);
    }

    CallInfo info() {
        CallInfo.Builder info =
                CallInfo.builder(kind, name).step(step).callId(callId).attempt(attempt);
        if (run != null && root != null) {
            info.run(run.runId(), root)
                    .agent(run.agentId(), run.path())
                    .threadId(run.threadId().orElse(null));
        }
        return info.build();
    }

    /** Return the name of the call in thread dumps. */
    @Override
    public String toString() {
        return switch (kind) {
            case RUN -> "run " + name;
            case MODEL -> "model " + name;
            case TOOL -> "tool " + name;
            case STEP -> "step " + name;
            case DELEGATION -> "delegation " + name;
            case HOOK -> "hook " + name;
            case SCORER -> "scorer " + name;
            case EMBEDDER -> "embedding model " + name;
            case PROCESSOR -> "processor " + name;
            case STORE -> "store: " + name;
            case CLOSER -> "closer of " + name;
            case LISTENER -> "listener of " + name;
            case CHECK -> "check of " + name;
            case DEFINITION -> "dynamic settings of " + name;
            case CATALOG -> "catalog of the versions of " + name;
        };
    }
}
