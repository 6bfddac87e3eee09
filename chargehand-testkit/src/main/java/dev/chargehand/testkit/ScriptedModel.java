package dev.chargehand.testkit;

import dev.chargehand.json.JsonSchema;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;

/**
 * A model that answers by a script, for one agent.
 *
 * <p>Start with {@link #script()}; a {@link TestRuntime} hands the models to the agents.
 */
public final class ScriptedModel implements Model {

    /** The provider part of the names of scripted models. */
    static final String PROVIDER = "scripted/";

    private final Script script;
    private final String agentId;

    ScriptedModel(Script script, String agentId) {
        this.script = script;
        this.agentId = agentId;
    }

    /** Start a script: what the model of each agent answers, in order. */
    public static Script script() {
        return new Script();
    }

    /** Return {@code scripted/} and the agent's id; usage and prices go by it. */
    @Override
    public String name() {
        return PROVIDER + agentId;
    }

    /** Return true: its calls cost nothing unless a price is set. */
    @Override
    public boolean isFree() {
        return true;
    }

    /** Report what the script says: see {@link Script#withoutResponseFormat}. */
    @Override
    public boolean hasFormatFor(JsonSchema schema) {
        return script.hasResponseFormat();
    }

    @Override
    public ModelResponse ask(ModelRequest request, ModelCall call) throws InterruptedException {
        return script.take(agentId, request).play(request, call);
    }
}
