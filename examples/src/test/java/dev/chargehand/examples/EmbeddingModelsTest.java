package dev.chargehand.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.langchain4j.LangChain4jEmbeddings;
import dev.chargehand.model.EmbeddingModel;
import dev.chargehand.model.EmbeddingRequest;
import dev.chargehand.model.HashedWords;
import dev.chargehand.models.OpenAiEmbeddings;
import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.output.Response;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Embedding models without a provider's name; see docs/providers.md. */
class EmbeddingModelsTest {

    /** Stands for a model of the library that runs in this process. */
    private static final class LengthsOfTexts implements dev.langchain4j.model.embedding.EmbeddingModel {

        @Override
        public Response<List<Embedding>> embedAll(List<TextSegment> segments) {
            return Response.from(segments.stream()
                    .map(segment -> Embedding.from(new float[] {segment.text().length(), 1}))
                    .toList());
        }
    }

    @Test
    void theyAreMadeWithoutAConnection() throws InterruptedException {
        dev.langchain4j.model.embedding.EmbeddingModel library = new LengthsOfTexts();
        OpenAiEmbeddings local = OpenAiEmbeddings.builder()
                .baseUrl("http://localhost:8080/v1")
                .model("bge-small")
                .build();
        EmbeddingModel adapted = LangChain4jEmbeddings.of(library, "lib/all-minilm-l6-v2");
        EmbeddingModel words = new HashedWords();
        local.close();

        EmbeddingRequest request =
                new EmbeddingRequest(List.of("soup"), EmbeddingRequest.Kind.QUERY, Duration.ofSeconds(2));

        assertThat(local.name()).isEqualTo("custom/bge-small");
        assertThat(adapted.embed(request).vectors()).containsExactly(new float[] {4, 1});
        assertThat(words.embed(request).vectors()).hasSize(1);
    }
}
