package dev.chargehand.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jose4j.jwk.EcJwkGenerator;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.OctetKeyPairJsonWebKey;
import org.jose4j.jwk.OkpJwkGenerator;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jwk.RsaJwkGenerator;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.keys.EllipticCurves;
import org.jose4j.lang.JoseException;

/** An OpenID provider on a socket of this machine, which signs tokens. */
final class IdentityProvider implements AutoCloseable {

    static final String AUDIENCE = "chargehand";

    /** The keys with which tokens may be signed. */
    enum Algorithm {
        RS256,
        ES256,
        EDDSA
    }

    final AtomicInteger reads = new AtomicInteger();
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<PublicJsonWebKey> published = new CopyOnWriteArrayList<>();

    /** What is sent in place of the keys, or an empty text. */
    volatile String keysText = "";

    /** What is sent in place of the description, or an empty text. */
    volatile String descriptionText = "";

    volatile Consumer<HttpExchange> before = exchange -> {};

    IdentityProvider() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        server.setExecutor(threads);
        server.createContext(
                "/realm/.well-known/openid-configuration",
                exchange -> answer(
                        exchange,
                        descriptionText.isEmpty()
                                ? "{\"issuer\":\"" + issuer() + "\",\"jwks_uri\":\"" + issuer() + "/keys\"}"
                                : descriptionText));
        server.createContext("/realm/keys", exchange -> {
            reads.incrementAndGet();
            answer(exchange, keysText.isEmpty() ? new JsonWebKeySet(published).toJson() : keysText);
        });
        server.start();
    }

    private void answer(HttpExchange exchange, String text) throws IOException {
        try (exchange) {
            before.accept(exchange);
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    URI issuer() {
        return URI.create("http://localhost:" + server.getAddress().getPort() + "/realm");
    }

    /** Make a key that is not published yet. */
    static PublicJsonWebKey key(Algorithm algorithm, String id) {
        try {
            PublicJsonWebKey key =
                    switch (algorithm) {
                        case RS256 -> RsaJwkGenerator.generateJwk(2048);
                        case ES256 -> EcJwkGenerator.generateJwk(EllipticCurves.P256);
                        case EDDSA -> OkpJwkGenerator.generateJwk(OctetKeyPairJsonWebKey.SUBTYPE_ED25519);
                    };
            key.setKeyId(id);
            return key;
        } catch (JoseException e) {
            throw new AssertionError(e);
        }
    }

    /** Make a key and publish it. */
    PublicJsonWebKey published(Algorithm algorithm, String id) {
        PublicJsonWebKey key = key(algorithm, id);
        published.add(key);
        return key;
    }

    void publish(PublicJsonWebKey key) {
        published.add(key);
    }

    /** Return the claims of a valid token of a user who may read and write runs. */
    JwtClaims claims(String user) {
        JwtClaims claims = new JwtClaims();
        claims.setIssuer(issuer().toString());
        claims.setAudience(AUDIENCE);
        claims.setSubject(user);
        claims.setExpirationTimeMinutesInTheFuture(5);
        claims.setStringClaim("scope", "openid runs:read runs:write");
        return claims;
    }

    /** Return a valid token of a user. */
    String token(PublicJsonWebKey key, String user) {
        return signed(key, claims(user), changed -> {});
    }

    static String signed(PublicJsonWebKey key, JwtClaims claims, Consumer<JsonWebSignature> changes) {
        JsonWebSignature signature = new JsonWebSignature();
        signature.setPayload(claims.toJson());
        signature.setKey(key.getPrivateKey());
        signature.setKeyIdHeaderValue(key.getKeyId());
        signature.setAlgorithmHeaderValue(
                switch (key.getKeyType()) {
                    case "RSA" -> AlgorithmIdentifiers.RSA_USING_SHA256;
                    case "EC" -> AlgorithmIdentifiers.ECDSA_USING_P256_CURVE_AND_SHA256;
                    default -> AlgorithmIdentifiers.EDDSA;
                });
        changes.accept(signature);
        try {
            return signature.getCompactSerialization();
        } catch (JoseException e) {
            throw new AssertionError(e);
        }
    }

    /** Answer no request any more. */
    void stop() {
        server.stop(0);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
