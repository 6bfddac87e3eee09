package dev.chargehand.models;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.models.internal.EndpointKey;
import dev.chargehand.models.internal.FixedKey;
import dev.chargehand.models.internal.ModelEndpoint;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A builder of the address and the key of a model; part of the builders of models. Not thread-safe; every method returns
 * the builder.
 *
 * @param <B> the builder
 */
public abstract sealed class EndpointSettings<B extends EndpointSettings<B>>
        permits OpenAiModel.Builder, OpenAiEmbeddings.Builder {

    private final String path;
    private @Nullable String name;
    private String baseUrl = "";
    private String model = "";
    private @Nullable Supplier<String> key;
    private final Map<String, String> headers = new LinkedHashMap<>();

    EndpointSettings(String path) {
        this.path = path;
    }

    abstract B self();

    /** Set the name that users, usage and prices know the model by; {@code custom/} and the model by default. */
    public B name(String value) {
        name = value;
        return self();
    }

    /**
     * Set the URL that the path of the protocol is added to, {@code /chat/completions} or {@code /embeddings}; such as
     * {@code https://api.openai.com/v1}.
     */
    public B baseUrl(String value) {
        baseUrl = value;
        return self();
    }

    /** Set the name that the server knows the model by. */
    public B model(String value) {
        model = value;
        return self();
    }

    /** Set a key that never changes. */
    public B apiKey(String value) {
        return apiKey(new FixedKey(value));
    }

    /** Set what gives the key, asked at every call; without one, calls go out without a key. */
    public B apiKey(Supplier<String> value) {
        key = value;
        return self();
    }

    /**
     * Add a header to every request; printable ASCII. Its value is treated as a secret, as is the token of a value
     * such as {@code Bearer abc}; values of headers such as {@code User-Agent} or {@code X-Title} are not.
     */
    public B header(String header, String value) {
        headers.put(header, value);
        return self();
    }

    /**
     * Make the endpoint.
     *
     * @throws ConfigurationException if the base URL or the model is missing, or something cannot be sent
     */
    final ModelEndpoint endpoint() {
        if (model.isBlank() || baseUrl.isBlank()) {
            throw new ConfigurationException(
                    "A model needs a base URL and the name that the server knows it by; got base URL '" + baseUrl
                            + "' and model '" + model + "'.");
        }
        return ModelEndpoint.of(
                name == null ? "custom/" + model : name,
                model,
                baseUrl,
                path,
                EndpointKey.given(key, "the key given to the model's builder"),
                headers);
    }
}
