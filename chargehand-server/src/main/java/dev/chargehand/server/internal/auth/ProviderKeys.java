package dev.chargehand.server.internal.auth;

import dev.chargehand.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.Key;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwx.JsonWebStructure;
import org.jose4j.keys.resolvers.JwksVerificationKeyResolver;
import org.jose4j.keys.resolvers.VerificationKeyResolver;
import org.jose4j.lang.JoseException;
import org.jose4j.lang.UnresolvableKeyException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The public keys of an OpenID provider. They are read when a token needs them, and again when they are ten minutes old, or at most once a
 * minute when a token names a key that is not among them. While the provider does not answer, keys of the last hour are used. Thread-safe.
 */
public final class ProviderKeys implements VerificationKeyResolver {

    private static final Logger LOG = LoggerFactory.getLogger(ProviderKeys.class);

    private static final Duration FRESH = Duration.ofMinutes(10);
    private static final Duration USABLE = Duration.ofHours(1);
    private static final Duration BETWEEN_READS = Duration.ofMinutes(1);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(5);
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final int MOST_BYTES = 512 * 1024;
    private static final int LONGEST_ERROR = 300;

    private record Known(List<JsonWebKey> keys, long at) {}

    private final URI issuer;
    private final LongSupplier nanoTime;
    private final ReentrantLock reading = new ReentrantLock();
    private volatile Known known;
    private volatile long notBefore;

    /** Make it for an issuer, whose keys are not read yet; {@code nanoTime} is a clock such as {@link System#nanoTime}. */
    public ProviderKeys(URI issuer, LongSupplier nanoTime) {
        this.issuer = issuer;
        this.nanoTime = nanoTime;
        this.notBefore = nanoTime.getAsLong();
        this.known = new Known(List.of(), notBefore - USABLE.toNanos());
    }

    @Override
    public Key resolveKey(JsonWebSignature signature, List<JsonWebStructure> nesting) throws UnresolvableKeyException {
        List<JsonWebKey> keys = keys(FRESH);
        try {
            return new JwksVerificationKeyResolver(keys).resolveKey(signature, nesting);
        } catch (UnresolvableKeyException e) {
            List<JsonWebKey> newer = keys(BETWEEN_READS);
            if (newer == keys) {
                throw e;
            }
            return new JwksVerificationKeyResolver(newer).resolveKey(signature, nesting);
        }
    }

    /**
     * Read the keys now.
     *
     * @throws IOException if the provider does not answer, or not with its description and keys
     */
    public void read() throws IOException {
        reading.lock();
        try {
            known = new Known(fetched(), nanoTime.getAsLong());
            notBefore = nanoTime.getAsLong() + BETWEEN_READS.toNanos();
        } finally {
            reading.unlock();
        }
    }

    /** Return the keys, which are read again if they are older than this and a read is due. */
    private List<JsonWebKey> keys(Duration age) throws UnresolvableKeyException {
        Known seen = known;
        if (!isWithin(seen, age)) {
            if (isWithin(seen, USABLE) && !reading.tryLock()) {
                return seen.keys(); // another request reads them
            }
            if (!reading.isHeldByCurrentThread()) {
                reading.lock();
            }
            try {
                if (!isWithin(known, age) && nanoTime.getAsLong() - notBefore >= 0) {
                    readOrLog();
                }
            } finally {
                reading.unlock();
            }
            seen = known;
        }
        if (!isWithin(seen, USABLE)) {
            throw new UnresolvableKeyException("The keys of " + issuer + " could not be read.");
        }
        return seen.keys();
    }

    private void readOrLog() {
        try {
            read();
        } catch (IOException e) {
            notBefore = nanoTime.getAsLong() + AFTER_FAILURE.toNanos();
            LOG.warn(
                    "The keys of the OpenID provider {} could not be read, so new tokens may be rejected: {}",
                    issuer,
                    e.getMessage());
        }
    }

    private boolean isWithin(Known seen, Duration age) {
        return nanoTime.getAsLong() - seen.at() < age.toNanos();
    }

    /** Read the description and the keys on a thread of its own, so that a provider that answers slowly holds no request for long. */
    private List<JsonWebKey> fetched() throws IOException {
        FutureTask<List<JsonWebKey>> task = new FutureTask<>(this::fetch);
        Thread thread = Thread.ofVirtual().name("chargehand-oidc").start(task);
        try {
            return task.get(LIMIT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof ConnectException) {
                throw new IOException("There is no connection to it.", cause);
            }
            String message = cause instanceof IOException io ? io.getMessage() : null;
            throw new IOException(brief(message == null ? String.valueOf(cause) : message), cause);
        } catch (TimeoutException e) {
            throw new IOException("It did not answer within " + LIMIT.toSeconds() + " s.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("The request that needed them was interrupted.", e);
        } finally {
            thread.interrupt();
        }
    }

    /** Return the start of a text, which may have what the provider answered, on one line. */
    private static String brief(String text) {
        String start = text.length() > LONGEST_ERROR ? text.substring(0, LONGEST_ERROR) + "…" : text;
        return start.replaceAll("\\p{Cntrl}|[\\u2028\\u2029]", " ");
    }

    private List<JsonWebKey> fetch() throws IOException, InterruptedException, JoseException {
        String base = issuer.toString();
        String folder = base.endsWith("/") ? base : base + "/";
        try (HttpClient client = HttpClient.newHttpClient()) {
            Json description = Json.parse(text(client, URI.create(folder + ".well-known/openid-configuration")));
            String named = text(description, "issuer").orElse("");
            if (!named.equals(base)) {
                throw new IOException("Its description names another issuer: '" + named + "'.");
            }
            URI keys = URI.create(text(description, "jwks_uri")
                    .orElseThrow(() -> new IOException("Its description has no 'jwks_uri'.")));
            if (!isSafe(keys)) {
                throw new IOException("Its 'jwks_uri' is no https address: " + keys + ".");
            }
            List<JsonWebKey> published = new JsonWebKeySet(text(client, keys))
                    .getJsonWebKeys().stream()
                            .filter(PublicJsonWebKey.class::isInstance) // and no secret
                            .toList();
            if (published.isEmpty()) {
                throw new IOException(keys + " has no public key.");
            }
            return published;
        }
    }

    private static Optional<String> text(Json description, String key) {
        return description.at("/" + key).flatMap(Json::string);
    }

    private static String text(HttpClient client, URI uri) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri)
                .header("Accept", "application/json")
                .timeout(LIMIT)
                .build();
        HttpResponse<InputStream> answer = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream body = answer.body()) {
            if (answer.statusCode() != 200) {
                throw new IOException(uri + " answered with " + answer.statusCode() + ".");
            }
            byte[] bytes = body.readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw new IOException(uri + " answered with more than " + MOST_BYTES + " bytes.");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    /** Return whether an address is https, or plain HTTP of this machine, so that what is read there is not changed on its way. */
    public static boolean isSafe(URI uri) {
        boolean local = List.of("localhost", "127.0.0.1", "[::1]").contains(String.valueOf(uri.getHost()));
        return uri.getHost() != null && ("https".equals(uri.getScheme()) || (local && "http".equals(uri.getScheme())));
    }
}
