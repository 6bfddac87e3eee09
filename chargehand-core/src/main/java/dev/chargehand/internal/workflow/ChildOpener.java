package dev.chargehand.internal.workflow;

import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.definition.WorkflowDefinition;
import dev.chargehand.internal.fact.CallKind;
import dev.chargehand.internal.fact.ChildLink;
import dev.chargehand.internal.fact.ClosedCalls;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.scope.ArgumentDigest;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.WorkflowState;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.workflow.Step;
import java.util.List;

/** Opens the calls of steps whose work a nested run does: it makes the input of that run, which is stored with the intent. */
record ChildOpener(RunScope run, WorkflowCode code) {

    /**
     * Return the intent, or why the call has failed.
     *
     * @param input the input of the step, which fits its schema
     */
    Fact open(WorkflowState state, CallState call, Step<?, ?> step, RunDefinition child, Json input) {
        String excess = run.tooDeep(step.id(), child.id());
        if (excess != null) {
            return ClosedCalls.failed(call.callId(), excess, null, run.now());
        }
        Json made = code.call(
                state,
                LiveWorkflowContext.Place.of(state.round(), call),
                "prompt " + step.id(),
                context -> step.call(input, context));
        if (child instanceof WorkflowDefinition nested) {
            List<String> violations = run.validation()
                    .violations("input of " + nested.id(), nested.workflow().input(), made);
            if (!violations.isEmpty()) {
                return ClosedCalls.failed(
                        call.callId(),
                        "The input that step '" + step.id() + "' made for workflow '" + nested.id()
                                + "' breaks its schema: " + String.join("; ", violations) + ".",
                        null,
                        run.now());
            }
        }
        String text = child instanceof WorkflowDefinition
                ? made.text()
                : made.string().orElse("");
        if (text.isBlank()) {
            return ClosedCalls.failed(
                    call.callId(), "The prompt that step '" + step.id() + "' made is empty.", null, run.now());
        }
        ChildLink link = new ChildLink(
                new RunId(run.root().ids().next("run_")),
                child.id(),
                child.name(),
                child.version(),
                text,
                null,
                null,
                null,
                null);
        return new Fact.CallOpened(call.callId(), CallKind.CHILD, ArgumentDigest.of(input), link, run.now());
    }
}
