package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.server.IdentityProvider.Algorithm;
import dev.chargehand.server.internal.auth.ProviderKeys;
import dev.chargehand.store.Store;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jose4j.jwa.AlgorithmConstraints;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.OctJwkGenerator;
import org.jose4j.jwk.OctetSequenceJsonWebKey;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.NumericDate;
import org.jose4j.keys.HmacKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens of an OpenID provider that is reached over a real socket. */
@Timeout(60)
class OidcTokensTest {

    private final IdentityProvider provider = new IdentityProvider();
    private final PublicJsonWebKey key = provider.published(Algorithm.ES256, "first");
    private final AtomicLong nanos = new AtomicLong();
    private final OidcTokens tokens = OidcTokens.of(
            provider.issuer(), IdentityProvider.AUDIENCE, new ProviderKeys(provider.issuer(), nanos::get));

    @AfterEach
    void close() {
        provider.close();
    }

    @ParameterizedTest
    @EnumSource
    void aTokenOfTheProviderNamesItsCaller(Algorithm algorithm) {
        PublicJsonWebKey other = provider.published(algorithm, "other");

        assertThat(tokens.resolve(provider.token(other, "ann")).map(OidcTokensTest::withoutEnd))
                .contains(new Principal(
                        "ann", Store.LOCAL, Optional.of("ann"), Set.of(Scope.RUNS_READ, Scope.RUNS_WRITE)));
    }

    private static Principal withoutEnd(Principal caller) {
        return new Principal(caller.id(), caller.tenantId(), caller.resourceId(), caller.scopes());
    }

    @Test
    void tenantResourceAndScopesAreClaims() {
        OidcTokens mapped = tokens.tenantClaim("org").resourceClaim("email").scopesClaim("permissions");
        JwtClaims claims = provider.claims("ann");
        claims.setStringClaim("org", "acme");
        claims.setStringClaim("email", "ann@example.com");
        claims.setStringListClaim("permissions", "runs:read", "of another service");

        assertThat(mapped.resolve(signed(claims)).map(OidcTokensTest::withoutEnd))
                .contains(new Principal("ann", "acme", Optional.of("ann@example.com"), Set.of(Scope.RUNS_READ)));
        for (String missing : List.of("org", "email")) {
            JwtClaims fewer = provider.claims("ann");
            claims.getClaimsMap().forEach(fewer::setClaim);
            fewer.unsetClaim(missing);
            assertThat(mapped.resolve(signed(fewer))).as(missing).isEmpty();
            fewer.setClaim(missing, 7);
            assertThat(mapped.resolve(signed(fewer))).as(missing).isEmpty();
        }
        claims.setStringClaim("org", "x".repeat(2_000));
        assertThat(mapped.resolve(signed(claims))).isEmpty();
    }

    static Stream<Consumer<JwtClaims>> wrongClaims() {
        return Stream.of(
                claims -> claims.setIssuer("https://login.example.com"),
                claims -> claims.unsetClaim("iss"),
                claims -> claims.setAudience("another service"),
                claims -> claims.unsetClaim("aud"),
                claims -> claims.unsetClaim("exp"),
                claims -> claims.unsetClaim("sub"),
                claims -> claims.setSubject(""),
                claims -> claims.setClaim("sub", 7),
                claims -> claims.setClaim("exp", "soon"),
                claims -> claims.setExpirationTime(fromNow(-90)),
                claims -> claims.setNotBefore(fromNow(90)));
    }

    /** An approval is stored with the subject, and lines of a log name it. */
    @ParameterizedTest
    @ValueSource(strings = {"", " ", "ann\nWARN forged", "ann\u0000", "ann\u2028"})
    void aTokenWhoseNamesAreBlankOrUnprintableIsUnknown(String name) {
        OidcTokens mapped = tokens.tenantClaim("org").resourceClaim("email");
        for (String claim : List.of("sub", "org", "email")) {
            JwtClaims claims = provider.claims("ann");
            claims.setStringClaim("org", "acme");
            claims.setStringClaim("email", "Änn 😀 O'Neil");
            assertThat(mapped.resolve(signed(claims))).isPresent();

            claims.setStringClaim(claim, name);

            assertThat(mapped.resolve(signed(claims))).as(claim).isEmpty();
        }
        String half = IdentityProvider.signed(
                key,
                provider.claims("ann"),
                signature ->
                        signature.setPayload(signature.getUnverifiedPayload().replace("\"ann\"", "\"\\ud800\"")));
        assertThat(tokens.resolve(half)).as("half of a pair").isEmpty();
    }

    private static NumericDate fromNow(long seconds) {
        NumericDate date = NumericDate.now();
        date.addSeconds(seconds);
        return date;
    }

    @ParameterizedTest
    @MethodSource("wrongClaims")
    void aTokenWithOtherClaimsIsUnknown(Consumer<JwtClaims> change) {
        JwtClaims claims = provider.claims("ann");
        assertThat(tokens.resolve(signed(claims))).isPresent();

        change.accept(claims);

        assertThat(tokens.resolve(signed(claims))).isEmpty();
    }

    @Test
    void clocksMayDifferByAMinute() {
        JwtClaims ended = provider.claims("ann");
        ended.setExpirationTime(fromNow(-30));
        JwtClaims early = provider.claims("ann");
        early.setNotBefore(fromNow(30));

        assertThat(tokens.resolve(signed(ended))).isPresent();
        assertThat(tokens.resolve(signed(early))).isPresent();
    }

    @Test
    void aTokenThatAnotherHasSignedIsUnknown() {
        PublicJsonWebKey stranger = IdentityProvider.key(Algorithm.ES256, "first");
        String good = provider.token(key, "ann");
        String[] parts = good.split("\\.", -1);
        String claims = new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8);
        String other = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(claims.replace("\"ann\"", "\"bob\"").getBytes(StandardCharsets.UTF_8));

        assertThat(tokens.resolve(good)).isPresent();
        assertThat(tokens.resolve(provider.token(stranger, "ann"))).isEmpty();
        assertThat(tokens.resolve(parts[0] + "." + other + "." + parts[2])).isEmpty();
        assertThat(tokens.resolve(parts[0] + "." + parts[1] + ".")).isEmpty();
        assertThat(tokens.resolve("chk_key")).isEmpty();
        assertThat(tokens.resolve("a.b.c")).isEmpty();
        assertThat(tokens.resolve("..")).isEmpty();
    }

    @Test
    void aTokenWithoutASignatureOrWithAPublicKeyAsSecretIsUnknown() {
        String none = IdentityProvider.signed(key, provider.claims("ann"), signature -> {
            signature.setAlgorithmConstraints(AlgorithmConstraints.NO_CONSTRAINTS);
            signature.setAlgorithmHeaderValue("none");
            signature.setKey(null);
        });
        byte[] secret = key.getPublicKey().getEncoded();
        String shared = IdentityProvider.signed(key, provider.claims("ann"), signature -> {
            signature.setAlgorithmHeaderValue("HS256");
            signature.setKey(new HmacKey(secret));
        });

        assertThat(tokens.resolve(none)).isEmpty();
        assertThat(tokens.resolve(shared)).isEmpty();
    }

    /** Only the published keys count, whatever key a token brings or names. */
    @Test
    void aTokenThatBringsItsKeyIsUnknown() {
        PublicJsonWebKey stranger = IdentityProvider.key(Algorithm.ES256, "first");
        Consumer<JsonWebSignature> brings =
                signature -> signature.setHeader("jwk", stranger.toParams(JsonWebKey.OutputControlLevel.PUBLIC_ONLY));

        for (Consumer<JsonWebSignature> header : List.of(
                brings,
                signature -> signature.setHeader("jku", provider.issuer() + "/keys"),
                signature -> signature.setHeader("x5u", provider.issuer() + "/keys"),
                (JsonWebSignature signature) -> signature.setKeyIdHeaderValue("../../first"))) {
            assertThat(tokens.resolve(IdentityProvider.signed(stranger, provider.claims("ann"), header)))
                    .isEmpty();
        }
        assertThat(provider.reads).as("keys, once for the first of them").hasValue(1);
    }

    @Test
    void aSecretThatAProviderPublishesIsNoKey() {
        OctetSequenceJsonWebKey secret = OctJwkGenerator.generateJwk(256);
        secret.setKeyId("secret");
        provider.keysText = secrets(secret, key);
        String shared = IdentityProvider.signed(key, provider.claims("ann"), signature -> {
            signature.setAlgorithmHeaderValue("HS256");
            signature.setKeyIdHeaderValue("secret");
            signature.setKey(secret.getKey());
        });

        assertThat(tokens.resolve(shared)).isEmpty();
        assertThat(tokens.resolve(provider.token(key, "ann"))).isPresent();
        provider.keysText = secrets(secret);
        assertThatThrownBy(tokens::check).hasMessageContaining("has no public key");
    }

    private static String secrets(JsonWebKey... keys) {
        return new JsonWebKeySet(keys).toJson(JsonWebKey.OutputControlLevel.INCLUDE_SYMMETRIC);
    }

    private String signed(JwtClaims claims) {
        return IdentityProvider.signed(key, claims, (JsonWebSignature signature) -> {});
    }

    @Test
    void keysAreReadOnceInTenMinutes() {
        for (int i = 0; i < 20; i++) {
            assertThat(tokens.resolve(provider.token(key, "ann"))).isPresent();
            nanos.addAndGet(Duration.ofSeconds(29).toNanos());
        }
        assertThat(provider.reads).hasValue(1);

        nanos.addAndGet(Duration.ofSeconds(20).toNanos());
        assertThat(tokens.resolve(provider.token(key, "ann"))).isPresent();
        assertThat(tokens.resolve(provider.token(key, "ann"))).isPresent();
        assertThat(provider.reads).hasValue(2);
    }

    @Test
    void aNewKeyIsReadWhenATokenNamesItAtMostOnceAMinute() {
        assertThat(tokens.resolve(provider.token(key, "ann"))).isPresent();
        PublicJsonWebKey next = IdentityProvider.key(Algorithm.RS256, "next");
        for (int i = 0; i < 20; i++) { // tokens with keys that nobody knows cause no requests
            assertThat(tokens.resolve(provider.token(next, "ann"))).isEmpty();
        }
        assertThat(provider.reads).hasValue(1);

        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        provider.publish(next);
        assertThat(tokens.resolve(provider.token(next, "ann"))).isPresent();
        assertThat(provider.reads).hasValue(2);
    }

    @Test
    void keysOfTheLastHourAreUsedWhileTheProviderDoesNotAnswer() {
        String token = provider.token(key, "ann");
        assertThat(tokens.resolve(token)).isPresent();
        provider.stop();

        nanos.addAndGet(Duration.ofMinutes(59).toNanos());
        assertThat(tokens.resolve(token)).isPresent();

        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        assertThat(tokens.resolve(token)).isEmpty();
    }

    @Test
    void aProviderThatDidNotAnswerIsAskedAgainAfterFiveSeconds() {
        String token = provider.token(key, "ann");
        provider.descriptionText = "no JSON";
        assertThat(tokens.resolve(token)).isEmpty();

        provider.descriptionText = "";
        assertThat(tokens.resolve(token)).isEmpty();
        nanos.addAndGet(Duration.ofSeconds(5).toNanos());
        assertThat(tokens.resolve(token)).isPresent();
    }

    @Test
    void aProviderThatHangsHoldsNoRequestWhoseKeyIsKnown() throws Exception {
        String token = provider.token(key, "ann");
        assertThat(tokens.resolve(token)).isPresent();
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answers = new CountDownLatch(1);
        provider.before = exchange -> {
            asked.countDown();
            await(answers);
        };
        nanos.addAndGet(Duration.ofMinutes(10).toNanos());
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Optional<Principal>> first = threads.submit(() -> tokens.resolve(token));
            asked.await();

            assertThat(tokens.resolve(token)).isPresent(); // while the first one waits for the provider

            answers.countDown();
            assertThat(first.get()).isPresent();
            assertThat(provider.reads)
                    .as("the first one was still waiting, and has read them")
                    .hasValue(2);
        }
    }

    @Test
    void aProviderThatNeverAnswersHoldsARequestForSecondsOnly() {
        CountDownLatch answers = new CountDownLatch(1);
        provider.before = exchange -> await(answers);

        assertThat(tokens.resolve(provider.token(key, "ann"))).isEmpty();

        answers.countDown();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aMistakeInTheConfigurationIsFoundByACheck() {
        tokens.check();
        assertThat(provider.reads).hasValue(1);

        provider.descriptionText = "{\"issuer\":\"https://login.example.com\"}";
        assertThatThrownBy(tokens::check)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("names another issuer: 'https://login.example.com'");
        provider.descriptionText = "{\"issuer\":\"" + provider.issuer() + "\"}";
        assertThatThrownBy(tokens::check).hasMessageContaining("has no 'jwks_uri'");
        provider.descriptionText =
                "{\"issuer\":\"" + provider.issuer() + "\",\"jwks_uri\":\"http://login.example.com/keys\"}";
        assertThatThrownBy(tokens::check).hasMessageContaining("is no https address");
        provider.descriptionText = "";
        provider.keysText = "{\"keys\":[]}";
        assertThatThrownBy(tokens::check)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(provider.issuer() + "/keys has no public key");
        assertThat(tokens.resolve(provider.token(key, "ann")))
                .as("the keys of the last hour are used")
                .isPresent();
        provider.keysText = " ".repeat(600_000);
        assertThatThrownBy(tokens::check).hasMessageContaining("more than 524288 bytes");
        provider.stop();
        assertThatThrownBy(tokens::check)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith(
                        "The OpenID provider " + provider.issuer() + " cannot be used: There is no connection to it.")
                .hasMessageContaining("Check the issuer");
    }

    /** What a provider answers is logged while it fails, and shown by a check. */
    @ParameterizedTest
    @ValueSource(strings = {"issuer", "jwks_uri"})
    void anErrorHasLittleOfWhatAProviderAnswers(String field) {
        Map<String, String> description =
                new HashMap<>(Map.of("issuer", provider.issuer().toString()));
        description.put(field, "https://login.example.com/\nWARN forged" + "x".repeat(10_000));
        provider.descriptionText = Json.of(description).text();

        assertThatThrownBy(tokens::check)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("https://login.example.com")
                .message()
                .doesNotContain("\n")
                .hasSizeLessThan(1_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://login.example.com", "login.example.com", "ftp://localhost/x", "https:///x"})
    void anIssuerMustBeAnAddressThatNobodyCanForge(String issuer) {
        assertThatThrownBy(() -> OidcTokens.of(URI.create(issuer), "chargehand"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("https://login.example.com");
    }

    @Test
    void namesMustNotBeBlank() {
        assertThatThrownBy(() -> OidcTokens.of(provider.issuer(), " ")).hasMessageContaining("'aud'");
        assertThatThrownBy(() -> tokens.tenantClaim("")).hasMessageContaining("claim");
    }
}
