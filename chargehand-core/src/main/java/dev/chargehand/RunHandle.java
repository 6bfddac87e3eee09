package dev.chargehand;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.StoreException;
import dev.chargehand.event.RunWatch;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import java.time.Duration;
import java.util.List;

/**
 * A handle of a root run, which this process or another one executes, or which waits or has ended.
 *
 * <pre>{@code
 * RunHandle run = agent.start("Write the report.");
 * log(run.runId());
 * RunResult result = run.result();
 * }</pre>
 *
 * <p>The run does not depend on its handle: it continues when the handle is dropped and no caller waits for the result, and
 * {@link AgentRuntime#handle} opens another one in any process. Thread-safe.
 */
public interface RunHandle {

    /** Return the id of the run, which is known before anything of the run is stored. */
    RunId runId();

    /**
     * Return whether the call that returned this handle started nothing: an earlier call with the same {@link
     * RunOptions.Builder#idempotencyKey} had started the run. False for handles of other calls.
     */
    default boolean isRepeated() {
        return false;
    }

    /**
     * Return the status of the run now. A submitted run is pending until a process starts it; a run of {@code start} that
     * waits for its thread or for its input processors is running, or pending if it has an idempotency key.
     *
     * @throws StoreException {@code NOT_FOUND} if the run is not in the store any more
     */
    RunStatus status();

    /**
     * Wait until the run has ended or is suspended, and return its result. A pending run is waited for, and so is a
     * suspended one that has an answer to all it waits for, since it is about to be resumed. One that waits for a time only is
     * waited for as well, unless this runtime has {@link Wakeups#off()}.
     *
     * <p>A pending run whose runtime has {@link Wakeups#off()} is waited for too, since another process may start it, and so is the run of
     * a background task. The store does not know which processes have wake-ups, so this is not an error: it is logged as a warning,
     * with the calls that start the run.
     *
     * <p>A handle does not resume a run whose process died; it waits until that happens, and logs a warning after some seconds. An interrupt
     * of the thread that waits ends the wait and leaves the run alone; {@link Agent#generate} is the call whose interrupt cancels the
     * run.
     *
     * @throws RunFailedException if the run failed
     * @throws RunReleasedException if the runtime of this handle is closed before that
     * @throws RunTakenOverException if another process has taken the run over and did not end it within the time limit
     *     of the run
     * @throws dev.chargehand.error.ApprovalException {@code ALREADY_DECIDED}, of a handle that an answer returned: the
     *     answer was not carried out, because the call was closed before
     * @throws StoreException if the store fails; {@code NOT_FOUND} if the run has ended and the store does not keep it
     * @throws ChargehandException with code {@code interrupted} if the thread is interrupted; its interrupt flag is set
     */
    RunResult result();

    /**
     * Wait for the result for a time only; see {@link #result()}, whose other rules and errors hold too. The run is not cancelled when the time
     * is over. A run that has ended has its result regardless of the time.
     *
     * @param most how long this call waits, above zero; {@link #status} returns without waiting
     * @throws dev.chargehand.error.RunNotEndedException if the run has neither ended nor is suspended then; its text
     *     says whether the run continues, was not started, or is executed by no living process
     * @throws dev.chargehand.error.ConfigurationException if the time is not above zero
     */
    RunResult result(Duration most);

    /**
     * Return what the run and its descendants wait for, in the order of the calls; empty if it waits for nothing.
     * Calls that have been answered are left out.
     */
    List<PendingApproval> pendingApprovals();

    /**
     * Return a reader of the events of the run and its descendants, from the first one on, however late this is called;
     * see {@link AgentRuntime#watch}. It never slows the run, and there may be any number of readers.
     *
     * @throws StoreException {@code NOT_FOUND}, here or while reading, if the run has ended and the store does not keep
     *     ended runs, as the default one in memory
     */
    RunWatch events();

    /**
     * Cancel the run; see {@link AgentRuntime#cancel}.
     *
     * @return whether it was cancelled; false if it has ended
     */
    boolean cancel();

    /**
     * Delete the run, which must have ended, with its nested runs: what they did, their results and events, and the idempotency key, by which
     * a later call starts a run again. Its thread and the messages that it appended stay, and so do those of the threads of its sub-agents;
     * {@link dev.chargehand.thread.Threads#delete} deletes these. {@link AgentRuntime.Operator#prune} deletes runs by their age.
     *
     * @return whether it was deleted; false if the store does not have it, or the caller may not change it. Of a store that forgets ended
     *     runs, what is kept for a first reader of the run is deleted
     * @throws dev.chargehand.error.RunNotEndedException if it, or a nested run, has not ended; nothing is deleted then
     * @throws StoreException if the store fails
     */
    boolean delete();
}
