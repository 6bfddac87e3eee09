package dev.chargehand.testkit.replay;

import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelProvider;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import java.util.Optional;
import java.util.Set;

/** A model under a recorded name; whose run asks is in the request. */
record ReplayModel(String name, Playback playback) implements Model {

    @Override
    public boolean isFree() {
        return true; // the calls were paid when they were recorded
    }

    @Override
    public ModelResponse ask(ModelRequest request, ModelCall call) throws InterruptedException {
        return playback.answer(name, request, call);
    }

    /** Makes such a model of any name: no replay reaches a provider. */
    record Provider(Playback playback) implements ModelProvider {

        @Override
        public Set<String> names() {
            return Set.of("recorded");
        }

        @Override
        public Optional<Model> find(String name) {
            return Optional.of(new ReplayModel(name, playback));
        }
    }
}
