package dev.chargehand.testkit;

import dev.chargehand.json.JsonSchema;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelAnswer;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelRequest;

/**
 * A model that says what a script tells it to, for one agent.
 *
 * <p>Begin with {@link #script()}; a {@link TestRuntime} hands the models to the agents.
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

    /** Begins a script: what the model of each agent answers, in order. */
    public static Script script() {
        return new Script();
    }

    /** Returns {@code scripted/} and the agent's id; usage and prices go by it. */
    @Override
    public String name() {
        return PROVIDER + agentId;
    }

    /** Tells what the script says: see {@link Script#withoutResponseFormat}. */
    @Override
    public boolean hasFormatFor(JsonSchema schema) {
        return script.hasResponseFormat();
    }

    @Override
    public ModelAnswer ask(ModelRequest request, ModelCall call) throws InterruptedException {
        return script.take(agentId, request).play(request, call);
    }
}
