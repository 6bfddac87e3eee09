package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import dev.chargehand.server.IdentityProvider.Algorithm;
import dev.chargehand.store.InMemoryStore;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jwt.JwtClaims;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** People who sign in at an OpenID provider, beside services with keys. */
@Timeout(60)
class OidcOverHttpTest extends ServerFixture {

    @TempDir
    private Path folder;

    private final IdentityProvider provider = new IdentityProvider();
    private final PublicJsonWebKey key = provider.published(Algorithm.RS256, "first");

    @AfterEach
    void stop() {
        provider.close();
    }

    @ParameterizedTest
    @EnumSource
    void peopleSeeTheRunsOfTheirResourceInTheirTenant(HttpBinding binding) {
        ApiKeys keys = ApiKeys.of(folder.resolve("keys.json"));
        String service = keys.add(new ApiKey(
                "service",
                new Principal("service", "acme", Optional.empty(), EnumSet.allOf(Scope.class)),
                Optional.empty()));
        ChargehandServer server = serve(runtime(InMemoryStore.keepingEndedRuns()), builder -> builder.binding(binding)
                .addPrincipals(keys)
                .addPrincipals(OidcTokens.of(provider.issuer(), IdentityProvider.AUDIENCE)
                        .tenantClaim("org")));
        script.on("writer").says("Written.");
        String ann = token("acme", "ann", "runs:read runs:write");

        HttpResponse<String> started = send(authorized(server, "/api/v1/agents/writer/runs", ann)
                .header("Content-Type", "application/json")
                .header("Prefer", "wait=30")
                .POST(HttpRequest.BodyPublishers.ofString("{\"input\":\"Write\"}"))
                .build());

        assertThat(started.statusCode()).isEqualTo(200);
        String run = "/api/v1/runs/"
                + Json.parse(started.body()).at("/runId").flatMap(Json::string).orElseThrow();
        assertThat(status(server, run, ann)).isEqualTo(200);
        assertThat(status(server, run, service)).isEqualTo(200);
        assertThat(status(server, run, token("acme", "bob", "runs:read"))).isEqualTo(404);
        assertThat(status(server, run, token("other", "ann", "runs:read"))).isEqualTo(404);
        assertThat(status(server, run, token("acme", "ann", "openid"))).isEqualTo(403);
        assertThat(status(server, run, ann + "x")).isEqualTo(401);
        JwtClaims ended = provider.claims("ann");
        ended.setStringClaim("org", "acme");
        ended.setExpirationTimeMinutesInTheFuture(-5);
        assertThat(status(server, run, IdentityProvider.signed(key, ended, none -> {})))
                .isEqualTo(401);
    }

    private String token(String tenant, String user, String scopes) {
        JwtClaims claims = provider.claims(user);
        claims.setStringClaim("org", tenant);
        claims.setStringClaim("scope", scopes);
        return IdentityProvider.signed(key, claims, none -> {});
    }

    private int status(ChargehandServer server, String path, String token) {
        return send(authorized(server, path, token).build()).statusCode();
    }

    private HttpRequest.Builder authorized(ChargehandServer server, String path, String token) {
        return request(server, path).header("Authorization", "Bearer " + token);
    }
}
