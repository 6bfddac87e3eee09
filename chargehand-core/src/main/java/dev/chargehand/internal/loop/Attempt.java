package dev.chargehand.internal.loop;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.ModelException;
import dev.chargehand.internal.limit.Callouts;
import dev.chargehand.internal.limit.Cancellation;
import dev.chargehand.internal.limit.Deadline;
import dev.chargehand.internal.limit.RunInterrupted;
import dev.chargehand.internal.limit.RunLeft;
import dev.chargehand.internal.stream.AnswerEvents;
import dev.chargehand.internal.text.ReadableTime;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelAnswer;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.run.TimeLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at a model call: passes deltas on, keeps the time limits, and closes the connection when the run is to
 * end, when time is up, or when the model writes more than it may.
 */
final class Attempt implements ModelCall {

    /** How long closing a connection may take; nobody waits for it. */
    private static final Duration CLOSING = Duration.ofSeconds(10);

    private final RunScope run;
    private final Model model;
    private final AnswerEvents events;
    private final StreamProcessing processing;
    private final Deadline deadline;
    private final long idleNanos;
    /** Held while a delta is passed on, so that one of a model that was given up cannot come after the end. */
    private final ReentrantLock telling = new ReentrantLock();

    private final List<Runnable> closers = new ArrayList<>(1);
    private final WholeDeltas arriving = new WholeDeltas();
    private final WholeDeltas passing = new WholeDeltas();
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder reasoning = new StringBuilder();
    private @Nullable RuntimeException broken;
    private boolean textCame;
    private boolean closed;
    private boolean callsTold;
    private volatile boolean begun;
    private volatile boolean told;
    private volatile boolean overflowed;

    Attempt(RunScope run, Model model, AnswerEvents events, StreamProcessing processing) {
        this.processing = processing;
        this.run = run;
        this.model = model;
        this.events = events;
        this.deadline = new Deadline(run.root().time(), run.limit(TimeLimit.FIRST_TOKEN), run.limit(TimeLimit.IDLE));
        this.idleNanos = run.limit(TimeLimit.IDLE).toNanos();
    }

    /**
     * Asks the model.
     *
     * @throws ModelException if the attempt failed
     * @throws dev.chargehand.internal.limit.RunInterrupted if the run is to end
     */
    ModelAnswer ask(ModelRequest request) {
        Cancellation.Registration registration = run.cancellation().onCancel(this::close);
        try {
            @Nullable
            ModelAnswer answer = run.root()
                    .callouts()
                    .call("model " + model.name(), deadline, run.cancellation(), () -> asked(request));
            if (answer == null) {
                throw new ConfigurationException("Agent '" + run.agent().id() + "': model '" + model.name()
                        + "' returned null from ask; an implementation returns an answer or throws a ModelException.");
            }
            forget();
            return whole(answer);
        } catch (Callouts.TimedOut e) {
            throw timedOut(e);
        } catch (Callouts.Threw e) {
            run.cancellation().check(); // a call whose connection we closed did not fail, it was cancelled
            throw failure(e.thrown());
        } finally {
            registration.close();
            close();
            end();
        }
    }

    /**
     * All that the model is asked runs where it can be abandoned; what it throws is its failure. Credentials may be looked
     * up by the call itself, and keys change: both are known when its end is emitted.
     */
    private ModelAnswer asked(ModelRequest request) throws Exception {
        try {
            return model.ask(TypedAnswer.forModel(model, request), this);
        } finally {
            run.root().redactor().learn(model.secrets());
        }
    }

    private void end() {
        telling.lock();
        try {
            events.end();
        } finally {
            telling.unlock();
        }
    }

    /** Keeps the connection of a call that is over: it may be used again. */
    private void forget() {
        synchronized (closers) {
            closers.clear();
        }
    }

    /** Passes on what came without deltas, and counts it; returns what passed of the answer. */
    private ModelAnswer whole(ModelAnswer answer) {
        if (!begun && !answer.reasoning().isEmpty()) {
            delta(new ModelDelta.Reasoning(answer.reasoning()));
        }
        if (!textCame && !answer.text().isEmpty()) {
            delta(new ModelDelta.Text(answer.text()));
        }
        if (!callsTold && !answer.toolCalls().isEmpty()) {
            long unseen = answer.toolCalls().stream()
                    .mapToLong(call -> call.arguments().length())
                    .sum();
            overflowed |= !run.root().ledger().addOutput(unseen);
        }
        telling.lock();
        try {
            if (!isClosed()) {
                arriving.end().forEach(this::passing);
            }
            if (processing.isNone()) {
                return answer;
            }
            if (!isClosed()) {
                passing(null);
                passing.end().forEach(this::tell);
            }
            if (broken != null) {
                throw broken;
            }
            return answer.withText(text.toString()).withReasoning(reasoning.toString());
        } finally {
            telling.unlock();
        }
    }

    @Override
    public void delta(ModelDelta delta) {
        telling.lock();
        try {
            if (!isClosed()) {
                pass(delta);
            }
        } finally {
            telling.unlock();
        }
    }

    private void pass(ModelDelta delta) {
        begun = true;
        deadline.pause();
        int size =
                switch (delta) {
                    case ModelDelta.Text more -> more.text().length();
                    case ModelDelta.Reasoning more -> more.text().length();
                    case ModelDelta.ToolCallArguments more -> more.fragment().length();
                    case ModelDelta.ToolCallStart ignored -> 0;
                    case ModelDelta.ToolCallEnd ignored -> 0;
                };
        if (!run.root().ledger().addOutput(size)) {
            overflowed = true;
            close();
            return;
        }
        callsTold |= delta instanceof ModelDelta.ToolCallArguments;
        textCame |= delta instanceof ModelDelta.Text;
        arriving.next(delta).forEach(this::passing);
        deadline.restart(idleNanos);
    }

    /**
     * Tells what processors let pass; once they let nothing pass the connection is closed.
     *
     * @param delta what comes next, or null after the last
     */
    private void passing(@Nullable ModelDelta delta) {
        try {
            if (delta != null && processing.isNone()) {
                tell(delta);
            } else {
                for (ModelDelta passed : delta == null ? processing.end() : processing.next(delta)) {
                    passing.next(passed).forEach(this::tell);
                }
            }
        } catch (ProcessingFailed | RunInterrupted | RunLeft e) {
            broken = e;
        }
        if (broken != null || processing.tripped() != null) {
            close();
        }
    }

    private void tell(ModelDelta passed) {
        if (passed instanceof ModelDelta.Text more) {
            text.append(more.text());
        } else if (passed instanceof ModelDelta.Reasoning more) {
            reasoning.append(more.text());
        }
        events.tell(passed);
        told |= !events.isHeld();
    }

    @Override
    public void onCancel(Runnable close) {
        synchronized (closers) {
            if (!closed) {
                closers.add(close);
                return;
            }
        }
        runAside(close);
    }

    @Override
    public Duration connectTimeout() {
        return run.limit(TimeLimit.CONNECT);
    }

    /** Tells whether something of the answer has been told. */
    boolean hasTold() {
        return told;
    }

    /** Returns why processors let nothing pass any more, if they do. */
    Processing.@Nullable Passed<String> tripped() {
        telling.lock();
        try {
            return processing.tripped();
        } finally {
            telling.unlock();
        }
    }

    /** Returns what a processor failed with, or that the run is to end, if that is why nothing passes any more. */
    @Nullable
    RuntimeException broken() {
        telling.lock();
        try {
            return broken;
        } finally {
            telling.unlock();
        }
    }

    /** Tells whether the model wrote more than the run's models may. */
    boolean hasOverflowed() {
        return overflowed;
    }

    /** Returns the text so far; nothing if processors look at the whole answer, who never will. */
    String partialText() {
        telling.lock();
        try {
            return run.processesAnswers() ? "" : text.toString();
        } finally {
            telling.unlock();
        }
    }

    private boolean isClosed() {
        synchronized (closers) {
            return closed;
        }
    }

    private void close() {
        List<Runnable> toRun;
        synchronized (closers) {
            closed = true;
            toRun = List.copyOf(closers);
            closers.clear();
        }
        toRun.forEach(this::runAside);
    }

    /** Closers are foreign code, and this may be the thread that rings the limits of all runs. */
    private void runAside(Runnable closer) {
        run.root().callouts().start("closer of model " + model.name(), CLOSING, closer);
    }

    private ModelException timedOut(Callouts.TimedOut e) {
        return begun
                ? new ModelException(
                        ModelException.Kind.IDLE,
                        "Model '" + model.name() + "' fell silent for " + ReadableTime.of(run.limit(TimeLimit.IDLE))
                                + ".",
                        e)
                : new ModelException(
                        ModelException.Kind.TIMEOUT,
                        "Model '" + model.name() + "' gave no first token within "
                                + ReadableTime.of(run.limit(TimeLimit.FIRST_TOKEN)) + ".",
                        e);
    }

    private ModelException failure(Throwable thrown) {
        return thrown instanceof ModelException typed
                ? typed
                : new ModelException(
                        ModelException.Kind.PROTOCOL,
                        "Model '" + model.name() + "' threw "
                                + run.root().redactor().describe(thrown) + ".",
                        thrown);
    }
}
