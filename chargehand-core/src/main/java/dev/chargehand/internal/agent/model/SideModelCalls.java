package dev.chargehand.internal.agent.model;

import dev.chargehand.internal.call.RunInterruptedException;
import dev.chargehand.internal.call.RunLeftException;
import dev.chargehand.internal.event.AnswerEvents;
import dev.chargehand.internal.event.ObjectEvents;
import dev.chargehand.internal.event.RunEvents;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.message.Message;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.run.StopReason;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Model calls in addition to the conversation, such as those of judges: they emit no deltas except those of an object,
 * and are counted separately. Thread-safe.
 */
public final class SideModelCalls {

    private final RunScope run;
    private final int step;
    private final String account;
    private final AtomicReference<Spending> spent = new AtomicReference<>(Spending.NOTHING);
    private final AtomicReference<@Nullable StopReason> stopped = new AtomicReference<>();
    private final AtomicReference<@Nullable RunLeftException> left = new AtomicReference<>();

    /**
     * Start with nothing spent.
     *
     * @param account under what the tokens are counted
     */
    public SideModelCalls(RunScope run, int step, String account) {
        this.run = run;
        this.step = step;
        this.account = account;
    }

    /** Return what was used so far. */
    public Spending spent() {
        return spent.get();
    }

    /** Return why the run may ask no more, if it has come to that. */
    @Nullable
    StopReason stopped() {
        return stopped.get();
    }

    /**
     * Continue only if no judge was rejected because this process leaves the run: what was made without it does not
     * count.
     *
     * @throws RunLeftException if one was
     */
    public void requireAsked() {
        RunLeftException refused = left.get();
        if (refused != null) {
            throw refused;
        }
    }

    /**
     * Ask a model on behalf of code of the user's, under a scope of the run or of a part of it.
     *
     * @throws dev.chargehand.error.ModelException if no model of the choice answered
     * @throws IllegalStateException if the run is to end, or a budget or limit of it is spent
     */
    public ModelResponse ask(RunScope scope, ModelChoice model, List<Message> question) {
        return ask(
                scope,
                run.root().models().apply(model),
                new ModelRequest(question, List.of(), ToolChoice.none(), ModelSettings.DEFAULT));
    }

    /** Call existing models with any request. */
    public ModelResponse ask(RunScope scope, List<Model> models, ModelRequest request) {
        try {
            return answer(scope, models, request, null);
        } catch (RunInterruptedException e) { // the user's code could swallow it
            stopped.set(e.reason());
            throw new IllegalStateException("The judge was not called: " + e.getMessage());
        } catch (RunLeftException e) {
            left.set(e);
            throw new IllegalStateException("The judge was not called: " + e.getMessage());
        }
    }

    /**
     * Ask models on behalf of the run itself.
     *
     * @param objects reports the answer as an object, or null
     * @throws dev.chargehand.error.ModelException if none of them answered
     * @throws RunInterruptedException if the run is to end, or a budget or limit of it is spent
     */
    public ModelResponse answer(
            RunScope scope, List<Model> models, ModelRequest request, @Nullable ObjectEvents objects) {
        RunEvents silent =
                new RunEvents(null, run.events().runId(), run.events().path());
        ModelCaller asking = new ModelCaller(
                scope,
                attempt ->
                        new AnswerEvents(silent, run.root().time(), run.root().ids(), step, attempt, objects),
                (attempt, failed, failure, wait) -> {});
        try {
            return counted(asking.ask(request, models));
        } catch (ModelFailedException e) {
            spent.accumulateAndGet(Spending.onAttempts(e.attempts()), Spending::plus);
            throw e.failure();
        }
    }

    private ModelResponse counted(ModelCaller.CallResult asked) {
        ModelResponse answer = asked.answer();
        StopReason stop = asked.stop();
        if (answer == null || stop != null) {
            spent.accumulateAndGet(Spending.onAttempts(asked.attempts()), Spending::plus);
            throw new RunInterruptedException(Objects.requireNonNull(stop));
        }
        long characters = (long) answer.text().length() + answer.reasoning().length();
        Spending more = new Spending(asked.attempts(), 0, characters, asked.cost(), Map.of(account, answer.usage()));
        spent.accumulateAndGet(more, Spending::plus);
        return answer;
    }
}
