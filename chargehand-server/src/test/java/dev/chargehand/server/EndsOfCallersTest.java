package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.server.IdentityProvider.Algorithm;
import dev.chargehand.store.Store;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.NumericDate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Until when a caller is one: as long as its token or key is accepted, and not shorter, since its streams would be opened again and again. */
class EndsOfCallersTest {

    private static final Principal ANN = new Principal("ann", Store.LOCAL, Optional.of("ann"), Set.of());

    private static Optional<Instant> endOfToken(long expiry) {
        try (IdentityProvider provider = new IdentityProvider()) {
            PublicJsonWebKey key = provider.published(Algorithm.ES256, "first");
            JwtClaims claims = provider.claims("ann");
            claims.setExpirationTime(NumericDate.fromSeconds(expiry));
            return OidcTokens.of(provider.issuer(), IdentityProvider.AUDIENCE)
                    .resolve(IdentityProvider.signed(key, claims, none -> {}))
                    .flatMap(Principal::expiresAt);
        }
    }

    @Test
    void aTokenIsAcceptedAMinuteLonger() {
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        assertThat(endOfToken(now.getEpochSecond() + 30)).contains(now.plusSeconds(90));
        assertThat(endOfToken(now.getEpochSecond() - 30)).contains(now.plusSeconds(30));
    }

    @Test
    void aTokenThatHasNoEndIsAccepted() {
        assertThat(endOfToken(Long.MAX_VALUE)).contains(Instant.MAX.truncatedTo(ChronoUnit.SECONDS));
    }

    @Test
    void aKeyIsAcceptedUntilItExpires(@TempDir Path folder) {
        ApiKeys keys = ApiKeys.of(folder.resolve("keys.json"));
        Instant end = Instant.now().plusSeconds(3600);
        assertThat(keys.resolve(keys.add(new ApiKey("hour", ANN, Optional.of(end)))))
                .map(Principal::expiresAt)
                .contains(Optional.of(end));
        assertThat(keys.resolve(keys.add(new ApiKey("always", ANN, Optional.empty()))))
                .map(Principal::expiresAt)
                .contains(Optional.empty());
    }

    /** The file of keys would not have it. */
    @Test
    void thePrincipalOfAKeyHasNoEndOfItsOwn() {
        Principal until = ANN.until(Instant.now());
        assertThatThrownBy(() -> new ApiKey("ann", until, Optional.empty()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("say when the key expires");
    }

    @Test
    void aKeyThatWasRevokedIsReportedAsSuch(@TempDir Path folder) {
        ApiKeys keys = ApiKeys.of(folder.resolve("keys.json"));
        String key = keys.add(new ApiKey("ann", ANN, Optional.empty()));
        assertThat(keys.isRevoked(key)).isFalse();
        assertThat(keys.revoke("ann")).isTrue();
        assertThat(keys.isRevoked(key)).isTrue();
        assertThat(keys.add(new ApiKey("ann", ANN, Optional.empty()))).isNotEqualTo(key);
        assertThat(keys.isRevoked(key)).isTrue(); // the new one has the same name
    }
}
