package dev.chargehand.internal.agent.model;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.ModelException;
import dev.chargehand.internal.call.BoundedCalls;
import dev.chargehand.internal.call.CallSite;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.call.Closers;
import dev.chargehand.internal.call.Deadline;
import dev.chargehand.internal.call.RunInterruptedException;
import dev.chargehand.internal.call.RunLeftException;
import dev.chargehand.internal.event.AnswerEvents;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.text.ReadableTime;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.spi.CallInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at a model call: passes deltas on, keeps the time limits, and closes the connection when the run is to
 * end, when time is up, or when the model writes more than it may.
 */
final class ModelAttempt implements ModelCall {

    /** The time limit for closing a connection; callers do not wait for it. */
    private static final Duration CLOSING = Duration.ofSeconds(10);

    private final RunScope run;
    private final Model model;
    private final AnswerEvents events;
    private final StreamProcessors processing;
    private final Deadline deadline;
    private final long idleNanos;
    /** Held while a delta is passed on, so that one of a model that was given up cannot come after the end. */
    private final ReentrantLock emitting = new ReentrantLock();

    private final Closers closers;
    private final WholeDeltas arriving = new WholeDeltas();
    private final WholeDeltas passing = new WholeDeltas();
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder reasoning = new StringBuilder();
    private @Nullable RuntimeException broken;
    private boolean textCame;
    private boolean callsEmitted;
    private volatile boolean started;
    private volatile boolean emitted;
    private volatile boolean overflowed;

    ModelAttempt(RunScope run, Model model, AnswerEvents events, StreamProcessors processing) {
        this.processing = processing;
        this.run = run;
        this.model = model;
        this.events = events;
        this.closers = new Closers(this::callCloser);
        this.deadline = new Deadline(run.root().time(), run.limit(TimeLimit.FIRST_TOKEN), run.limit(TimeLimit.IDLE));
        this.idleNanos = run.limit(TimeLimit.IDLE).toNanos();
    }

    /**
     * Ask the model: on the run's own thread if it returns when it was closed, and where it can be abandoned if not. An
     * exception of it is the model's failure. Credentials may be looked up by the call itself, and keys change: both are
     * known when its end is emitted.
     *
     * @throws ModelException if the attempt failed
     * @throws dev.chargehand.internal.call.RunInterruptedException if the run is to end
     */
    ModelResponse ask(ModelRequest request) {
        BoundedCalls callouts = run.root().callouts();
        CallSite site = site(CallInfo.Kind.MODEL, model.name());
        Callable<@Nullable ModelResponse> work = () -> {
            try {
                return model.ask(TypedAnswer.forModel(model, request), this);
            } finally {
                run.root().redactor().learn(model.secrets());
            }
        };
        Cancellation.Registration registration = run.cancellation().onCancel(closers::close);
        try {
            @Nullable
            ModelResponse answer = model.returnsWhenClosed()
                    ? callouts.callHere(site, deadline, run.cancellation(), closers::close, work)
                    : callouts.call(site, deadline, run.cancellation(), work);
            if (answer == null) {
                throw new ConfigurationException("Agent '" + run.definition().id() + "': model '" + model.name()
                        + "' returned null from ask; an implementation returns an answer or throws a ModelException.");
            }
            closers.forget();
            return whole(answer);
        } catch (BoundedCalls.TimedOutException e) {
            throw timedOut(e);
        } catch (BoundedCalls.ThrewException e) {
            run.cancellation().check(); // a call whose connection we closed did not fail, it was cancelled
            throw failure(e.thrown());
        } finally {
            registration.close();
            closers.close();
            end();
        }
    }

    private void end() {
        emitting.lock();
        try {
            events.end();
        } finally {
            emitting.unlock();
        }
    }

    /** Pass on text that arrived without deltas, and count it; return the passed part of the answer. */
    private ModelResponse whole(ModelResponse answer) {
        if (!started && !answer.reasoning().isEmpty()) {
            delta(new ModelDelta.Reasoning(answer.reasoning()));
        }
        if (!textCame && !answer.text().isEmpty()) {
            delta(new ModelDelta.Text(answer.text()));
        }
        if (!callsEmitted && !answer.toolCalls().isEmpty()) {
            long unseen = answer.toolCalls().stream()
                    .mapToLong(call -> call.arguments().length())
                    .sum();
            overflowed |= !run.root().ledger().addOutput(unseen);
        }
        emitting.lock();
        try {
            if (!closers.isClosed()) {
                passing(arriving.end(), events::emitLast);
            }
            if (processing.isNone()) {
                return answer;
            }
            if (!closers.isClosed()) {
                processed(processing::end);
                emit(passing.end(), events::emitLast);
            }
            if (broken != null) {
                throw broken;
            }
            return answer.withText(text.toString()).withReasoning(reasoning.toString());
        } finally {
            emitting.unlock();
        }
    }

    @Override
    public void delta(ModelDelta delta) {
        deltas(List.of(delta));
    }

    @Override
    public void lastDeltas(List<ModelDelta> deltas) {
        deltas(deltas, events::emitLast);
    }

    @Override
    public void deltas(List<ModelDelta> deltas) {
        deltas(deltas, events::emit);
    }

    private void deltas(List<ModelDelta> deltas, Consumer<List<ModelDelta>> emit) {
        emitting.lock();
        try {
            if (!closers.isClosed() && !deltas.isEmpty()) {
                pass(deltas, emit);
            }
        } finally {
            emitting.unlock();
        }
    }

    private void pass(List<ModelDelta> deltas, Consumer<List<ModelDelta>> emit) {
        started = true;
        deadline.pause();
        List<ModelDelta> whole = new ArrayList<>(deltas.size());
        for (ModelDelta delta : deltas) {
            if (!run.root().ledger().addOutput(size(delta))) {
                overflowed = true;
                break;
            }
            callsEmitted |= delta instanceof ModelDelta.ToolCallArguments;
            textCame |= delta instanceof ModelDelta.Text;
            arriving.next(delta, whole);
        }
        passing(whole, emit);
        if (overflowed) {
            closers.close();
        } else {
            deadline.restart(idleNanos);
        }
    }

    private static int size(ModelDelta delta) {
        return switch (delta) {
            case ModelDelta.Text more -> more.text().length();
            case ModelDelta.Reasoning more -> more.text().length();
            case ModelDelta.ToolCallArguments more -> more.fragment().length();
            case ModelDelta.ToolCallStart ignored -> 0;
            case ModelDelta.ToolCallEnd ignored -> 0;
        };
    }

    /** Emit what processors pass of these deltas; when they block it, the connection is closed. */
    private void passing(List<ModelDelta> deltas, Consumer<List<ModelDelta>> emit) {
        if (processing.isNone()) {
            emit(deltas, emit);
            return;
        }
        for (ModelDelta delta : deltas) {
            if (!closers.isClosed()) {
                processed(() -> processing.next(delta));
            }
        }
    }

    private void processed(Supplier<List<ModelDelta>> passed) {
        try {
            List<ModelDelta> whole = new ArrayList<>();
            passed.get().forEach(delta -> passing.next(delta, whole));
            emit(whole, events::emit);
        } catch (ProcessingFailedException | RunInterruptedException | RunLeftException e) {
            broken = e;
        }
        if (broken != null || processing.tripped() != null) {
            closers.close();
        }
    }

    private void emit(List<ModelDelta> passed, Consumer<List<ModelDelta>> emit) {
        for (ModelDelta delta : passed) {
            if (delta instanceof ModelDelta.Text more) {
                text.append(more.text());
            } else if (delta instanceof ModelDelta.Reasoning more) {
                reasoning.append(more.text());
            }
        }
        if (!passed.isEmpty()) {
            emit.accept(passed);
            emitted |= !events.isHeld();
        }
    }

    @Override
    public void onCancel(Runnable close) {
        closers.add(close);
    }

    @Override
    public Duration connectTimeout() {
        return run.limit(TimeLimit.CONNECT);
    }

    /** Return whether a part of the answer has been emitted. */
    boolean hasEmitted() {
        return emitted;
    }

    /** Return why processors block the rest of the stream, if they do. */
    ProcessorChain.@Nullable Passed<String> tripped() {
        emitting.lock();
        try {
            return processing.tripped();
        } finally {
            emitting.unlock();
        }
    }

    /** Return what a processor failed with, or that the run is to end, if that is why nothing passes any more. */
    @Nullable
    RuntimeException broken() {
        emitting.lock();
        try {
            return broken;
        } finally {
            emitting.unlock();
        }
    }

    /** Return whether the model wrote more than the run's models may. */
    boolean hasOverflowed() {
        return overflowed;
    }

    /** Return the text so far; nothing if processors look at the whole answer, who never will. */
    String partialText() {
        emitting.lock();
        try {
            return run.processesAnswers() ? "" : text.toString();
        } finally {
            emitting.unlock();
        }
    }

    /** A closer is foreign code, and this may be the thread that rings the limits of all runs. */
    private void callCloser(Runnable closer) {
        run.root().callouts().start(site(CallInfo.Kind.CLOSER, "model " + model.name()), CLOSING, closer);
    }

    private CallSite site(CallInfo.Kind kind, String name) {
        return run.call(kind, name).atStep(events.step()).onAttempt(events.attempt());
    }

    private ModelException timedOut(BoundedCalls.TimedOutException e) {
        return started
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
                        "Model '" + model.name() + "' failed: "
                                + run.root().redactor().sentence(thrown),
                        thrown);
    }
}
