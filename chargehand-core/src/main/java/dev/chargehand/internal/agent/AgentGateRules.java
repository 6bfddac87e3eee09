package dev.chargehand.internal.agent;

import dev.chargehand.completion.Completion;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.StepState;
import dev.chargehand.memory.WorkingMemory;
import java.util.Objects;
import java.util.Optional;

/** The rules of the gate for an agent: its answers are scored if there are scorers. */
public final class AgentGateRules implements GateRules {

    private final RunScope run;

    public AgentGateRules(RunScope run) {
        this.run = run;
    }

    @Override
    public boolean isScored(StepState step) {
        Completion completion = run.options().get(Options.COMPLETION);
        return completion != null && (completion.scoresEveryStep() || step.isCandidate() || onlyNotes(step));
    }

    /** Return whether a step has a text, and calls that did nothing but change the working memory, each successfully. */
    private boolean onlyNotes(StepState step) {
        return run.agent().memory().workingMemory().isPresent()
                && step.answered().finish().isComplete()
                && !step.text().isBlank()
                && step.calls().stream().allMatch(AgentGateRules::isNote);
    }

    private static boolean isNote(CallState call) {
        return call.call().name().equals(WorkingMemory.TOOL)
                && call.closed() != null
                && !call.closed().hasFailed();
    }

    @Override
    public Scoring scoring(ConversationState state) {
        Completion completion = run.options().get(Options.COMPLETION);
        return new Scoring(Objects.requireNonNull(completion), Optional::empty);
    }

    @Override
    public String requestAfterScoring(StepState step) {
        return "Fix what is missing and give the whole answer again.";
    }

    @Override
    public int acceptedMisfits() {
        return 1;
    }

    @Override
    public String requestForObject(StepState step, String problem) {
        return ObjectExtraction.feedback(problem);
    }
}
