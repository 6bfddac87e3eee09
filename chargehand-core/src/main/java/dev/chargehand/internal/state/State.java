package dev.chargehand.internal.state;

import dev.chargehand.completion.CompletionResult;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.option.Options;
import dev.chargehand.message.Message;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.ForkOrigin;
import dev.chargehand.run.ObjectResult;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where a run stands: the fold of its facts, and the tail of its thread. The subtypes hold the
 * differences between the kinds of run.
 *
 * <p>Immutable; {@link #after} is a pure function, and the same facts always give the same state. To add a fact costs
 * the same however many facts were added before.
 */
public abstract sealed class State permits AgentState, NetworkState {

    private final Origin origin;
    private final Progress progress;
    private final Steps steps;

    State(Origin origin, Progress progress, Steps steps) {
        this.origin = origin;
        this.progress = progress;
        this.steps = steps;
    }

    /**
     * Where a run comes from.
     *
     * @param runId the run
     * @param started its first fact
     * @param threadTail what the thread held before the run, as far as the agent remembers; filled in by who reads
     *     threads
     * @param remembered what the run recalled
     */
    record Origin(RunId runId, Fact.Started started, List<Message> threadTail, Remembered remembered) {
        Origin {
            threadTail = List.copyOf(threadTail);
        }

        Origin with(Remembered other) {
            return new Origin(runId, started, threadTail, other);
        }
    }

    /** Fold the first fact of a run. */
    public static State of(RunId runId, Fact.Started started, List<Message> threadTail) {
        Origin origin = new Origin(runId, started, threadTail, Remembered.NOTHING);
        Progress progress = Progress.from(started.at());
        return switch (started.settings().get(Options.KIND)) {
            case ORDINARY -> new AgentState(origin, progress, Steps.NONE);
            case NETWORK -> new NetworkState(origin, progress, Steps.NONE);
        };
    }

    /** Fold one more fact. */
    public State after(Fact fact) {
        return Fold.of(this, fact);
    }

    /** Fold the start of a submitted run, which knows what its thread held before it then. */
    public State begun(Fact.Begun begun, List<Message> tail) {
        State after = after(begun);
        return after.with(new Origin(runId(), after.started(), tail, Remembered.NOTHING), after.progress, after.steps);
    }

    /** Fold that the run recalled something, with the texts that the fact does not hold. */
    public State recalled(Remembered remembered) {
        State after = after(remembered.recalled());
        return after.with(after.origin.with(remembered), after.progress, after.steps);
    }

    /** Return a state of the same kind and run. */
    abstract State with(Origin same, Progress changed, Steps changedSteps);

    /**
     * Start a step with its answer.
     *
     * @param executes whether its calls are executed
     */
    abstract StepState begun(Fact.Answered answered, boolean executes);

    /** Return the kind of run, as lists of runs name it. */
    public abstract String kind();

    /** Return whether the next request offers the model tools to call, as far as there are any. */
    public abstract boolean offersTools();

    Origin origin() {
        return origin;
    }

    Progress progress() {
        return progress;
    }

    Steps allSteps() {
        return steps;
    }

    /** Return the run. */
    public RunId runId() {
        return origin.runId();
    }

    /** Return its first fact. */
    public Fact.Started started() {
        return origin.started();
    }

    /** Return what the thread held before the run, as far as the run sees it as it was said. */
    public List<Message> threadTail() {
        List<Message> afterObservations = origin.remembered().tail();
        return afterObservations == null ? origin.threadTail() : afterObservations;
    }

    /** Return what the run recalled. */
    public Remembered remembered() {
        return origin.remembered();
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

    /** Return the steps that are over. */
    public List<StepState> steps() {
        return steps.over();
    }

    /** Return the step whose answer exists and that is not over, or null. */
    public @Nullable StepState open() {
        return steps.open();
    }

    /** Return the answers that processors rejected. */
    public List<Fact.Processed> rejected() {
        return steps.rejected();
    }

    /** Return what the model had written when the run was ended, or empty. */
    public String partialText() {
        return steps.partialText();
    }

    /** Return what the run needs next. */
    public Phase phase() {
        if (stop() != null) {
            return Phase.END;
        }
        StepState open = steps.open();
        if (open == null) {
            return Phase.ASK;
        }
        return open.isSettled() ? Phase.DECIDE : Phase.ACT;
    }

    /** Return the step that is not over. */
    public StepState step() {
        StepState open = steps.open();
        if (open == null) {
            throw new IllegalStateException("Run " + runId() + " has no open step.");
        }
        return open;
    }

    /** Return the number of the step that is being made, or of the last one if the run has ended. */
    public int stepNumber() {
        return stop() != null ? steps().size() : steps().size() + 1;
    }

    /** Return the calls of the open step about which nothing has been decided. */
    public List<CallState> unopened() {
        return steps.openCalls().unopened();
    }

    /** Return the calls of the open step that may be executed. */
    public List<CallState> runnable() {
        return steps.openCalls().runnable();
    }

    /** Return the calls of the open step that are not over, in order. */
    public List<CallState> pendingCalls() {
        return steps.openCalls().pending();
    }

    /** Return a call of the open step. */
    public CallState openCall(String callId) {
        return step().call(callId);
    }

    /** Return how many delegations of the open step have bailed. */
    public int bails() {
        return steps.openCalls().bails();
    }

    /** Return how many calls of the open step may be executed. */
    public int countOfRunnable() {
        return steps.openCalls().countOfRunnable();
    }

    /**
     * Return whether everything that could be done for the open step has been, once its runnable calls were executed:
     * what is left waits for an answer, or is a delegation that does.
     */
    public boolean isWaiting() {
        return phase() == Phase.ACT && steps.openCalls().areDecided();
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

    /** Return why the run ends after the answer it is about to get, if it is to end so. */
    public Optional<StopReason> lastStop() {
        return steps().isEmpty() || steps().getLast().closed() == null
                ? Optional.empty()
                : Optional.ofNullable(steps().getLast().closed().lastStop());
    }

    /** Return how many answers before the one that the run is about to get were to be an object and were not. */
    public int misfits() {
        int misfits = 0;
        for (StepState step : steps().reversed()) {
            if (step.closed() == null
                    || step.closed().lastStop() == null
                    || step.closed().object() == null) {
                break;
            }
            misfits++;
        }
        return misfits;
    }

    /** Return the outcome of the structured answer, if the run has ended with one. */
    public Optional<ObjectResult> object() {
        return steps().isEmpty()
                ? Optional.empty()
                : Optional.ofNullable(steps().getLast().closed())
                        .filter(closed -> closed.stop() != null)
                        .map(Fact.StepClosed::object);
    }

    /** Return the delegation of the last step whose text is the run's answer, if that is why the run ended. */
    public Optional<CallState> bailed() {
        return stop() instanceof StopReason.Bailed bailed
                ? Optional.of(steps().getLast().call(bailed.callId()))
                : Optional.empty();
    }

    /**
     * Return the answer: the text of the delegation that bailed, of the last step, or what there was of it when the run
     * was ended, as far as processors let it pass; nothing while the run is suspended. A last answer that says nothing
     * leaves the one before it.
     */
    public String text() {
        if (waitsUntil() != null || stop() instanceof StopReason.Tripwire) {
            return "";
        }
        if (!partialText().isEmpty() || steps().isEmpty()) {
            return partialText();
        }
        if (steps().getLast().answer() != null) {
            return steps().getLast().text();
        }
        Optional<CallState> bailed = bailed();
        if (bailed.isPresent()) {
            Fact.CallClosed end = bailed.get().closed();
            return end == null ? "" : end.text();
        }
        String last = steps().getLast().text();
        boolean extra = steps().size() > 1 && isLast(steps().get(steps().size() - 2));
        return last.isBlank() && extra ? steps().get(steps().size() - 2).text() : last;
    }

    private static boolean isLast(StepState before) {
        return before.closed() != null && before.closed().lastStop() != null;
    }

    /** Return the task of the run: the text of its input, and of later messages. */
    public String originalTask() {
        return Stream.concat(started().input().stream(), steps().stream().flatMap(step -> step.said().stream()))
                .map(Message::text)
                .collect(Collectors.joining("\n\n"));
    }

    /** Return the ids of the sub-agents that were called, each once, in order of their first call. */
    public List<String> subAgentsInvoked() {
        return StepState.subAgentsInvoked(steps.calls());
    }

    /** Return how the last scored step did, if any was scored. */
    public Optional<CompletionResult> completion() {
        for (StepState step : steps().reversed()) {
            if (step.closed() != null && step.closed().completion() != null) {
                return Optional.of(step.closed().completion());
            }
        }
        return Optional.empty();
    }

    /** Return a call of any step. */
    public Optional<CallState> call(String callId) {
        return steps.call(callId);
    }

    /** Return the delegation whose result has a reference. */
    public Optional<CallState> referenced(String reference) {
        return steps.referenced(reference);
    }

    /** Return whether a call was executed by the run that this one was forked from. */
    public boolean isCopied(CallState call) {
        ForkOrigin fork = started().fork();
        return fork != null && steps.isWithin(fork.step(), call);
    }

    /** Return how long the run has been worked on, up to its last fact. */
    public Duration activeTime() {
        return Progress.between(started().at(), lastAt()).minus(progress.idle());
    }
}
