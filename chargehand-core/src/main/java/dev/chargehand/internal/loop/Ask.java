package dev.chargehand.internal.loop;

import dev.chargehand.error.ModelException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.State;
import dev.chargehand.internal.limit.RunInterrupted;
import dev.chargehand.internal.stream.AnswerEvents;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelAnswer;
import dev.chargehand.run.Limit;
import dev.chargehand.run.StopReason;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Second stage: gets the model's answer, with retries and fallbacks.
 *
 * <p>A passing failure is tried again after a growing wait, or after the one the provider asks for; then the next model
 * is asked. Once something of an answer has been passed on, there is another attempt only if whoever reads it can drop
 * what they have.
 */
final class Ask {

    private final RunScope run;
    private final Backoff backoff;

    Ask(RunScope run) {
        this.run = run;
        this.backoff = new Backoff(run.root());
    }

    /**
     * Returns the answer, or why the run ends without it.
     *
     * @throws ModelFailed if no model answered
     */
    Fact ask(State state, StepRequest request) {
        Instant startedAt = run.now();
        Deque<Model> models = new ArrayDeque<>(request.models());
        int attempts = 0;
        int retries = 0;
        String partial = "";
        while (true) {
            Optional<StopReason> refused = run.root().ledger().reserveModelCall();
            if (refused.isPresent()) {
                return new Fact.Stopped(refused.get(), partial, run.now());
            }
            Model model = models.getFirst();
            attempts++;
            Attempt attempt = attempt(model, state, attempts);
            try {
                ModelAnswer answer = attempt.ask(request.request());
                return attempt.hasOverflowed()
                        ? overflow(attempt)
                        : answered(state, request, model, answer, attempts, startedAt);
            } catch (RunInterrupted e) {
                return new Fact.Stopped(e.reason(), attempt.partialText(), run.now());
            } catch (ModelException failure) {
                if (attempt.hasOverflowed()) {
                    return overflow(attempt);
                }
                partial = attempt.partialText();
                Optional<Duration> wait =
                        retries < run.settings().retries() ? backoff.waitAfter(failure, retries) : Optional.empty();
                retries++;
                if (wait.isEmpty()) {
                    models.removeFirst();
                    retries = 0;
                }
                boolean lost = attempt.hasBegun() && run.root().textIsFinal().get();
                if (models.isEmpty() || lost) {
                    throw new ModelFailed(failure, partial);
                }
                tellRetry(state, attempts, model, failure, wait.orElse(Duration.ZERO));
                try {
                    backoff.await(wait.orElse(Duration.ZERO));
                } catch (RunInterrupted e) {
                    return new Fact.Stopped(e.reason(), partial, run.now());
                }
            }
        }
    }

    private Attempt attempt(Model model, State state, int number) {
        return new Attempt(run, model, new AnswerEvents(run.events(), run.root().time(), state.stepNumber(), number));
    }

    private Fact overflow(Attempt attempt) {
        StopReason reason = new StopReason.LimitReached(Limit.OUTPUT_CHARACTERS.key());
        return new Fact.Stopped(reason, attempt.partialText(), run.now());
    }

    private void tellRetry(State state, int attempt, Model model, ModelException failure, Duration wait) {
        run.events()
                .tell(state.stepNumber(), o -> new RunEvent.StepRetry(o, attempt, model.name(), failure.code(), wait));
    }

    private Fact answered(
            State state, StepRequest request, Model model, ModelAnswer answer, int attempts, Instant startedAt) {
        BigDecimal cost = run.settings().prices().costOf(model.name(), answer.usage());
        run.root().ledger().debit(answer.usage().totalTokens(), cost);
        List<Fact.Call> calls = answer.toolCalls().stream()
                .map(call ->
                        new Fact.Call(run.root().ids().next("call_"), call.providerId(), call.name(), call.arguments()))
                .toList();
        return new Fact.Answered(
                state.stepNumber(),
                model.name(),
                answer.text(),
                answer.reasoning(),
                calls,
                answer.finish(),
                answer.usage(),
                attempts,
                cost,
                request.offered(),
                startedAt,
                run.now());
    }
}
