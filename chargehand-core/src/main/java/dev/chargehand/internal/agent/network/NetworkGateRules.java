package dev.chargehand.internal.agent.network;

import dev.chargehand.completion.Completion;
import dev.chargehand.internal.agent.AgentGateRules;
import dev.chargehand.internal.agent.GateRules;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.ModelStep;
import dev.chargehand.internal.state.RouterStep;
import dev.chargehand.internal.state.StepState;

/**
 * The rules of the gate for a network: every decision is scored, by a check of its own if there are no scorers and the
 * router continues. Every other step has the rules of an agent.
 */
final class NetworkGateRules implements GateRules {

    /** The request to the router for an object, which no earlier call requested. */
    private static final String OBJECT =
            "The task is done. Give its result as nothing but one JSON value that fits the JSON Schema.";

    private final RunScope run;
    private final GateRules ofAnswers;

    NetworkGateRules(RunScope run) {
        this.run = run;
        this.ofAnswers = new AgentGateRules(run);
    }

    @Override
    public boolean isScored(StepState step) {
        return switch (step) {
            case RouterStep routed -> run.options().get(Options.COMPLETION) != null || !routed.isCandidate();
            case ModelStep answered -> ofAnswers.isScored(answered);
        };
    }

    @Override
    public Scoring scoring(ConversationState state) {
        Completion own = run.options().get(Options.COMPLETION);
        if (own != null) {
            return ofAnswers.scoring(state);
        }
        CompletionCheck check = new CompletionCheck(run, state);
        return new Scoring(check.alone(), check::answer);
    }

    @Override
    public String requestAfterScoring(StepState step) {
        return switch (step) {
            case RouterStep ignored -> "Choose what is to be done next about what is missing.";
            case ModelStep answered -> ofAnswers.requestAfterScoring(answered);
        };
    }

    /** The first is the router's decision, which was not requested as an object. */
    @Override
    public int acceptedMisfits() {
        return ofAnswers.acceptedMisfits() + 1;
    }

    @Override
    public String requestForObject(StepState step, String problem) {
        return switch (step) {
            case RouterStep ignored -> OBJECT;
            case ModelStep answered -> ofAnswers.requestForObject(answered, problem);
        };
    }
}
