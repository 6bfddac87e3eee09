package dev.chargehand.internal.agent.model;

import dev.chargehand.error.ModelException;
import dev.chargehand.internal.call.RunInterruptedException;
import dev.chargehand.internal.call.RunLeftException;
import dev.chargehand.internal.event.AnswerEvents;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Limit;
import dev.chargehand.run.Prices;
import dev.chargehand.run.StopReason;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gets an answer from the models of a choice, with retries and fallbacks, within the limits and the budget of the run.
 *
 * <p>A passing failure is tried again after a growing wait, or after the one the provider asks for; then the next model
 * is called. Once something of an answer has been passed on, there is another attempt only if the caller that reads it
 * can drop what they have.
 */
public final class ModelCaller {

    private static final Logger LOG = LoggerFactory.getLogger(ModelCaller.class);

    private final RunScope run;
    private final Backoff backoff;
    private final IntFunction<AnswerEvents> events;
    private final OnRetry onRetry;
    private final Supplier<StreamProcessors> processing;

    /** Observes retried attempts. */
    @FunctionalInterface
    public interface OnRetry {

        /** Report a failed attempt of a model, and the wait before the next one. */
        void retry(int attempt, Model model, ModelException failure, Duration wait);
    }

    /**
     * The outcome.
     *
     * @param answer the answer, or null if the run is to end
     * @param model the name of the model that answered or was called last
     * @param stop why the run is to end, or null
     * @param partialText what there was of an answer when the run was ended
     * @param attempts how many attempts were made
     * @param cost of the answer
     * @param tripped why processors blocked the answer, or null
     * @param emitted whether a part of the blocked text was emitted before
     */
    public record CallResult(
            @Nullable ModelResponse answer,
            String model,
            @Nullable StopReason stop,
            String partialText,
            int attempts,
            BigDecimal cost,
            ProcessorChain.@Nullable Passed<String> tripped,
            boolean emitted) {}

    /**
     * Prepare asking.
     *
     * @param events makes what reports the deltas of an attempt
     */
    public ModelCaller(RunScope run, IntFunction<AnswerEvents> events, OnRetry onRetry) {
        this(run, events, onRetry, () -> StreamProcessors.NONE);
    }

    /**
     * Prepare asking.
     *
     * @param processing looks at the texts of an attempt
     */
    public ModelCaller(
            RunScope run, IntFunction<AnswerEvents> events, OnRetry onRetry, Supplier<StreamProcessors> processing) {
        this.processing = processing;
        this.run = run;
        this.backoff = new Backoff(run);
        this.events = events;
        this.onRetry = onRetry;
    }

    /**
     * Ask.
     *
     * @throws ModelFailedException if no model answered
     * @throws ProcessingFailedException if a processor failed
     */
    public CallResult ask(ModelRequest request, List<Model> choice) {
        Deque<Model> models = new ArrayDeque<>(choice);
        int attempts = 0;
        int retries = 0;
        String partial = "";
        while (true) {
            admit(partial);
            Model model = models.getFirst();
            Optional<StopReason> refused = run.root().ledger().reserveModelCall();
            if (refused.isPresent()) {
                return stopped(model, refused.get(), partial, attempts);
            }
            attempts++;
            ModelAttempt attempt = new ModelAttempt(run, model, events.apply(attempts), processing.get());
            try {
                ModelResponse answer = attempt.ask(request);
                if (attempt.tripped() != null) {
                    return tripped(model, attempt, answer, attempts);
                }
                return attempt.hasOverflowed() ? overflow(model, attempt, attempts) : answered(model, answer, attempts);
            } catch (RunInterruptedException e) {
                return stopped(model, e.reason(), attempt.partialText(), attempts);
            } catch (RunLeftException e) {
                throw e.with(attempt.partialText());
            } catch (ProcessingFailedException e) {
                throw e.plus(Spending.onAttempts(attempts));
            } catch (ModelException failure) {
                if (attempt.tripped() != null) {
                    return tripped(model, attempt, null, attempts);
                }
                RuntimeException broken = attempt.broken();
                if (broken instanceof ProcessingFailedException failed) {
                    throw failed.plus(Spending.onAttempts(attempts));
                }
                if (broken instanceof RunLeftException left) {
                    throw left.with(attempt.partialText());
                }
                if (broken instanceof RunInterruptedException ends) {
                    return stopped(model, ends.reason(), attempt.partialText(), attempts);
                }
                if (attempt.hasOverflowed()) {
                    return overflow(model, attempt, attempts);
                }
                partial = attempt.partialText();
                log(model, attempts, failure);
                Optional<Duration> wait = retries < run.options().get(Options.RETRIES)
                        ? backoff.waitAfter(failure, retries)
                        : Optional.empty();
                retries++;
                if (wait.isEmpty()) {
                    models.removeFirst();
                    retries = 0;
                }
                boolean lost = attempt.hasEmitted() && run.root().textIsFinal().get();
                if (models.isEmpty() || lost) {
                    throw new ModelFailedException(failure, partial, attempts);
                }
                onRetry.retry(attempts, model, failure, wait.orElse(Duration.ZERO));
                try {
                    backoff.await(wait.orElse(Duration.ZERO));
                } catch (RunInterruptedException e) {
                    return stopped(model, e.reason(), partial, attempts);
                }
            }
        }
    }

    /** Log what the provider said, also if another attempt, or another model, give the answer. */
    private void log(Model model, int attempt, ModelException failure) {
        LOG.info(
                "run {}: attempt {} with model {} failed ({}): {}",
                run.events().runId(),
                attempt,
                model.name(),
                failure.code(),
                run.root().redactor().redact(failure.getMessage()));
    }

    private void admit(String partial) {
        try {
            run.root().lease().require();
            run.cancellation().admit();
        } catch (RunLeftException e) {
            throw e.with(partial);
        } catch (RunInterruptedException e) {
            return; // the attempt ends so, and says what there was of the answer
        }
    }

    private CallResult answered(Model model, ModelResponse answer, int attempts) {
        Prices prices = run.options().get(Options.PRICES);
        BigDecimal cost = prices.costOf(model.name(), answer.usage());
        if (!model.isFree()
                && !prices.byModel().containsKey(model.name())
                && run.root().ledger().reportsWithoutPrice(model.name())) {
            LOG.warn(
                    "run {} of agent {}: the budget bounds the cost, but model {} has no price, so its calls count as zero; add"
                            + " it to the option 'prices'",
                    run.info().runId(),
                    run.definition().id(),
                    model.name());
        }
        long tokens = answer.usage().totalTokens();
        if (tokens == Long.MAX_VALUE) {
            LOG.warn(
                    "run {} of agent {}: model {} reported more tokens than can be counted; they count as {}",
                    run.info().runId(),
                    run.definition().id(),
                    model.name(),
                    tokens);
        }
        run.root().ledger().debit(tokens, cost);
        return new CallResult(answer, model.name(), null, "", attempts, cost, null, false);
    }

    /** An answer of which nothing passes; what it used is known if it was complete. */
    private CallResult tripped(Model model, ModelAttempt attempt, @Nullable ModelResponse answer, int attempts) {
        CallResult asked = answer == null
                ? stopped(model, new StopReason.AnswerIncomplete(), "", attempts)
                : answered(model, answer, attempts);
        return new CallResult(
                answer, model.name(), null, "", attempts, asked.cost(), attempt.tripped(), attempt.hasEmitted());
    }

    private static CallResult overflow(Model model, ModelAttempt attempt, int attempts) {
        StopReason reason = new StopReason.LimitReached(Limit.OUTPUT_CHARACTERS.key());
        return stopped(model, reason, attempt.partialText(), attempts);
    }

    private static CallResult stopped(Model model, StopReason why, String partialText, int attempts) {
        return new CallResult(null, model.name(), why, partialText, attempts, BigDecimal.ZERO, null, false);
    }
}
