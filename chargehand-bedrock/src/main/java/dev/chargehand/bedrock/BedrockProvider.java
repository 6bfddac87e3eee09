package dev.chargehand.bedrock;

import dev.chargehand.bedrock.internal.Access;
import dev.chargehand.bedrock.internal.BedrockModel;
import dev.chargehand.bedrock.internal.Place;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelProvider;
import dev.chargehand.provider.connection.BaseUrl;
import dev.chargehand.provider.connection.Connections;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;

/**
 * A provider of models on Amazon Bedrock: {@code bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0}, with the id of a
 * model, of an inference profile, or an ARN.
 *
 * <p>Calls are made with a Bedrock API key, by default the environment's {@code AWS_BEARER_TOKEN_BEDROCK}, or signed
 * with AWS credentials, by default from where AWS' tools take them: environment, profile, container, machine. The
 * region is that of
 * {@code AWS_REGION} or of the profile. Both are looked up at the first call, credentials again when they expire.
 *
 * <p>Answers are streamed, each call is one attempt, redirects are rejected, answers are capped (an event 4 MB, content
 * 64 M characters), an answer without a stop reason is returned with {@code MISSING}, and exceptions never carry a body
 * or a key: as {@code dev.chargehand.models.OpenAiModel} does it.
 *
 * <p>Thread-safe. All its models share one pool of connections, opened at the first call and closed with the provider.
 */
public final class BedrockProvider implements ModelProvider {

    private static final String NAME = "bedrock";

    /** What an id or an ARN has; everything else of it is escaped in the address. */
    private static final Pattern MODEL = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/-]*");

    private final Access access;
    private final Place place;
    private final Connections connections = new Connections();

    /** Make a provider that takes everything from the environment; for {@link java.util.ServiceLoader}. */
    public BedrockProvider() {
        this(new Builder());
    }

    private BedrockProvider(Builder builder) {
        this.place = new Place(builder.region, builder.baseUrl, builder.environment);
        this.access = new Access(builder.key, builder.credentials, builder.environment, place::region);
    }

    /** Create a builder of a provider with a key, credentials, a region or an address of the application's own. */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public Set<String> names() {
        return Set.of(NAME);
    }

    @Override
    public boolean isNative() {
        return true;
    }

    /**
     * {@inheritDoc}
     *
     * @throws ConfigurationException if the model's name has characters that no model's name has
     */
    @Override
    public Optional<Model> find(String name) {
        String prefix = NAME + "/";
        if (!name.startsWith(prefix) || name.length() == prefix.length()) {
            return Optional.empty();
        }
        String model = name.substring(prefix.length());
        if (!MODEL.matcher(model).matches() || model.contains("..")) {
            throw new ConfigurationException(
                    "Model '" + name + "': the id or ARN of a model has letters, digits and . _ : / - only.");
        }
        return Optional.of(new BedrockModel(name, model, place, access, connections));
    }

    /** Close all connections, also those of calls in flight; models that it made fail from then on. */
    @Override
    public void close() {
        connections.close();
        access.close();
    }

    /** Sets a key, credentials, a region or an address. Not thread-safe. */
    public static final class Builder {

        private @Nullable Supplier<String> key;
        private @Nullable AwsCredentialsProvider credentials;
        private @Nullable String region;
        private @Nullable String baseUrl;
        private Function<String, @Nullable String> environment = System::getenv;

        private Builder() {}

        /** Set a Bedrock API key; it goes before all credentials. */
        public Builder key(String value) {
            return key(() -> value);
        }

        /** Set what gives the Bedrock API key, asked at every call. */
        public Builder key(Supplier<String> value) {
            key = value;
            return this;
        }

        /** Set whose credentials sign calls; asked at every call, and then no API key is looked for. */
        public Builder credentials(AwsCredentialsProvider value) {
            credentials = value;
            return this;
        }

        /** Set the region, such as {@code eu-central-1}. */
        public Builder region(String value) {
            region = value;
            return this;
        }

        /**
         * Set the base URL of the API; by default that of the region.
         *
         * @throws ConfigurationException if it is not an http or https URL, or has parts that it must not have
         */
        public Builder baseUrl(String value) {
            baseUrl = BaseUrl.of(NAME, value).toString();
            return this;
        }

        /** Set what environment variables are read from; the process's own by default. */
        public Builder environment(Function<String, @Nullable String> value) {
            environment = value;
            return this;
        }

        /** Make the provider; opens no connection and looks nothing up. */
        public BedrockProvider build() {
            return new BedrockProvider(this);
        }
    }
}
