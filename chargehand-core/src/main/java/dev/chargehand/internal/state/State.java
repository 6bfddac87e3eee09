package dev.chargehand.internal.state;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.state.value.Remembered;
import dev.chargehand.message.Message;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a run stands: the fold of its facts, and the tail of its thread. The subtypes hold the
 * differences between the kinds of run.
 *
 * <p>Immutable; {@link #after} is a pure function, and the same facts always give the same state. To add a fact costs
 * the same however many facts were added before.
 */
public abstract sealed class State permits ConversationState, WorkflowState {

    private final Origin origin;
    private final Progress progress;

    State(Origin origin, Progress progress) {
        this.origin = origin;
        this.progress = progress;
    }

    /**
     * Where a run comes from.
     *
     * @param runId the run
     * @param started its first fact
     */
    record Origin(RunId runId, Fact.Started started) {}

    /**
     * Fold the first fact of a run.
     *
     * @param threadTail what its thread held before the run, as far as the agent remembers
     */
    public static State of(RunId runId, Fact.Started started, List<Message> threadTail) {
        Origin origin = new Origin(runId, started);
        Progress progress = Progress.from(started.at());
        ConversationState.Past past = new ConversationState.Past(threadTail, Remembered.NOTHING);
        return switch (started.settings().get(Options.KIND)) {
            case ORDINARY -> new AgentState(origin, progress, past, Steps.NONE);
            case NETWORK -> new NetworkState(origin, progress, past, Steps.NONE);
            case WORKFLOW -> new WorkflowState(origin, progress, WorkflowState.Rounds.of(started.definition()));
        };
    }

    /** Fold one more fact. */
    public abstract State after(Fact fact);

    /**
     * Fold the start of a submitted run.
     *
     * @param threadTail what its thread held before the run then
     */
    public abstract State executing(Fact.ExecutionStarted execution, List<Message> threadTail);

    /** Return the kind of run, as lists of runs name it. */
    public abstract String kind();

    /** Return the calls of what is open; none if nothing is. */
    abstract StepCalls openCalls();

    /** Return whether a step is open: what it calls is known, and it is not over. */
    public abstract boolean isOpen();

    /** Return how many steps are over. */
    public abstract int stepsOver();

    /** Return whether one of its calls may have started a nested run. */
    public abstract boolean mayHaveNestedRuns();

    /** Return the answer of the run as a text; empty while it is suspended. */
    public abstract String text();

    /** Return what its caller may see of the answer while the run continues. */
    public abstract String textSoFar();

    /** Return a call of any step. */
    public abstract Optional<CallState> call(String callId);

    /**
     * Return it as the state of a conversation.
     *
     * @throws IllegalStateException if the run is of another kind
     */
    public abstract ConversationState conversation();

    Origin origin() {
        return origin;
    }

    Progress progress() {
        return progress;
    }

    /** Return the run. */
    public RunId runId() {
        return origin.runId();
    }

    /** Return its first fact. */
    public Fact.Started started() {
        return origin.started();
    }

    /** Return when the first of what the suspended run waits for expires, or null if it is not suspended. */
    public @Nullable Instant waitsUntil() {
        return progress.waitsUntil();
    }

    /** Return why the run ended, or null. */
    public @Nullable StopReason stop() {
        return progress.stop();
    }

    /** Return the ids of the messages to the run that its model had not seen when the run ended. */
    public List<String> unread() {
        return progress.unread();
    }

    /** Return what the run and its finished descendants used. */
    public Spending spent() {
        return progress.spent();
    }

    /** Return when the last fact happened. */
    public Instant lastAt() {
        return progress.lastAt();
    }

    /** Return what the run needs next. */
    public Phase phase() {
        if (stop() != null) {
            return Phase.END;
        }
        if (!isOpen()) {
            return Phase.ASK;
        }
        return openCalls().areOver() ? Phase.DECIDE : Phase.ACT;
    }

    /** Return the number of the step that is being made, or of the last one if the run has ended. */
    public int stepNumber() {
        return stop() != null ? stepsOver() : stepsOver() + 1;
    }

    /** Return the calls of the open step about which nothing has been decided. */
    public List<CallState> unopened() {
        return openCalls().unopened();
    }

    /** Return the calls of the open step that may be executed. */
    public List<CallState> runnable() {
        return openCalls().runnable();
    }

    /** Return the calls of the open step that are not over, in order. */
    public List<CallState> pendingCalls() {
        return openCalls().pending();
    }

    /** Return a call of the open step. */
    public CallState openCall(String callId) {
        if (!isOpen()) {
            throw new IllegalStateException("Run " + runId() + " has no open step.");
        }
        int place = openCalls().place(callId);
        if (place < 0) {
            throw new IllegalStateException("Step " + stepNumber() + " has no call " + callId + ".");
        }
        return openCalls().get(place);
    }

    /** Return how many delegations of the open step have bailed. */
    public int bails() {
        return openCalls().bails();
    }

    /** Return how many calls of the open step have failed. */
    public int failures() {
        return openCalls().failures();
    }

    /** Return the call of the open step after another one in its order, if there is one. */
    public Optional<CallState> callAfter(String callId) {
        int next = openCalls().place(callId) + 1;
        return next < openCalls().size() ? Optional.of(openCalls().get(next)) : Optional.empty();
    }

    /** Return how many calls of the open step may be executed. */
    public int countOfRunnable() {
        return openCalls().countOfRunnable();
    }

    /**
     * Return whether everything that could be done for the open step has been, once its runnable calls were executed:
     * what is left waits for an answer, or is a delegation that does.
     */
    public boolean isWaiting() {
        return phase() == Phase.ACT && openCalls().areDecided();
    }

    /** Return the agent's id. */
    public String agentId() {
        return started().agentId();
    }

    /** Return the agent's path. */
    public AgentPath path() {
        return started().path();
    }

    /** Return where the run stands. */
    public RunStatus status() {
        StopReason stop = stop();
        if (stop != null) {
            return stop.status();
        }
        if (started().submitted()) {
            return RunStatus.PENDING;
        }
        return waitsUntil() == null ? RunStatus.RUNNING : RunStatus.SUSPENDED;
    }

    /** Return whether nothing follows by itself: the run has ended, or is suspended. */
    public boolean isAtRest() {
        return stop() != null || waitsUntil() != null;
    }

    /** Return why the run ended, if it has. */
    public Optional<StopReason> stopReason() {
        return Optional.ofNullable(stop());
    }

    /** Return how long the run has been worked on, up to its last fact. */
    public Duration activeTime() {
        return Progress.between(started().at(), lastAt()).minus(progress.idle());
    }
}
