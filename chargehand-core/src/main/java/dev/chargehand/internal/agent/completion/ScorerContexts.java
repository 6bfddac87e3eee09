package dev.chargehand.internal.agent.completion;

import dev.chargehand.completion.ScorerContext;
import dev.chargehand.internal.agent.model.SideModelCalls;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.scope.SoFar;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.message.Message;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.RunInfo;
import dev.chargehand.step.StepResult;
import java.util.List;

/** The contexts of the scorers of one step, and the usage of their judges. Thread-safe. */
public final class ScorerContexts {

    private final RunScope run;
    private final ConversationState state;
    private final SoFar soFar;
    private final SideModelCalls sideCalls;

    ScorerContexts(RunScope run, ConversationState state) {
        this.run = run;
        this.state = state;
        this.soFar = run.soFar(state);
        this.sideCalls = new SideModelCalls(run, state.stepNumber(), Spending.SCORERS);
    }

    int step() {
        return state.stepNumber();
    }

    /** Return what the judges used so far. */
    Spending spent() {
        return sideCalls.spent();
    }

    /** Return the context of one scorer; its judge's calls end with its part. */
    ScorerContext under(Cancellation part) {
        return new Context(run.under(part));
    }

    /** Additional methods for built-in scorers. */
    public interface OwnContext extends ScorerContext {

        /** Ask models that exist already; see {@link ScorerContext#ask}. */
        ModelResponse ask(List<Model> models, ModelRequest request);
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
        public String text() {
            return state.step().text();
        }

        @Override
        public String originalTask() {
            return state.originalTask();
        }

        @Override
        public List<StepResult> steps() {
            return soFar.steps();
        }

        @Override
        public List<Message> messages() {
            return soFar.messages();
        }

        @Override
        public ModelResponse ask(ModelChoice model, List<Message> question) {
            return sideCalls.ask(scope, model, question);
        }

        @Override
        public ModelResponse ask(List<Model> models, ModelRequest request) {
            return sideCalls.ask(scope, models, request);
        }
    }
}
