package dev.chargehand.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.ModelException;
import dev.chargehand.error.ModelException.Kind;
import dev.chargehand.model.EmbeddingRequest;
import dev.chargehand.model.Embeddings;
import dev.chargehand.run.Usage;
import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.exception.AuthenticationException;
import dev.langchain4j.exception.HttpException;
import dev.langchain4j.exception.InternalServerException;
import dev.langchain4j.exception.InvalidRequestException;
import dev.langchain4j.exception.ModelNotFoundException;
import dev.langchain4j.exception.RateLimitException;
import dev.langchain4j.exception.RetriableException;
import dev.langchain4j.exception.TimeoutException;
import dev.langchain4j.exception.UnresolvedModelServerException;
import dev.langchain4j.exception.UnsupportedFeatureException;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.embedding.request.EmbeddingInputType;
import dev.langchain4j.model.embedding.request.EmbeddingParameter;
import dev.langchain4j.model.embedding.request.EmbeddingRequestParameters;
import dev.langchain4j.model.embedding.response.EmbeddingResponse;
import dev.langchain4j.model.output.Response;
import dev.langchain4j.model.output.TokenUsage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class LangChain4jEmbeddingsTest {

    private static final String SECRET = "sk-secret-4711";

    /** A model in this process, as the library's own are: it implements the oldest method only. */
    private record InProcess(Function<List<TextSegment>, Response<List<Embedding>>> answer) implements EmbeddingModel {

        @Override
        public Response<List<Embedding>> embedAll(List<TextSegment> segments) {
            return answer.apply(segments);
        }

        @Override
        public int dimension() {
            throw new AssertionError("the library would embed a text to find out");
        }
    }

    private static EmbeddingRequest request(String... texts) {
        return new EmbeddingRequest(List.of(texts), EmbeddingRequest.Kind.QUERY, Duration.ofSeconds(2));
    }

    private static LangChain4jEmbeddings answering(Response<List<Embedding>> response) {
        return LangChain4jEmbeddings.of(new InProcess(segments -> response), "lib/e");
    }

    private static Embedding vector(float... numbers) {
        return Embedding.from(numbers);
    }

    private static LangChain4jEmbeddings failing(RuntimeException failure) {
        return LangChain4jEmbeddings.of(
                new InProcess(segments -> {
                    throw failure;
                }),
                "lib/e");
    }

    @Test
    void textsAreEmbeddedInTheirOrder() throws InterruptedException {
        LangChain4jEmbeddings model = LangChain4jEmbeddings.of(
                new InProcess(segments -> Response.from(
                        segments.stream()
                                .map(segment -> vector(segment.text().length(), 1))
                                .toList(),
                        new TokenUsage(7))),
                "lib/e");
        assertThat(model.name()).isEqualTo("lib/e");
        assertThat(model.dimensions()).isEmpty();
        assertThat(model.symmetric()).isTrue();
        Embeddings embeddings = model.embed(request("a", "bcd", "ef"));
        assertThat(embeddings.vectors()).containsExactly(new float[] {1, 1}, new float[] {3, 1}, new float[] {2, 1});
        assertThat(embeddings.usage()).isEqualTo(Usage.of(7, 0));
        assertThat(model.dimensions()).hasValue(2);
    }

    @Test
    void aModelThatCountsNoTokensUsesNone() throws InterruptedException {
        assertThat(answering(Response.from(List.of(vector(1))))
                        .embed(request("a"))
                        .usage())
                .isEqualTo(Usage.NONE);
        assertThat(answering(Response.from(List.of(vector(1)), new TokenUsage()))
                        .embed(request("a"))
                        .usage())
                .isEqualTo(Usage.NONE);
    }

    @Test
    void aModelWithInputTypesReceivesThePurposeOfAText() throws InterruptedException {
        List<EmbeddingInputType> types = new ArrayList<>();
        LangChain4jEmbeddings model = LangChain4jEmbeddings.of(
                new EmbeddingModel() {
                    @Override
                    public Set<EmbeddingParameter<?>> supportedParameters() {
                        return Set.of(EmbeddingRequestParameters.INPUT_TYPE);
                    }

                    @Override
                    public EmbeddingResponse doEmbed(dev.langchain4j.model.embedding.request.EmbeddingRequest request) {
                        types.add(request.inputType());
                        return EmbeddingResponse.builder()
                                .embeddings(List.of(vector(1)))
                                .build();
                    }
                },
                "lib/e");
        assertThat(model.symmetric()).isFalse();
        for (EmbeddingRequest.Kind kind : EmbeddingRequest.Kind.values()) {
            model.embed(new EmbeddingRequest(List.of("a"), kind, Duration.ofSeconds(2)));
        }
        assertThat(types).containsExactly(EmbeddingInputType.QUERY, EmbeddingInputType.DOCUMENT);
    }

    static Stream<Arguments> wrongAnswers() {
        return Stream.of(
                Arguments.of(Response.from(List.of(vector(1))), "1 vectors for 2 texts"),
                Arguments.of(Response.from(List.of(vector(1), vector(1), vector(1))), "3 vectors for 2 texts"),
                Arguments.of(Response.from(List.of(vector(1, 2), vector(1))), "dimensions, 2 and 1"),
                Arguments.of(Response.from(List.of(vector(), vector())), "has no numbers"),
                Arguments.of(Response.from(List.of(vector(1, Float.NaN), vector(1, 2))), "not a finite number"),
                Arguments.of(Response.from(List.of(vector(1), vector(Float.POSITIVE_INFINITY))), "not a finite number"),
                Arguments.of(Response.from(Arrays.asList(vector(1), null)), "lacks a vector"));
    }

    @ParameterizedTest
    @MethodSource("wrongAnswers")
    void anAnswerThatIsNoneBreaksTheProtocol(Response<List<Embedding>> response, String message) {
        ModelException e = catchThrowableOfType(
                ModelException.class, () -> answering(response).embed(request("a", "b")));
        assertThat(e.kind()).isEqualTo(Kind.PROTOCOL);
        assertThat(e).hasMessageStartingWith("Model 'lib/e': ").hasMessageContaining(message);
    }

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(new AuthenticationException(SECRET), Kind.AUTHENTICATION, false),
                Arguments.of(new RateLimitException(SECRET), Kind.RATE_LIMIT, true),
                Arguments.of(new ModelNotFoundException(SECRET), Kind.INVALID_REQUEST, false),
                Arguments.of(new InternalServerException(SECRET), Kind.OVERLOADED, true),
                Arguments.of(new TimeoutException(SECRET), Kind.TIMEOUT, true),
                Arguments.of(new InvalidRequestException(SECRET), Kind.INVALID_REQUEST, false),
                Arguments.of(
                        new InvalidRequestException(SECRET, new HttpException(413, SECRET)), Kind.TOO_LARGE, false),
                Arguments.of(new UnsupportedFeatureException(SECRET), Kind.INVALID_REQUEST, false),
                Arguments.of(new IllegalArgumentException(SECRET), Kind.INVALID_REQUEST, false),
                Arguments.of(new UnresolvedModelServerException(SECRET), Kind.CONNECTION, true),
                Arguments.of(new UncheckedIOException(new IOException(SECRET)), Kind.CONNECTION, true),
                Arguments.of(new RuntimeException(SECRET, new HttpException(503, SECRET)), Kind.OVERLOADED, true),
                Arguments.of(new RetriableException(SECRET), Kind.OVERLOADED, true),
                Arguments.of(new IllegalStateException(SECRET), Kind.OVERLOADED, false));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void aFailureHasItsKindAndNoWordsOfTheLibrary(RuntimeException failure, Kind kind, boolean retryable) {
        ModelException e = catchThrowableOfType(
                ModelException.class, () -> failing(failure).embed(request("a")));
        assertThat(e.kind()).isEqualTo(kind);
        assertThat(e.retryable()).isEqualTo(retryable);
        assertThat(e).hasMessageStartingWith("Model 'lib/e': ");
        StringWriter all = new StringWriter();
        e.printStackTrace(new PrintWriter(all));
        assertThat(all.toString()).doesNotContain(SECRET);
    }

    @Test
    void aTextOfWhiteSpaceOnlyIsRejected() {
        ModelException e = catchThrowableOfType(ModelException.class, () -> answering(Response.from(List.of(vector(1))))
                .embed(request(" ")));
        assertThat(e.kind()).isEqualTo(Kind.INVALID_REQUEST);
    }

    @Test
    void causesThatAreACircleEnd() {
        RuntimeException one = new RuntimeException("one");
        one.initCause(new RuntimeException("two", one));
        assertThatThrownBy(() -> failing(one).embed(request("a"))).isInstanceOf(ModelException.class);
    }

    @Test
    void anInterruptThatTheLibraryWrapsIsOne() {
        assertThatThrownBy(() -> failing(new RuntimeException(new InterruptedException()))
                        .embed(request("a")))
                .isInstanceOf(InterruptedException.class);
        assertThatThrownBy(() -> failing(new UncheckedIOException(new ClosedByInterruptException()))
                        .embed(request("a")))
                .isInstanceOf(InterruptedException.class);
    }

    @Test
    void anInterruptEndsACallThatWaits() throws Exception {
        CountDownLatch called = new CountDownLatch(1);
        LangChain4jEmbeddings model = LangChain4jEmbeddings.of(
                new InProcess(segments -> {
                    called.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        throw new IllegalStateException("interrupted", e);
                    }
                    return Response.from(List.of(vector(1)));
                }),
                "lib/e");
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        Thread thread = Thread.ofVirtual().start(() -> {
            try {
                model.embed(request("a"));
                failure.complete(new AssertionError("the call was answered"));
            } catch (Throwable e) {
                failure.complete(e);
            }
        });
        called.await();
        thread.interrupt();
        assertThat(failure.get(30, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
    }

    @Test
    void aThreadThatIsInterruptedAlreadyCallsNothing() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> failing(new IllegalStateException("called")).embed(request("a")))
                .isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void aModelNeedsAName() {
        assertThatThrownBy(() -> LangChain4jEmbeddings.of(new InProcess(segments -> null), " "))
                .isInstanceOf(ConfigurationException.class);
    }
}
