package dev.chargehand.server;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.server.internal.auth.ProviderKeys;
import dev.chargehand.store.Store;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jose4j.jwa.AlgorithmConstraints.ConstraintType;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.MalformedClaimException;
import org.jose4j.jwt.consumer.ErrorCodeValidator;
import org.jose4j.jwt.consumer.InvalidJwtException;
import org.jose4j.jwt.consumer.JwtConsumer;
import org.jose4j.jwt.consumer.JwtConsumerBuilder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The access tokens of people who sign in at an OpenID provider: JSON Web Tokens that it has signed with RS256, ES256 or EdDSA, for this
 * server as audience. Immutable and thread-safe.
 *
 * <p>The provider is found by its issuer: {@code ISSUER/.well-known/openid-configuration} names its keys. They are read when the first
 * token comes, again after ten minutes, and at most once a minute for a token whose key is unknown. A token counts from {@code nbf} to
 * {@code exp}, which it must have, with 60 s for clocks that differ. Then its streams end too.
 *
 * <p>The caller is the subject ({@code sub}); approvals that it gives are stored with it. Its tenant, resource and scopes are claims of the
 * token. Scopes that this server does not know are left out. A token whose subject, tenant or resource is blank or has control characters is
 * unknown.
 *
 * <p>A subject is unique at its provider only. With two providers in one server, give each a claim with a tenant of its own: users with the
 * same subject would be the same resource.
 *
 * <pre>{@code
 * ChargehandServer.builder(runtime)
 *         .addPrincipals(OidcTokens.of(URI.create("https://login.example.com/"), "chargehand").tenantClaim("org"));
 * }</pre>
 */
public final class OidcTokens implements PrincipalResolver {

    private static final Logger LOG = LoggerFactory.getLogger(OidcTokens.class);

    private static final int CLOCK_SKEW_SECONDS = 60;

    /**
     * Where a token says for whom it acts.
     *
     * @param tenant the claim with the tenant, or null if all tokens belong to the tenant {@code local}
     */
    private record Claims(@Nullable String tenant, String resource, String scopes) {}

    private final URI issuer;
    private final ProviderKeys keys;
    private final JwtConsumer consumer;
    private final Claims claims;

    private OidcTokens(URI issuer, ProviderKeys keys, JwtConsumer consumer, Claims claims) {
        this.issuer = issuer;
        this.keys = keys;
        this.consumer = consumer;
        this.claims = claims;
    }

    /**
     * Return the tokens of a provider. It is not called before the first token comes, or {@link #check()}.
     *
     * @param issuer the address that its tokens have as {@code iss}, letter by letter
     * @param audience what its tokens for this server have as {@code aud}, or among others there
     * @throws ConfigurationException if the issuer is no https address, and no http address of this machine, or the audience is blank
     */
    public static OidcTokens of(URI issuer, String audience) {
        return of(issuer, audience, new ProviderKeys(issuer, System::nanoTime));
    }

    static OidcTokens of(URI issuer, String audience, ProviderKeys keys) {
        if (!ProviderKeys.isSafe(issuer)) {
            throw new ConfigurationException("The issuer of an OpenID provider must be an address such as"
                    + " https://login.example.com (http only on this machine), but is '" + issuer + "'.");
        }
        if (audience.isBlank()) {
            throw new ConfigurationException("The audience of tokens must not be blank: name what the provider writes"
                    + " into 'aud' of tokens for this server.");
        }
        JwtConsumer consumer = new JwtConsumerBuilder()
                .setJwsAlgorithmConstraints(
                        ConstraintType.PERMIT,
                        AlgorithmIdentifiers.RSA_USING_SHA256,
                        AlgorithmIdentifiers.ECDSA_USING_P256_CURVE_AND_SHA256,
                        AlgorithmIdentifiers.EDDSA)
                .setVerificationKeyResolver(keys)
                .setExpectedIssuer(issuer.toString())
                .setExpectedAudience(audience)
                .setRequireExpirationTime()
                .setRequireSubject()
                .setAllowedClockSkewInSeconds(CLOCK_SKEW_SECONDS)
                .build();
        return new OidcTokens(issuer, keys, consumer, new Claims(null, "sub", "scope"));
    }

    /** Return these tokens with the tenant in a claim. Default: none, all of them belong to the tenant {@code local}. */
    @CheckReturnValue
    public OidcTokens tenantClaim(String name) {
        return with(new Claims(requireName(name), claims.resource, claims.scopes));
    }

    /** Return these tokens with the resource, such as the user, in a claim. Default: {@code sub}. */
    @CheckReturnValue
    public OidcTokens resourceClaim(String name) {
        return with(new Claims(claims.tenant, requireName(name), claims.scopes));
    }

    /** Return these tokens with the scopes in a claim: a text with spaces between them, or a list. Default: {@code scope}. */
    @CheckReturnValue
    public OidcTokens scopesClaim(String name) {
        return with(new Claims(claims.tenant, claims.resource, requireName(name)));
    }

    private OidcTokens with(Claims changed) {
        return new OidcTokens(issuer, keys, consumer, changed);
    }

    private static String requireName(String name) {
        if (name.isBlank()) {
            throw new ConfigurationException("The name of a claim must not be blank.");
        }
        return name;
    }

    /**
     * Read the description and the keys of the provider now, to find mistakes before the first token comes.
     *
     * @throws ConfigurationException if the provider does not answer, or is another one
     */
    public void check() {
        try {
            keys.read();
        } catch (IOException e) {
            throw new ConfigurationException(
                    "The OpenID provider " + issuer + " cannot be used: " + e.getMessage()
                            + " Check the issuer: the description is read from ISSUER/.well-known/openid-configuration.",
                    e);
        }
    }

    @Override
    public Optional<Principal> resolve(String token) {
        if (token.chars().filter(each -> each == '.').count() != 2) {
            return Optional.empty(); // no signed token
        }
        try {
            return principal(consumer.processToClaims(token));
        } catch (InvalidJwtException e) {
            List<Integer> codes = e.getErrorDetails().stream()
                    .map(ErrorCodeValidator.Error::getErrorCode)
                    .toList();
            LOG.debug("A token was rejected as one of {}: {}", issuer, codes); // its message has the claims
            return Optional.empty();
        } catch (MalformedClaimException | ConfigurationException e) {
            LOG.debug(
                    "A token of {} has another value than a text, or one that is too long, in one of {}.",
                    issuer,
                    claims);
            return Optional.empty();
        }
    }

    private Optional<Principal> principal(JwtClaims token) throws MalformedClaimException {
        String subject = text(token, "sub");
        String tenant = claims.tenant == null ? Store.LOCAL : text(token, claims.tenant);
        String resource = text(token, claims.resource);
        if (!Stream.of(subject, tenant, resource).allMatch(OidcTokens::isName)) {
            LOG.debug("A token of {} has no name as its subject, tenant or resource: {}", issuer, claims);
            return Optional.empty();
        }
        return Optional.of(new Principal(subject, tenant, Optional.of(resource), scopes(token)).until(end(token)));
    }

    /** Return from when on a token is rejected, which is as long after its end as clocks may differ. */
    private static Instant end(JwtClaims token) throws MalformedClaimException {
        long last = Instant.MAX.getEpochSecond() - CLOCK_SKEW_SECONDS; // what a provider means as no end
        return Instant.ofEpochSecond(Math.min(token.getExpirationTime().getValue(), last) + CLOCK_SKEW_SECONDS);
    }

    /** Return whether a text names something, on one line of a log. */
    private static boolean isName(String text) {
        return !text.isBlank()
                && text.codePoints()
                        .map(Character::getType)
                        .noneMatch(type -> type == Character.CONTROL
                                || type == Character.LINE_SEPARATOR
                                || type == Character.PARAGRAPH_SEPARATOR
                                || type == Character.SURROGATE); // half of a pair
    }

    private static String text(JwtClaims token, String claim) throws MalformedClaimException {
        return Objects.requireNonNullElse(token.getStringClaimValue(claim), "");
    }

    private Set<Scope> scopes(JwtClaims token) throws MalformedClaimException {
        List<String> named = token.isClaimValueStringList(claims.scopes)
                ? token.getStringListClaimValue(claims.scopes)
                : List.of(text(token, claims.scopes).split(" ", -1));
        Set<Scope> known = EnumSet.noneOf(Scope.class);
        named.forEach(name -> Scope.of(name).ifPresent(known::add));
        return known;
    }
}
