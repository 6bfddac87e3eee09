package dev.chargehand.store;

import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A run as a store lists it.
 *
 * @param runId its id
 * @param rootRunId the run at the top of its tree; itself for a root run
 * @param parentRunId the run that delegated to it, or null for a root run
 * @param parentCallId the call by which it was delegated, or null for a root run
 * @param agentId the agent
 * @param path the agent's path, as text
 * @param threadId the thread it appends to, or null
 * @param resourceId whom the thread belongs to, or null
 * @param status where it stands
 * @param owner the process that may write to it
 * @param epoch how often its owner changed, from 1; a writer with an older one is refused
 * @param length the number of its facts
 * @param startedAt when it started
 * @param updatedAt when a fact was last appended
 * @param expiresAt when the first answer it waits for expires, or null if it waits for none
 */
public record RunRecord(
        RunId runId,
        RunId rootRunId,
        @Nullable RunId parentRunId,
        @Nullable String parentCallId,
        String agentId,
        String path,
        @Nullable String threadId,
        @Nullable String resourceId,
        RunStatus status,
        String owner,
        long epoch,
        long length,
        Instant startedAt,
        Instant updatedAt,
        @Nullable Instant expiresAt) {

    /** Makes the record of a run that starts: it is running, in its first epoch, and has no facts yet. */
    public static RunRecord starting(
            RunId runId,
            RunId rootRunId,
            @Nullable RunId parentRunId,
            @Nullable String parentCallId,
            String agentId,
            String path,
            @Nullable String threadId,
            @Nullable String resourceId,
            String owner,
            Instant at) {
        return new RunRecord(
                runId,
                rootRunId,
                parentRunId,
                parentCallId,
                agentId,
                path,
                threadId,
                resourceId,
                RunStatus.RUNNING,
                owner,
                1,
                0,
                at,
                at,
                null);
    }

    /** Tells whether this is the run at the top of its tree. */
    public boolean isRoot() {
        return runId.equals(rootRunId);
    }

    /** Returns this record after facts were appended; it waits for no answer then. */
    public RunRecord advanced(RunStatus newStatus, long newLength, Instant at) {
        return advanced(newStatus, newLength, at, null);
    }

    /** Returns this record after facts were appended. */
    public RunRecord advanced(RunStatus newStatus, long newLength, Instant at, @Nullable Instant newExpiresAt) {
        return new RunRecord(
                runId,
                rootRunId,
                parentRunId,
                parentCallId,
                agentId,
                path,
                threadId,
                resourceId,
                newStatus,
                owner,
                epoch,
                newLength,
                startedAt,
                at,
                newExpiresAt);
    }

    /** Returns this record after another owner claimed it. */
    public RunRecord claimed(String newOwner) {
        return new RunRecord(
                runId,
                rootRunId,
                parentRunId,
                parentCallId,
                agentId,
                path,
                threadId,
                resourceId,
                status,
                newOwner,
                epoch + 1,
                length,
                startedAt,
                updatedAt,
                expiresAt);
    }
}
