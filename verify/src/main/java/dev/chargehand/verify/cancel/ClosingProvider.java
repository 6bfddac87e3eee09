package dev.chargehand.verify.cancel;

import dev.chargehand.json.JsonSchema;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelProvider;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Makes the models of another provider, whose calls have one closer more: the case that is being played. */
final class ClosingProvider implements ModelProvider {

    private final ModelProvider provider;
    private final Consumer<ModelCall> closers;

    /** Wrap a provider; {@code closers} registers what else closes a call. */
    ClosingProvider(ModelProvider provider, Consumer<ModelCall> closers) {
        this.provider = provider;
        this.closers = closers;
    }

    @Override
    public Set<String> names() {
        return provider.names();
    }

    @Override
    public Optional<Model> find(String name) {
        return provider.find(name).map(model -> new Closing(model, closers));
    }

    @Override
    public void close() {
        provider.close();
    }

    private record Closing(Model model, Consumer<ModelCall> closers) implements Model {

        @Override
        public String name() {
            return model.name();
        }

        @Override
        public ModelResponse ask(ModelRequest request, ModelCall call) throws InterruptedException {
            closers.accept(call);
            return model.ask(request, call);
        }

        @Override
        public boolean hasFormatFor(JsonSchema schema) {
            return model.hasFormatFor(schema);
        }

        @Override
        public Set<String> secrets() {
            return model.secrets();
        }
    }
}
