package dev.chargehand.internal.agent.completion;

import dev.chargehand.completion.Completion;
import dev.chargehand.completion.CompletionResult;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.completion.ScorerResult;
import dev.chargehand.internal.call.BoundedCalls;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.text.Excerpt;
import dev.chargehand.internal.text.ReadableTime;
import dev.chargehand.run.Limit;
import dev.chargehand.run.StopReason;
import dev.chargehand.spi.CallInfo;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets the scorers of a completion evaluate the open step. An exception of a scorer counts as a failed score. */
public final class CompletionEvaluator {

    private static final Logger LOG = LoggerFactory.getLogger(CompletionEvaluator.class);

    private final RunScope run;
    private final Completion completion;
    private final ScorerContexts judging;
    private final long startedAt;

    /** Prepare scoring the open step of a state. */
    public CompletionEvaluator(RunScope run, Completion completion, ConversationState state) {
        this.run = run;
        this.completion = completion;
        this.judging = new ScorerContexts(run, state);
        this.startedAt = run.root().time().nanoTime();
    }

    /**
     * Score the step.
     *
     * @throws dev.chargehand.internal.call.RunInterruptedException if the run is to end
     */
    public CompletionResult score() {
        List<ScorerResult> results = completion.sequential() ? oneAfterTheOther() : allAtOnce();
        boolean complete = completion.strategy() == Completion.Strategy.ALL
                ? results.stream().allMatch(ScorerResult::passed)
                : results.stream().anyMatch(ScorerResult::passed);
        return new CompletionResult(complete, results, elapsed());
    }

    /** Return whether the thread keeps what the scorers say. */
    public boolean keepsScores() {
        return completion.keepsScores();
    }

    /** Return what judges have used so far. */
    public Spending judged() {
        return judging.spent();
    }

    /**
     * Return the feedback to the model for an answer that failed.
     *
     * @param request what the model is to do about it
     */
    public String feedback(CompletionResult result, String request) {
        long each = run.limit(Limit.TOOL_RESULT_BYTES)
                / Math.max(1, result.scorers().size());
        return "The task is not complete yet. What the checks found:\n"
                + result.scorers().stream().map(scorer -> line(scorer, each)).collect(Collectors.joining("\n"))
                + "\n" + request;
    }

    private static String line(ScorerResult result, long mostBytes) {
        String verdict = "- " + result.scorer() + ": " + (result.passed() ? "passed" : "failed") + " (score "
                + shown(result.score()) + ", needed " + result.threshold() + ")";
        String reason = result.errorId() == null
                ? result.reason()
                : "the scorer failed (error " + result.errorId() + ")"; // its words are not for the model
        return reason.isBlank() ? verdict : verdict + ": " + Excerpt.within(reason, mostBytes);
    }

    /** Never more than it is, so that none that failed looks as if it had passed. */
    private static double shown(double score) {
        return BigDecimal.valueOf(score).setScale(2, RoundingMode.DOWN).doubleValue();
    }

    private List<ScorerResult> oneAfterTheOther() {
        List<ScorerResult> results = new ArrayList<>();
        boolean all = completion.strategy() == Completion.Strategy.ALL;
        for (Scorer scorer : completion.scorers()) {
            ScorerResult result = one(scorer);
            results.add(result);
            if (result.passed() != all) {
                break;
            }
        }
        return results;
    }

    private List<ScorerResult> allAtOnce() {
        List<Scorer> scorers = completion.scorers();
        return run.parallel(scorers.size()).all(scorers, Scorer::name, this::one);
    }

    private ScorerResult one(Scorer scorer) {
        long startedAt = run.root().time().nanoTime();
        Duration left = completion.timeout().minus(elapsed());
        boolean setIsShorter = left.compareTo(completion.scorerTimeout()) < 0;
        Duration limit = setIsShorter ? left : completion.scorerTimeout();
        List<Cancellation.Registration> ties = new ArrayList<>();
        Cancellation part = run.cancellation().part(ties);
        String wrong;
        try {
            run.cancellation().admit();
            if (!limit.isPositive()) {
                return failed(
                        scorer,
                        startedAt,
                        "not called: all scorers together took longer than " + ReadableTime.of(completion.timeout()));
            }
            Optional<Score> score = run.root()
                    .callouts()
                    .call(
                            run.call(CallInfo.Kind.SCORER, scorer.name()).atStep(judging.step()),
                            limit,
                            run.cancellation(),
                            () -> Optional.ofNullable(scorer.score(judging.under(part))));
            return score.map(given -> judged(scorer, startedAt, given))
                    .orElseGet(() -> failed(scorer, startedAt, "the scorer failed: it returned null"));
        } catch (BoundedCalls.TimedOutException e) {
            part.cancel(new StopReason.Cancelled("scorer-timeout")); // a judge's connection must not outlive it
            wrong = setIsShorter
                    ? "all scorers together took longer than " + ReadableTime.of(completion.timeout())
                    : "the scorer took longer than " + ReadableTime.of(limit);
        } catch (BoundedCalls.ThrewException e) {
            return threw(scorer, startedAt, e.thrown());
        } finally {
            ties.forEach(Cancellation.Registration::close);
        }
        return failed(scorer, startedAt, wrong);
    }

    private ScorerResult judged(Scorer scorer, long startedAt, Score score) {
        if (!(score.value() >= 0 && score.value() <= 1)) {
            return failed(scorer, startedAt, "the scorer gave " + score.value() + ", which is not from 0 to 1");
        }
        boolean passed = score.value() >= scorer.threshold();
        return new ScorerResult(
                scorer.name(), score.value(), scorer.threshold(), passed, redacted(score.reason()), since(startedAt));
    }

    private ScorerResult threw(Scorer scorer, long startedAt, Throwable thrown) {
        String detail = run.root().redactor().describe(thrown);
        String errorId = run.root().ids().next("err_");
        LOG.warn("run {}: scorer {} failed ({}): {}", run.events().runId(), scorer.name(), errorId, detail);
        return new ScorerResult(
                scorer.name(),
                0,
                scorer.threshold(),
                false,
                "the scorer failed: " + run.root().redactor().words(thrown),
                since(startedAt),
                errorId);
    }

    private ScorerResult failed(Scorer scorer, long startedAt, String why) {
        return new ScorerResult(scorer.name(), 0, scorer.threshold(), false, why, since(startedAt));
    }

    private String redacted(String reason) {
        return run.root().redactor().redact(reason);
    }

    private Duration elapsed() {
        return since(startedAt);
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(run.root().time().nanoTime() - nanos);
    }
}
