package dev.chargehand.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.chargehand.error.ModelException;
import dev.chargehand.model.EmbeddingRequest;
import dev.chargehand.model.EmbeddingRequest.Kind;
import dev.chargehand.model.Embeddings;
import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.reply.Reply;
import java.util.List;

/** An embedding model and the provider behind it, on this machine. */
final class LoopbackEmbeddings implements AutoCloseable {

    final LoopbackProvider provider = LoopbackProvider.start();
    final OpenAiEmbeddings model = OpenAiEmbeddings.builder()
            .name("test/embeddings")
            .baseUrl(provider.baseUrl())
            .model("e")
            .apiKey(Loopback.KEY)
            .build();

    /** Asks with a limit that nothing reaches when all is well. */
    static EmbeddingRequest request(String... texts) {
        return new EmbeddingRequest(List.of(texts), Kind.PASSAGE, Loopback.PATIENCE);
    }

    Embeddings embed(String... texts) throws InterruptedException {
        return model.embed(request(texts));
    }

    /** Embeds two texts, and returns what must go wrong with it. */
    ModelException fail(Reply reply) {
        provider.enqueueEmbeddings(reply);
        return fail(request("my diary", "two"));
    }

    ModelException fail(EmbeddingRequest request) {
        ModelException e = catchThrowableOfType(ModelException.class, () -> model.embed(request));
        assertThat(e).as("the call must fail").isNotNull();
        assertThat(e).hasMessageStartingWith("Model 'test/embeddings': ");
        return e;
    }

    @Override
    public void close() {
        model.close();
        provider.close();
    }
}
