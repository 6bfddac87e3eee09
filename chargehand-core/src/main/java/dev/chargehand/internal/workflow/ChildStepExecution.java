package dev.chargehand.internal.workflow;

import dev.chargehand.error.DelegationException;
import dev.chargehand.internal.agent.delegation.ChildCall;
import dev.chargehand.internal.agent.delegation.ChildResult;
import dev.chargehand.internal.call.InstrumentedCall;
import dev.chargehand.internal.definition.AgentDefinition;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.definition.WorkflowDefinition;
import dev.chargehand.internal.fact.ChildEnd;
import dev.chargehand.internal.fact.ClosedCalls;
import dev.chargehand.internal.fact.DefinitionLink;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RoundFact;
import dev.chargehand.internal.scope.ChildRuns;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.WorkflowState;
import dev.chargehand.internal.state.value.MergePatch;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.spi.Outcome;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Executes one attempt of a step whose work a nested run does.
 *
 * @param child what the nested run executes
 * @param step makes the facts of the step's end
 */
record ChildStepExecution(RunScope run, RunDefinition child, StepExecution step) {

    /** Return how the call ended, or that another attempt follows; nothing if the nested run waits. */
    Optional<Fact> execute(ChildCall call) {
        return call.execute(() -> {}, this::ended);
    }

    private Fact ended(ChildRuns.Ended ended, InstrumentedCall work) {
        ChildResult result = ChildResult.of(run, child, ended);
        if (result.output() != null) {
            return with(
                    ended.end(),
                    step.given(
                            hasObject() ? ended.output().orElse(result.output()) : result.output(),
                            change(ended.end().runId())));
        }
        run.cancellation().check(); // who ends the run finds the end of the nested one
        DelegationException failure = result.exception(ended);
        if (failure != null) {
            work.end(Outcome.failed(failure));
        }
        String error = error(result, ended.end().stop());
        return with(ended.end(), result.isBroken() ? step.recovered(error, null) : step.failed(error, null));
    }

    /** Return what a nested workflow that shares the state has changed of it. */
    private @Nullable Json change(RunId nested) {
        if (!(child instanceof WorkflowDefinition of && of.workflow().sharesState())) {
            return null;
        }
        WorkflowState ended =
                (WorkflowState) run.root().delegations().find(nested).orElseThrow();
        DefinitionLink link = Objects.requireNonNull(ended.started().definition());
        return MergePatch.between(Objects.requireNonNull(link.initialState()), ended.shared());
    }

    /** An agent without an output type may have structured output, whose object may be another than that in its text. */
    private boolean hasObject() {
        return child instanceof AgentDefinition agent
                && agent.delegation().output() == null
                && agent.answerSchema() != null;
    }

    /** The message is for the application, so it has the failure's own words. */
    private static String error(ChildResult result, StopReason stop) {
        return stop instanceof StopReason.Failed failed
                ? result.failure() + " " + failed.message()
                : String.valueOf(result.failure());
    }

    private static Fact with(ChildEnd end, Fact fact) {
        return switch (fact) {
            case Fact.CallClosed closed -> ClosedCalls.with(end, closed);
            case RoundFact.CallRetried retried -> retried.with(end);
            default -> fact;
        };
    }
}
