package dev.chargehand.cli;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.jose4j.jwk.EcJwkGenerator;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.keys.EllipticCurves;
import org.jose4j.lang.JoseException;

/** An OpenID provider on a socket of this machine, which signs tokens for the audience {@code agents}. */
final class TokenProvider implements AutoCloseable {

    private final PublicJsonWebKey key;
    private final HttpServer server;

    TokenProvider() throws IOException, JoseException {
        key = EcJwkGenerator.generateJwk(EllipticCurves.P256);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        answer(
                "/.well-known/openid-configuration",
                "{\"issuer\":\"" + issuer() + "\",\"jwks_uri\":\"" + issuer() + "/keys\"}");
        answer("/keys", new JsonWebKeySet(key).toJson());
        server.start();
    }

    private void answer(String path, String text) {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        server.createContext(path, exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        });
    }

    String issuer() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    /** Return a token of a user whose tenant, resource and scopes are in claims of their own. */
    String token(String tenant, String email, String scopes) throws JoseException {
        JwtClaims claims = new JwtClaims();
        claims.setIssuer(issuer());
        claims.setAudience("agents");
        claims.setSubject("user-1");
        claims.setExpirationTimeMinutesInTheFuture(5);
        claims.setStringClaim("org", tenant);
        claims.setStringClaim("email", email);
        claims.setStringListClaim("permissions", scopes.split(" ", -1));
        JsonWebSignature signature = new JsonWebSignature();
        signature.setPayload(claims.toJson());
        signature.setKey(key.getPrivateKey());
        signature.setAlgorithmHeaderValue(AlgorithmIdentifiers.ECDSA_USING_P256_CURVE_AND_SHA256);
        return signature.getCompactSerialization();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
