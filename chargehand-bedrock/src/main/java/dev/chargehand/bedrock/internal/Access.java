package dev.chargehand.bedrock.internal;

import dev.chargehand.provider.fault.ProviderFaults;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;

/** As whom Bedrock is called: with an API key, or with AWS credentials that sign each call. Thread-safe. */
public final class Access implements AutoCloseable {

    private static final String KEY_VARIABLE = "AWS_BEARER_TOKEN_BEDROCK";

    /** The settings to check when calls are rejected. */
    static final String HINT = KEY_VARIABLE + ", or the AWS credentials and their rights";

    private final @Nullable Supplier<String> givenKey;
    private final @Nullable AwsCredentialsProvider givenCredentials;
    private final Function<String, @Nullable String> environment;
    private final Function<ProviderFaults, String> region;
    private final Object lock = new Object();
    private @Nullable DefaultCredentialsProvider ofTheMachine;
    private volatile Set<String> secrets = Set.of();

    /**
     * Make it; looks nothing up.
     *
     * @param key gives the API key; null for that of the environment
     * @param credentials sign calls if no key is given; null for those of the machine, if there is no key in the
     *     environment
     * @param region gives the region that signatures are for
     */
    public Access(
            @Nullable Supplier<String> key,
            @Nullable AwsCredentialsProvider credentials,
            Function<String, @Nullable String> environment,
            Function<ProviderFaults, String> region) {
        this.givenKey = key;
        this.givenCredentials = credentials;
        this.environment = environment;
        this.region = region;
    }

    /** Return what must not show: the key of this moment, or what the last call was signed with. */
    Set<String> secrets() {
        Set<String> all = new LinkedHashSet<>(secrets);
        key().ifPresent(all::add);
        return all;
    }

    /**
     * Return the headers that let a request in.
     *
     * @throws dev.chargehand.error.ModelException if there is nothing to ask with, or it cannot be sent
     */
    Map<String, String> headers(URI uri, byte[] body, ProviderFaults faults) {
        Optional<String> key = key();
        return key.isPresent()
                ? Map.of("Authorization", "Bearer " + faults.usable(key.get(), true))
                : signed(uri, body, credentials(faults), region.apply(faults));
    }

    private Optional<String> key() {
        if (givenKey != null) {
            return Optional.of(givenKey.get().strip());
        }
        return givenCredentials != null
                ? Optional.empty()
                : Optional.ofNullable(environment.apply(KEY_VARIABLE))
                        .map(String::strip)
                        .filter(key -> !key.isEmpty());
    }

    private AwsCredentialsIdentity credentials(ProviderFaults faults) {
        try {
            AwsCredentialsIdentity found = provider().resolveCredentials();
            Set<String> all = new LinkedHashSet<>(List.of(found.secretAccessKey()));
            if (found instanceof AwsSessionCredentialsIdentity session) {
                all.add(session.sessionToken());
            }
            secrets = all;
            return found;
        } catch (SdkException e) {
            // Its message lists every place it looked at, and what went wrong there.
            throw faults.authentication("there are no AWS credentials that could be read; set " + HINT);
        }
    }

    private AwsCredentialsProvider provider() {
        if (givenCredentials != null) {
            return givenCredentials;
        }
        synchronized (lock) {
            DefaultCredentialsProvider found = ofTheMachine;
            if (found == null) {
                found = DefaultCredentialsProvider.builder().build();
                ofTheMachine = found;
            }
            return found;
        }
    }

    /** Let go of what it opened itself; credentials that it was given stay the caller's. */
    @Override
    public void close() {
        synchronized (lock) {
            if (ofTheMachine != null) {
                ofTheMachine.close();
                ofTheMachine = null;
            }
        }
    }

    private Map<String, String> signed(URI uri, byte[] body, AwsCredentialsIdentity identity, String forRegion) {
        SdkHttpRequest request =
                SdkHttpRequest.builder().method(SdkHttpMethod.POST).uri(uri).build();
        Map<String, String> headers = new LinkedHashMap<>();
        AwsV4HttpSigner.create()
                .sign(sign -> sign.identity(identity)
                        .request(request)
                        .payload(ContentStreamProvider.fromByteArray(body))
                        .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "bedrock")
                        .putProperty(AwsV4HttpSigner.REGION_NAME, forRegion))
                .request()
                .headers()
                .forEach((name, values) -> {
                    if (!name.toLowerCase(Locale.ROOT).equals("host")) { // as the connection writes it
                        headers.put(name, values.getFirst());
                    }
                });
        return headers;
    }
}
