package dev.chargehand.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.ModelException;
import dev.chargehand.model.EmbeddingRequest;
import dev.chargehand.model.HashedWords;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ScriptedEmbeddingsTest {

    private static final EmbeddingRequest REQUEST =
            new EmbeddingRequest(List.of("soup"), EmbeddingRequest.Kind.QUERY, Duration.ofSeconds(2));

    @Test
    void eachCallTakesOneStepAndAfterTheLastItWorks() throws InterruptedException {
        ModelException busy = new ModelException(ModelException.Kind.OVERLOADED, "busy", null);
        ScriptedEmbeddings model =
                new ScriptedEmbeddings().thenAnswer().thenFail(busy).thenReturn(new float[] {1, 0}, new float[] {0, 1});
        assertThat(model.name()).isEqualTo("scripted/embeddings");
        assertThat(model.dimensions()).isEmpty();
        assertThat(model.embed(REQUEST).vectors()).containsExactly(HashedWords.vector("soup"));
        assertThatThrownBy(() -> model.embed(REQUEST)).isSameAs(busy);
        assertThat(model.embed(REQUEST).vectors()).containsExactly(new float[] {1, 0}, new float[] {0, 1});
        assertThat(model.embed(REQUEST).vectors()).containsExactly(HashedWords.vector("soup"));
        assertThat(model.requests()).containsExactly(REQUEST, REQUEST, REQUEST, REQUEST);
    }

    @Test
    void aCallThatWaitsEndsWithTheLatchOrAnInterrupt() throws InterruptedException {
        CountDownLatch open = new CountDownLatch(0);
        ScriptedEmbeddings model =
                new ScriptedEmbeddings("other/name").thenWait(open).thenWait(new CountDownLatch(1));
        assertThat(model.name()).isEqualTo("other/name");
        assertThat(model.embed(REQUEST).vectors()).containsExactly(HashedWords.vector("soup"));
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> model.embed(REQUEST)).isInstanceOf(InterruptedException.class);
    }
}
