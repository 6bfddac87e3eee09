package dev.chargehand.internal.loop;

import dev.chargehand.error.ModelException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Spent;
import dev.chargehand.internal.fact.State;
import dev.chargehand.internal.stream.AnswerEvents;
import dev.chargehand.internal.stream.ObjectEvents;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Second stage: gets the model's answer, and mints the ids of its calls. */
final class Ask {

    private final RunScope run;

    Ask(RunScope run) {
        this.run = run;
    }

    /**
     * Returns the answer, or why the run ends without it.
     *
     * @throws ModelFailed if no model answered
     */
    Fact ask(State state, StepRequest request) {
        Instant startedAt = run.now();
        int step = state.stepNumber();
        Asking asking = new Asking(
                run,
                attempt -> new AnswerEvents(run.events(), run.root().time(), step, attempt, objects(request, step)),
                (attempt, model, failure, wait) -> tellRetry(step, attempt, model, failure, wait));
        Asking.Asked asked = asking.ask(request.request(), request.models());
        if (asked.stop() != null) {
            return new Fact.Stopped(asked.stop(), asked.partialText(), Spent.onAttempts(asked.attempts()), run.now());
        }
        return answered(step, request, asked, startedAt);
    }

    private @Nullable ObjectEvents objects(StepRequest request, int step) {
        return request.request().output() == null ? null : new ObjectEvents(run.events(), step);
    }

    private void tellRetry(int step, int attempt, Model model, ModelException failure, Duration wait) {
        run.events().tell(step, o -> new RunEvent.StepRetry(o, attempt, model.name(), failure.code(), wait));
    }

    private Fact answered(int step, StepRequest request, Asking.Asked asked, Instant startedAt) {
        ModelAnswer answer = Objects.requireNonNull(asked.answer());
        List<Fact.Call> calls = answer.toolCalls().stream()
                .map(call ->
                        new Fact.Call(run.root().ids().next("call_"), call.providerId(), call.name(), call.arguments()))
                .toList();
        return new Fact.Answered(
                step,
                asked.model(),
                answer.text(),
                answer.reasoning(),
                calls,
                answer.finish(),
                answer.usage(),
                asked.attempts(),
                asked.cost(),
                request.offered(),
                answer.providerState(),
                startedAt,
                run.now());
    }
}
