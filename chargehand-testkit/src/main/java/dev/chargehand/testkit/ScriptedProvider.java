package dev.chargehand.testkit;

import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelProvider;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import java.util.Optional;
import java.util.Set;

/** Makes scripted models of {@code scripted/<agentId>}, and of any other name one that only complains. */
final class ScriptedProvider implements ModelProvider {

    private final Script script;

    ScriptedProvider(Script script) {
        this.script = script;
    }

    @Override
    public Set<String> names() {
        return Set.of("scripted");
    }

    @Override
    public Optional<Model> find(String name) {
        return Optional.of(
                name.startsWith(ScriptedModel.PROVIDER)
                        ? script.modelFor(name.substring(ScriptedModel.PROVIDER.length()))
                        : new Unscripted(script, name));
    }

    private record Unscripted(Script script, String name) implements Model {

        @Override
        public boolean isFree() {
            return true;
        }

        @Override
        public ModelResponse ask(ModelRequest request, ModelCall call) {
            throw script.mismatch("The model '" + name + "' was asked, but a test has scripted models only: "
                    + script.whatToAdd() + " " + Casting.describe(request));
        }
    }
}
