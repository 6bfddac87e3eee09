package dev.chargehand.internal.state;

import dev.chargehand.completion.CompletionResult;
import dev.chargehand.internal.fact.ChildEnd;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.option.Options;
import dev.chargehand.message.Message;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.ObjectResult;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where a run stands: the fold of its facts, and the tail of its thread.
 *
 * <p>Immutable; {@link #after} is a pure function, and the same facts always give the same state.
 *
 * @param runId the run
 * @param started its first fact
 * @param threadTail what the thread held before the run, as far as the agent remembers; filled in by who reads threads
 * @param steps the steps that are over
 * @param open the step whose answer exists and that is not over, or null
 * @param waitsUntil when the first of what the suspended run waits for expires, or null if it is not suspended
 * @param rejected the answers that processors rejected
 * @param stop why the run ended, or null
 * @param partialText what the model had written when the run was ended, or empty
 * @param spent what the run and its finished descendants used
 * @param lastAt when the last fact happened
 * @param idle the time between facts that was not the run's
 */
public record State(
        RunId runId,
        Fact.Started started,
        List<Message> threadTail,
        List<StepState> steps,
        @Nullable StepState open,
        @Nullable Instant waitsUntil,
        List<Fact.Processed> rejected,
        @Nullable StopReason stop,
        String partialText,
        Spending spent,
        Instant lastAt,
        Duration idle) {

    public State {
        threadTail = List.copyOf(threadTail);
        steps = List.copyOf(steps);
        rejected = List.copyOf(rejected);
    }

    /** Fold the first fact of a run. */
    public static State of(RunId runId, Fact.Started started, List<Message> threadTail) {
        return new State(
                runId,
                started,
                threadTail,
                List.of(),
                null,
                null,
                List.of(),
                null,
                "",
                Spending.NOTHING,
                started.at(),
                Duration.ZERO);
    }

    /** Fold one more fact. */
    public State after(Fact fact) {
        return Fold.of(this, fact);
    }

    /** Return what the run needs next. */
    public Phase phase() {
        if (stop != null) {
            return Phase.END;
        }
        if (open == null) {
            return Phase.ASK;
        }
        return open.isSettled() ? Phase.DECIDE : Phase.ACT;
    }

    /** Return the step that is not over. */
    public StepState step() {
        if (open == null) {
            throw new IllegalStateException("Run " + runId + " has no open step.");
        }
        return open;
    }

    /** Return the number of the step that is being made, or of the last one if the run has ended. */
    public int stepNumber() {
        return stop != null ? steps.size() : steps.size() + 1;
    }

    /** Return the calls of the open step about which nothing has been decided. */
    public List<CallState> unopened() {
        return callsThat(CallState::isUnopened);
    }

    /** Return the calls of the open step that may be executed. */
    public List<CallState> runnable() {
        return callsThat(CallState::isRunnable);
    }

    /** Return how the delegations of the open step ended that are over, in order. */
    public List<ChildEnd> endedChildren() {
        return open == null
                ? List.of()
                : open.calls().stream()
                        .map(CallState::closed)
                        .filter(Objects::nonNull)
                        .map(Fact.CallClosed::child)
                        .filter(Objects::nonNull)
                        .toList();
    }

    /** Return the calls of the open step that are not over, in order. */
    public List<CallState> pendingCalls() {
        return callsThat(call -> !call.isClosed());
    }

    /** Without a stream, since it is called several times for each call. */
    private List<CallState> callsThat(Predicate<CallState> are) {
        if (open == null) {
            return List.of();
        }
        List<CallState> found = new ArrayList<>(open.calls().size());
        for (CallState call : open.calls()) {
            if (are.test(call)) {
                found.add(call);
            }
        }
        return found;
    }

    /**
     * Return whether everything that could be done for the open step has been, once its runnable calls were executed:
     * what is left waits for an answer, or is a delegation that does.
     */
    public boolean isWaiting() {
        return phase() == Phase.ACT && unopened().isEmpty();
    }

    /** Return the agent's id. */
    public String agentId() {
        return started.agentId();
    }

    /** Return the agent's path. */
    public AgentPath path() {
        return started.path();
    }

    /** Return where the run stands. */
    public RunStatus status() {
        if (stop != null) {
            return stop.status();
        }
        return waitsUntil == null ? RunStatus.RUNNING : RunStatus.SUSPENDED;
    }

    /** Return why the run ended, if it has. */
    public Optional<StopReason> stopReason() {
        return Optional.ofNullable(stop);
    }

    /** Return why the run ends after the answer it is about to get, if it is to end so. */
    public Optional<StopReason> lastStop() {
        return steps.isEmpty() || steps.getLast().closed() == null
                ? Optional.empty()
                : Optional.ofNullable(steps.getLast().closed().lastStop());
    }

    /** Return how many answers before the one that the run is about to get were to be an object and were not. */
    public int misfits() {
        int misfits = 0;
        for (StepState step : steps.reversed()) {
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
        return steps.isEmpty()
                ? Optional.empty()
                : Optional.ofNullable(steps.getLast().closed())
                        .filter(closed -> closed.stop() != null)
                        .map(Fact.StepClosed::object);
    }

    /** Return whether the run's next answer is a router's decision. */
    public boolean isRouting() {
        return started.settings().get(Options.KIND).isNetwork() && lastStop().isEmpty();
    }

    /** Return the delegation of the last step whose text is the run's answer, if that is why the run ended. */
    public Optional<CallState> bailed() {
        return stop instanceof StopReason.Bailed bailed
                ? Optional.of(steps.getLast().call(bailed.callId()))
                : Optional.empty();
    }

    /**
     * Return the answer: the text of the delegation that bailed, of the last step, or what there was of it when the run
     * was ended, as far as processors let it pass; nothing while the run is suspended. A last answer that says nothing
     * leaves the one before it.
     */
    public String text() {
        if (waitsUntil != null || stop instanceof StopReason.Tripwire) {
            return "";
        }
        if (!partialText.isEmpty() || steps.isEmpty()) {
            return partialText;
        }
        if (steps.getLast().answer() != null) {
            return steps.getLast().text();
        }
        Optional<CallState> bailed = bailed();
        if (bailed.isPresent()) {
            Fact.CallClosed end = bailed.get().closed();
            return end == null ? "" : end.text();
        }
        String last = steps.getLast().text();
        boolean extra = steps.size() > 1 && isLast(steps.get(steps.size() - 2));
        return last.isBlank() && extra ? steps.get(steps.size() - 2).text() : last;
    }

    private static boolean isLast(StepState before) {
        return before.closed() != null && before.closed().lastStop() != null;
    }

    /** Return the task of the run: the text of its input, and of later messages. */
    public String originalTask() {
        return Stream.concat(started.input().stream(), steps.stream().flatMap(step -> step.said().stream()))
                .map(Message::text)
                .collect(Collectors.joining("\n\n"));
    }

    /** Return the ids of the sub-agents that were called, each once, in order of their first call. */
    public List<String> subAgentsInvoked() {
        return StepState.subAgentsInvoked(allCalls());
    }

    /** Return how the last scored step did, if any was scored. */
    public Optional<CompletionResult> completion() {
        for (StepState step : steps.reversed()) {
            if (step.closed() != null && step.closed().completion() != null) {
                return Optional.of(step.closed().completion());
            }
        }
        return Optional.empty();
    }

    /** Return a call of any step. */
    public Optional<CallState> call(String callId) {
        return allCalls().filter(call -> call.callId().equals(callId)).findFirst();
    }

    /** Return the delegation whose result has a reference. */
    public Optional<CallState> referenced(String reference) {
        return allCalls().filter(call -> reference.equals(call.reference())).findFirst();
    }

    /** Return whether a call was executed by the run that this one was forked from. */
    public boolean isCopied(CallState call) {
        return started.fork() != null
                && steps.stream()
                        .limit(started.fork().step())
                        .flatMap(step -> step.calls().stream())
                        .anyMatch(copied -> copied.callId().equals(call.callId()));
    }

    /** Return the calls of all steps, in order. */
    Stream<CallState> allCalls() {
        Stream<StepState> all = open == null ? steps.stream() : Stream.concat(steps.stream(), Stream.of(open));
        return all.flatMap(step -> step.calls().stream());
    }

    /** Return how long the run has been worked on, up to its last fact. */
    public Duration activeTime() {
        return Fold.between(started.at(), lastAt).minus(idle);
    }
}
