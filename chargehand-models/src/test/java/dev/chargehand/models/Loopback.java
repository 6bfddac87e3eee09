package dev.chargehand.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.chargehand.error.ModelException;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.reply.Reply;
import java.time.Duration;
import java.util.List;

/** A model and the provider behind it, on this machine; what every wire test begins with. */
final class Loopback implements AutoCloseable {

    static final String KEY = "sk-loopback-key-4711";

    /** Long enough for a machine that is busy; nothing waits this long when all is well. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    final LoopbackProvider provider = LoopbackProvider.start();
    final OpenAiModel model = OpenAiModel.builder()
            .name("test/model")
            .baseUrl(provider.baseUrl())
            .model("m")
            .apiKey(KEY)
            .build();
    final Recorder call = new Recorder();

    static ModelRequest request(String text) {
        return new ModelRequest(List.of(Message.user(text)), List.of(), ToolChoice.auto(), ModelSettings.DEFAULT);
    }

    ModelResponse ask() throws InterruptedException {
        return model.ask(request("Hi"), call);
    }

    ModelResponse ask(Reply reply) throws InterruptedException {
        provider.enqueue(reply);
        return ask();
    }

    /** Asks, and returns what must go wrong with it. */
    ModelException fail(Reply reply) {
        provider.enqueue(reply);
        return fail();
    }

    ModelException fail() {
        ModelException e = catchThrowableOfType(ModelException.class, this::ask);
        assertThat(e).as("the call must fail").isNotNull();
        assertThat(e).hasMessageStartingWith("Model 'test/model': ");
        return e;
    }

    @Override
    public void close() {
        model.close();
        provider.close();
    }
}
