package dev.chargehand.internal.loop;

import dev.chargehand.completion.ScorerContext;
import dev.chargehand.internal.fact.Spent;
import dev.chargehand.internal.fact.State;
import dev.chargehand.internal.fact.Transcript;
import dev.chargehand.internal.limit.Cancellation;
import dev.chargehand.message.Message;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelAnswer;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.run.RunInfo;
import dev.chargehand.step.StepResult;
import java.util.List;

/** What the scorers of one step are told, and what their judges use up. Thread-safe. */
final class Judging {

    private final RunScope run;
    private final State state;
    private final List<StepResult> steps;
    private final List<Message> messages;
    private final Asides asides;

    Judging(RunScope run, State state) {
        this.run = run;
        this.state = state;
        this.steps = StepResults.of(state);
        this.messages = Transcript.conversation(state);
        this.asides = new Asides(run, state.stepNumber(), Spent.SCORERS);
    }

    /** Returns what the judges used up so far. */
    Spent spent() {
        return asides.spent();
    }

    /** Returns what one scorer is told; its judge's calls end with its part. */
    ScorerContext under(Cancellation part) {
        return new Context(run.under(part));
    }

    /** What our own scorers can do beside that. */
    interface OwnContext extends ScorerContext {

        /** Asks models that are there already; see {@link ScorerContext#ask}. */
        ModelAnswer ask(List<Model> models, ModelRequest request);
    }

    private final class Context implements OwnContext {

        private final RunScope scope;

        private Context(RunScope scope) {
            this.scope = scope;
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
        public String output() {
            return state.step().text();
        }

        @Override
        public String originalTask() {
            return state.originalTask();
        }

        @Override
        public List<StepResult> steps() {
            return steps;
        }

        @Override
        public List<Message> messages() {
            return messages;
        }

        @Override
        public ModelAnswer ask(ModelChoice model, List<Message> question) {
            return asides.ask(scope, model, question);
        }

        @Override
        public ModelAnswer ask(List<Model> models, ModelRequest request) {
            return asides.ask(scope, models, request);
        }
    }
}
