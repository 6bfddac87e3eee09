package dev.chargehand.internal.definition;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.internal.call.BoundedValidation;
import dev.chargehand.internal.fact.DefinitionLink;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.option.RunKind;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.value.SharedState;
import dev.chargehand.json.Json;
import dev.chargehand.memory.Memory;
import dev.chargehand.message.Message;
import dev.chargehand.workflow.Delegate;
import dev.chargehand.workflow.Entry;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a workflow is: it has neither a model nor a memory of its own. Immutable and thread-safe.
 *
 * @param workflow its steps and how they follow on each other
 */
public record WorkflowDefinition(Workflow<?, ?> workflow) implements RunDefinition {

    /**
     * Return the input of a run, which holds a value.
     *
     * @param checks looks at the value
     * @throws ConfigurationException if the value has no JSON form or breaks the schema of the input
     */
    public List<Message> input(@Nullable Object value, BoundedValidation checks) {
        Json json;
        try {
            json = Json.of(value);
        } catch (InvalidJsonException e) {
            throw new ConfigurationException("Workflow '" + id() + "': its input " + e.getMessage());
        }
        List<String> violations = checks.violations("input of " + id(), workflow.input(), json);
        if (!violations.isEmpty()) {
            throw new ConfigurationException(
                    "Workflow '" + id() + "': its input breaks its schema: " + String.join("; ", violations) + ".");
        }
        return List.of(Message.user(json.text()));
    }

    /**
     * Check the shared state that options start a run with, if they do.
     *
     * @param checks looks at it
     * @throws ConfigurationException if it is not an object, breaks the schema of the state, or is too large
     */
    public void requireState(OptionValues options, BoundedValidation checks) {
        Json state = options.get(Options.INITIAL_STATE);
        if (state == null) {
            return;
        }
        SharedState.requireStartable("Workflow '" + id() + "': its initial state", state);
        List<String> violations = workflow.state()
                .map(schema -> checks.violations("initial state of " + id(), schema, state))
                .orElse(List.of());
        if (!violations.isEmpty()) {
            throw new ConfigurationException("Workflow '" + id() + "': its initial state breaks its schema: "
                    + String.join("; ", violations) + ".");
        }
    }

    @Override
    public String id() {
        return workflow.id();
    }

    @Override
    public String version() {
        return workflow.version();
    }

    @Override
    public DefinitionLink link() {
        return new DefinitionLink(workflow.version(), workflow.shape(), workflow.initialState());
    }

    @Override
    public DefinitionLink link(OptionValues options) {
        Json state = options.get(Options.INITIAL_STATE);
        return state == null ? link() : new DefinitionLink(workflow.version(), workflow.shape(), state);
    }

    @Override
    public String name() {
        return workflow.name();
    }

    /** Return what its steps delegate to, by the ids of the steps. */
    @Override
    public Map<String, RunDefinition> children() {
        Map<String, RunDefinition> children = new LinkedHashMap<>();
        for (Entry entry : workflow.entries()) {
            for (Step<?, ?> step : entry.steps()) {
                step.delegate().ifPresent(delegate -> children.put(step.id(), of(delegate)));
            }
        }
        return children;
    }

    private static RunDefinition of(Delegate delegate) {
        return switch (delegate) {
            case AgentDefinition agent -> agent;
            case Workflow<?, ?> nested -> new WorkflowDefinition(nested);
            default ->
                throw new ConfigurationException("A step delegates to '" + delegate.id()
                        + "', which is neither an agent nor a workflow; make the step with asStep of one of these.");
        };
    }

    @Override
    public String keyOf(CallState call) {
        return call.call().name();
    }

    @Override
    public boolean isSupervisor() {
        return false;
    }

    @Override
    public OptionValues defaultOptions() {
        return OptionValues.DEFAULT.with(Options.KIND, RunKind.WORKFLOW);
    }

    @Override
    public Memory memory() {
        return Memory.DEFAULT;
    }
}
