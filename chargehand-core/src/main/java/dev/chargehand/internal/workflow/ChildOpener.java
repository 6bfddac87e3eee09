package dev.chargehand.internal.workflow;

import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.definition.WorkflowDefinition;
import dev.chargehand.internal.fact.CallKind;
import dev.chargehand.internal.fact.ChildLink;
import dev.chargehand.internal.fact.ClosedCalls;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.scope.ArgumentDigest;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.scope.Toolbox;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.WorkflowState;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.run.RunId;
import dev.chargehand.workflow.Step;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Opens the calls of steps whose work a nested run does: it makes the input of that run, which is stored with the intent.
 *
 * @param faults why the runs of calls that have failed cannot start, for steps that make a value of a failure
 */
record ChildOpener(RunScope run, WorkflowCode code, Map<String, String> faults) {

    /**
     * Return the intent, or why the call has failed. If the step makes a value of a failure, that is an intent without
     * a run.
     *
     * @param inCode what the step delegates to, without a selected version
     * @param input the input of the step, which fits its schema
     */
    Fact open(WorkflowState state, CallState call, Step<?, ?> step, RunDefinition inCode, Json input) {
        RunDefinition child = inCode;
        if (run.toolbox().callees().get(step.id()) instanceof Toolbox.AgentCallee selected) {
            if (selected.unavailable() != null) {
                return failed(call, step, selected.unavailable());
            }
            child = selected.agent();
        }
        String excess = run.tooDeep(step.id(), child.id());
        if (excess != null) {
            return failed(call, step, excess);
        }
        String fault = faultOfState(state, child);
        if (fault != null) {
            return failed(call, step, fault);
        }
        Json made = code.call(
                state,
                LiveWorkflowContext.Place.of(state.round(), call),
                "prompt " + step.id(),
                context -> step.call(input, context));
        fault = faultOfInput(step, child, made);
        if (fault != null) {
            return failed(call, step, fault);
        }
        String text = child instanceof WorkflowDefinition
                ? made.text()
                : made.string().orElse("");
        if (text.isBlank()) {
            return failed(call, step, "The prompt that step '" + step.id() + "' made is empty.");
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

    /** Return why a nested workflow cannot share the state, or null. */
    private @Nullable String faultOfState(WorkflowState state, RunDefinition child) {
        Optional<JsonSchema> shared =
                child instanceof WorkflowDefinition nested && nested.workflow().sharesState()
                        ? nested.workflow().state()
                        : Optional.empty();
        List<String> violations = shared.map(
                        schema -> run.validation().violations("shared state of " + child.id(), schema, state.shared()))
                .orElse(List.of());
        return violations.isEmpty()
                ? null
                : "The shared state breaks the schema of workflow '" + child.id() + "': "
                        + String.join("; ", violations) + ".";
    }

    /** Return why a nested workflow cannot take the input that its step made, or null. */
    private @Nullable String faultOfInput(Step<?, ?> step, RunDefinition child, Json made) {
        List<String> violations = child instanceof WorkflowDefinition nested
                ? run.validation()
                        .violations("input of " + nested.id(), nested.workflow().input(), made)
                : List.of();
        return violations.isEmpty()
                ? null
                : "The input that step '" + step.id() + "' made for workflow '" + child.id() + "' breaks its schema: "
                        + String.join("; ", violations) + ".";
    }

    private Fact failed(CallState call, Step<?, ?> step, String fault) {
        if (step.recovers()) {
            faults.put(call.callId(), fault);
            String digest = ArgumentDigest.of(Json.parse(call.call().arguments()));
            return new Fact.CallOpened(call.callId(), CallKind.REPEATABLE, digest, null, run.now());
        }
        return ClosedCalls.failed(call.callId(), run.root().redactor().redact(fault), null, run.now());
    }
}
