package dev.chargehand.internal.agent;

import dev.chargehand.hook.IterationContext;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.scope.SoFar;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunInfo;
import dev.chargehand.step.StepResult;
import java.util.List;

/** The open step of a run as {@code onIterationComplete} sees it, once its calls are over. */
final class OpenIteration implements IterationContext {

    private final RunScope run;
    private final ConversationState state;
    private final boolean isFinal;
    private final SoFar soFar;

    OpenIteration(RunScope run, ConversationState state, boolean isFinal) {
        this.run = run;
        this.state = state;
        this.isFinal = isFinal;
        this.soFar = run.soFar(state);
    }

    @Override
    public RunInfo run() {
        return run.info();
    }

    @Override
    public int iteration() {
        return state.stepNumber();
    }

    @Override
    public int maxSteps() {
        return run.maxSteps();
    }

    @Override
    public String originalTask() {
        return state.originalTask();
    }

    @Override
    public StepResult currentStep() {
        return run.stepResults().of(state.step());
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
    public List<String> subAgentsInvoked() {
        return state.subAgentsInvoked();
    }

    @Override
    public List<String> subAgentsInvokedInThisIteration() {
        return state.step().subAgentsInvoked();
    }

    @Override
    public boolean isFinal() {
        return isFinal;
    }
}
