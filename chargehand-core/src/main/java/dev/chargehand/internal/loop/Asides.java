package dev.chargehand.internal.loop;

import dev.chargehand.internal.fact.Spent;
import dev.chargehand.internal.limit.RunInterrupted;
import dev.chargehand.internal.limit.RunLeft;
import dev.chargehand.internal.stream.AnswerEvents;
import dev.chargehand.internal.stream.ObjectEvents;
import dev.chargehand.internal.stream.RunEvents;
import dev.chargehand.message.Message;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelAnswer;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.run.StopReason;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Model calls beside the conversation, such as those of judges: told to nobody, but for the object that comes of one, and
 * counted by themselves. Thread-safe.
 */
final class Asides {

    private final RunScope run;
    private final int step;
    private final String account;
    private final AtomicReference<Spent> spent = new AtomicReference<>(Spent.NOTHING);
    private final AtomicReference<@Nullable StopReason> stopped = new AtomicReference<>();
    private final AtomicReference<@Nullable RunLeft> left = new AtomicReference<>();

    /**
     * Begins with nothing spent.
     *
     * @param account under what the tokens are counted
     */
    Asides(RunScope run, int step, String account) {
        this.run = run;
        this.step = step;
        this.account = account;
    }

    /** Returns what was used up so far. */
    Spent spent() {
        return spent.get();
    }

    /** Returns why the run may ask no more, if it has come to that. */
    @Nullable
    StopReason stopped() {
        return stopped.get();
    }

    /**
     * Continues only if no judge was refused because this process leaves the run: what was made without it does not count.
     *
     * @throws RunLeft if one was
     */
    void requireAsked() {
        RunLeft refused = left.get();
        if (refused != null) {
            throw refused;
        }
    }

    /**
     * Asks a model on behalf of code of the user's, under a scope of the run or of a part of it.
     *
     * @throws dev.chargehand.error.ModelException if no model of the choice answered
     * @throws IllegalStateException if the run is to end, or a budget or limit of it is spent
     */
    ModelAnswer ask(RunScope scope, ModelChoice model, List<Message> question) {
        return ask(
                scope,
                run.root().models().apply(model),
                new ModelRequest(question, List.of(), ToolChoice.none(), ModelSettings.DEFAULT));
    }

    /** Asks models that are there already, whatever is to be asked. */
    ModelAnswer ask(RunScope scope, List<Model> models, ModelRequest request) {
        try {
            return answer(scope, models, request, null);
        } catch (RunInterrupted e) { // the user's code could swallow it
            stopped.set(e.reason());
            throw new IllegalStateException("The judge was not asked: " + e.getMessage());
        } catch (RunLeft e) {
            left.set(e);
            throw new IllegalStateException("The judge was not asked: " + e.getMessage());
        }
    }

    /**
     * Asks models on behalf of the run itself.
     *
     * @param objects tells the answer as an object, or null
     * @throws dev.chargehand.error.ModelException if none of them answered
     * @throws RunInterrupted if the run is to end, or a budget or limit of it is spent
     */
    ModelAnswer answer(RunScope scope, List<Model> models, ModelRequest request, @Nullable ObjectEvents objects) {
        RunEvents silent =
                new RunEvents(null, run.events().runId(), run.events().path());
        Asking asking = new Asking(
                scope,
                attempt -> new AnswerEvents(silent, run.root().time(), step, attempt, objects),
                (attempt, failed, failure, wait) -> {});
        try {
            return counted(asking.ask(request, models));
        } catch (ModelFailed e) {
            spent.accumulateAndGet(Spent.onAttempts(e.attempts()), Spent::plus);
            throw e.failure();
        }
    }

    private ModelAnswer counted(Asking.Asked asked) {
        ModelAnswer answer = asked.answer();
        StopReason stop = asked.stop();
        if (answer == null || stop != null) {
            spent.accumulateAndGet(Spent.onAttempts(asked.attempts()), Spent::plus);
            throw new RunInterrupted(Objects.requireNonNull(stop));
        }
        long characters = (long) answer.text().length() + answer.reasoning().length();
        Spent more = new Spent(asked.attempts(), 0, characters, asked.cost(), Map.of(account, answer.usage()));
        spent.accumulateAndGet(more, Spent::plus);
        return answer;
    }
}
