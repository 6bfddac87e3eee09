package dev.chargehand.internal.workflow;

import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scored;
import dev.chargehand.completion.Scorer;
import dev.chargehand.completion.ScorerContext;
import dev.chargehand.internal.agent.model.SideModelCalls;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.fact.ClosedCalls;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RoundFact;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.WorkflowState;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.RunInfo;
import dev.chargehand.run.StopReason;
import dev.chargehand.step.StepResult;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One call of a scorer by a step, and what its judge has used. */
final class StepScoring implements AutoCloseable {

    private final RunScope run;
    private final WorkflowState state;
    private final Scorer scorer;
    private final SideModelCalls judge;
    private final List<Cancellation.Registration> ties = new ArrayList<>();
    private final RunScope part;

    StepScoring(RunScope run, WorkflowState state, Scorer scorer) {
        this.run = run;
        this.state = state;
        this.scorer = scorer;
        this.judge = new SideModelCalls(run, state.stepNumber(), Spending.SCORERS);
        this.part = run.under(run.cancellation().part(ties));
    }

    Scorer scorer() {
        return scorer;
    }

    /** Return how the scorer sees a text. */
    ScorerContext context(String text) {
        return new Context(text);
    }

    /**
     * Return the output of the step.
     *
     * @throws IllegalStateException if the score is not from 0 to 1
     */
    Json result(@Nullable Score score) {
        if (score == null || !(score.value() >= 0 && score.value() <= 1)) {
            throw new IllegalStateException("Scorer '" + scorer.name() + "' gave "
                    + (score == null ? "null" : score.value()) + "; a score is from 0 to 1.");
        }
        boolean passed = score.value() >= scorer.threshold();
        return Json.of(new Scored(scorer.name(), score.value(), scorer.threshold(), passed, score.reason()));
    }

    /** End the calls of the judge, since the attempt took too long. */
    void tooLong() {
        part.cancellation().cancel(new StopReason.Cancelled("scorer-timeout"));
    }

    /**
     * Return the end of the attempt with what the judge has used.
     *
     * @throws dev.chargehand.internal.call.RunLeftException if this process leaves the run and the judge was not called
     */
    Fact charged(Fact end) {
        judge.requireAsked();
        return switch (end) {
            case Fact.CallClosed closed -> ClosedCalls.with(judge.spent(), closed);
            case RoundFact.CallRetried retried -> retried.with(judge.spent());
            default -> end;
        };
    }

    @Override
    public void close() {
        ties.forEach(Cancellation.Registration::close);
    }

    private final class Context implements ScorerContext {

        private final String text;

        private Context(String text) {
            this.text = text;
        }

        @Override
        public RunInfo run() {
            return run.info();
        }

        @Override
        public int step() {
            return state.stepNumber();
        }

        @Override
        public String text() {
            return text;
        }

        @Override
        public String originalTask() {
            return state.input().string().orElse(state.input().text());
        }

        @Override
        public List<StepResult> steps() {
            return List.of();
        }

        @Override
        public List<Message> messages() {
            return List.of();
        }

        @Override
        public ModelResponse ask(ModelChoice model, List<Message> messages) {
            return judge.ask(part, model, messages);
        }
    }
}
