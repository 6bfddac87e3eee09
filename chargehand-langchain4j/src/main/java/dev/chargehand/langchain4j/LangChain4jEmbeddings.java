package dev.chargehand.langchain4j;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.ModelException;
import dev.chargehand.langchain4j.internal.LibraryFailure;
import dev.chargehand.model.EmbeddingModel;
import dev.chargehand.model.EmbeddingRequest;
import dev.chargehand.model.Embeddings;
import dev.chargehand.provider.fault.ProviderFaults;
import dev.chargehand.provider.fault.ReturnedVectors;
import dev.chargehand.run.Usage;
import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.model.embedding.request.EmbeddingInputType;
import dev.langchain4j.model.embedding.request.EmbeddingRequestParameters;
import dev.langchain4j.model.embedding.response.EmbeddingResponse;
import dev.langchain4j.model.output.TokenUsage;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * An embedding model of LangChain4j, for example one that runs in this process. The application adds the model and its
 * weights; Chargehand has none and downloads none.
 *
 * <pre>{@code
 * EmbeddingModel embeddings = LangChain4jEmbeddings.of(new BgeSmallEnV15QuantizedEmbeddingModel(), "onnx/bge-small-en-v1.5");
 * }</pre>
 *
 * <p>One call of this model is one call of the library's model, on the calling thread; how many HTTP requests and retries
 * that makes is up to it, so configure it without retries. The library has no limit for a call: that of the request is not
 * passed on, and an interrupt ends what the model lets be interrupted. Failures are {@link ModelException}s of the kind
 * that the library's exception has; what it says is left out, since it may quote a text or a key. The library rejects a
 * request with a text of white space only.
 *
 * <p>As thread-safe as the library's model.
 */
public final class LangChain4jEmbeddings implements EmbeddingModel {

    private final dev.langchain4j.model.embedding.EmbeddingModel model;
    private final ProviderFaults faults;
    private final boolean symmetric;

    /** As many dimensions as the last answer had; 0 before it. The library would call the model to find out. */
    private volatile int dimensions;

    private LangChain4jEmbeddings(dev.langchain4j.model.embedding.EmbeddingModel model, String name) {
        this.model = model;
        this.faults = new ProviderFaults(name, "the key given to the LangChain4j model");
        this.symmetric = !model.supportedParameters().contains(EmbeddingRequestParameters.INPUT_TYPE);
    }

    /**
     * Adapt a model.
     *
     * @param name the name that its vectors are stored under, such as {@code onnx/bge-small-en-v1.5}; another model, or
     *     other settings that change its vectors, need another name
     * @throws ConfigurationException if the name is blank
     */
    public static LangChain4jEmbeddings of(dev.langchain4j.model.embedding.EmbeddingModel model, String name) {
        if (name.isBlank()) {
            throw new ConfigurationException(
                    "An embedding model needs a name, since its vectors are stored under it; pass one such as onnx/bge-small.");
        }
        return new LangChain4jEmbeddings(model, name);
    }

    @Override
    public String name() {
        return faults.model();
    }

    /** Return the number of the last answer; empty before the first. */
    @Override
    public OptionalInt dimensions() {
        int known = dimensions;
        return known == 0 ? OptionalInt.empty() : OptionalInt.of(known);
    }

    /** Return whether the library's model has no input type. */
    @Override
    public boolean symmetric() {
        return symmetric;
    }

    @Override
    public Embeddings embed(EmbeddingRequest request) throws InterruptedException {
        EmbeddingResponse response = answer(request);
        List<float[]> vectors = vectors(response);
        ReturnedVectors.checked(vectors, request.texts().size(), faults);
        dimensions = vectors.getFirst().length;
        return new Embeddings(vectors, usage(response.tokenUsage()));
    }

    private EmbeddingResponse answer(EmbeddingRequest request) throws InterruptedException {
        LibraryFailure.stopIfInterrupted();
        try {
            EmbeddingResponse response = model.embed(libraryRequest(request));
            if (response != null) {
                return response;
            }
        } catch (RuntimeException e) {
            throw LibraryFailure.of(e, faults);
        }
        throw faults.protocol("the LangChain4j model returned nothing");
    }

    private dev.langchain4j.model.embedding.request.EmbeddingRequest libraryRequest(EmbeddingRequest request) {
        var library = dev.langchain4j.model.embedding.request.EmbeddingRequest.builder()
                .inputs(request.texts().toArray(String[]::new));
        if (!symmetric) {
            library.inputType(
                    request.kind() == EmbeddingRequest.Kind.QUERY
                            ? EmbeddingInputType.QUERY
                            : EmbeddingInputType.DOCUMENT);
        }
        return library.build();
    }

    private List<float[]> vectors(EmbeddingResponse response) {
        List<Embedding> embeddings = response.embeddings();
        if (embeddings == null || embeddings.stream().anyMatch(each -> each == null || each.vector() == null)) {
            throw faults.protocol("the answer of the LangChain4j model lacks a vector");
        }
        return embeddings.stream().map(Embedding::vector).toList();
    }

    private static Usage usage(@Nullable TokenUsage tokens) {
        return tokens == null
                ? Usage.NONE
                : Usage.of(count(tokens.inputTokenCount()), count(tokens.outputTokenCount()));
    }

    private static long count(@Nullable Integer tokens) {
        return tokens == null ? 0 : tokens;
    }
}
