package dev.chargehand.internal.state;

import dev.chargehand.completion.CompletionResult;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.task.TaskMessages;
import dev.chargehand.internal.state.value.Remembered;
import dev.chargehand.message.Message;
import dev.chargehand.run.ForkOrigin;
import dev.chargehand.run.ObjectResult;
import dev.chargehand.run.StopReason;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The state of a run whose steps are the answers of a model: it is a conversation, which a thread may hold. Immutable. */
public abstract sealed class ConversationState extends State permits AgentState, NetworkState {

    private final Past past;
    private final Steps steps;

    ConversationState(Origin origin, Progress progress, Past past, Steps steps) {
        super(origin, progress);
        this.past = past;
        this.steps = steps;
    }

    /**
     * What the run knows of before it.
     *
     * @param threadTail what the thread held before the run, as far as the agent remembers; filled in by who reads
     *     threads
     * @param remembered what the run recalled
     */
    record Past(List<Message> threadTail, Remembered remembered) {
        Past {
            threadTail = List.copyOf(threadTail);
        }

        Past with(Remembered other) {
            return new Past(threadTail, other);
        }
    }

    @Override
    public ConversationState after(Fact fact) {
        return ConversationFold.of(this, fact);
    }

    @Override
    public ConversationState executing(Fact.ExecutionStarted execution, List<Message> threadTail) {
        ConversationState after = after(execution);
        return after.with(after.origin(), after.progress(), new Past(threadTail, Remembered.NOTHING), after.steps);
    }

    /** Fold that the run recalled something, with the texts that the fact does not hold. */
    public ConversationState recalled(Remembered remembered) {
        ConversationState after = after(remembered.recalled());
        return after.with(after.origin(), after.progress(), after.past.with(remembered), after.steps);
    }

    /** Return a state of the same kind and run. */
    abstract ConversationState with(Origin same, Progress changed, Past changedPast, Steps changedSteps);

    /**
     * Start a step with its answer.
     *
     * @param executes whether its calls are executed
     */
    abstract StepState opened(Fact.Answered answered, boolean executes);

    /** Return whether the next request offers the model tools to call, as far as there are any. */
    public abstract boolean offersTools();

    @Override
    public ConversationState conversation() {
        return this;
    }

    Past past() {
        return past;
    }

    Steps allSteps() {
        return steps;
    }

    @Override
    StepCalls openCalls() {
        return steps.openCalls();
    }

    @Override
    public boolean isOpen() {
        return steps.open() != null;
    }

    @Override
    public int stepsOver() {
        return steps.over().size();
    }

    @Override
    public boolean mayHaveNestedRuns() {
        return steps.calls().anyMatch(CallState::mayHaveNestedRun);
    }

    /** Return what the thread held before the run, as far as the run sees it as it was said. */
    public List<Message> threadTail() {
        List<Message> afterObservations = past.remembered().tail();
        return afterObservations == null ? past.threadTail() : afterObservations;
    }

    /** Return what the run recalled. */
    public Remembered remembered() {
        return past.remembered();
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

    /** Return the step that is not over. */
    public StepState step() {
        StepState open = steps.open();
        if (open == null) {
            throw new IllegalStateException("Run " + runId() + " has no open step.");
        }
        return open;
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
        Fact.StepClosed last = steps().isEmpty() ? null : steps().getLast().closed();
        return last == null || last.stop() == null ? Optional.empty() : Optional.ofNullable(last.object());
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
    @Override
    public String text() {
        if (waitsUntil() != null || stop() instanceof StopReason.Tripwire) {
            return "";
        }
        if (!partialText().isEmpty() || steps().isEmpty()) {
            return partialText();
        }
        String passed = steps().getLast().answer();
        if (passed != null) {
            return passed;
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

    @Override
    public String textSoFar() {
        if (!isOpen()) {
            return text();
        }
        return step().withheld() ? "" : step().text();
    }

    private static boolean isLast(StepState before) {
        return before.closed() != null && before.closed().lastStop() != null;
    }

    /** Return the task of the run: the text of its input, and of later messages. */
    public String originalTask() {
        return Stream.concat(started().input().stream(), steps().stream().flatMap(step -> step.said().stream()))
                .filter(message -> TaskMessages.taskOf(message).isEmpty())
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

    @Override
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
}
