package dev.chargehand.server;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.server.internal.auth.KeysFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Keys in a file, with which services call the server. The file holds the SHA-256 of each key, never the key. It is read again when it has
 * changed, at most once a second, so a revoked key is rejected a second later. The streams of a revoked key end at most a heartbeat later.
 * Thread-safe.
 */
public final class ApiKeys implements PrincipalResolver {

    private static final String PREFIX = "chk_";
    private static final int BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final KeysFile file;
    private final InstantSource clock;

    private ApiKeys(KeysFile file, InstantSource clock) {
        this.file = file;
        this.clock = clock;
    }

    /**
     * Return the keys of a file, which need not exist.
     *
     * @throws ConfigurationException if the file cannot be read
     */
    public static ApiKeys of(Path file) {
        ApiKeys keys = new ApiKeys(new KeysFile(file), InstantSource.system());
        keys.list();
        return keys;
    }

    /**
     * Add a key and return it. It cannot be read again.
     *
     * @throws ConfigurationException if the file has a key of this name, or cannot be written
     */
    public String add(ApiKey key) {
        byte[] random = new byte[BYTES];
        RANDOM.nextBytes(random);
        String secret = PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        file.change(entries -> {
            if (entries.stream().anyMatch(entry -> entry.key().name().equals(key.name()))) {
                throw new ConfigurationException(
                        "The file has a key '" + key.name() + "' already. Choose another name, or revoke it.");
            }
            List<KeysFile.Entry> more = new ArrayList<>(entries);
            more.add(new KeysFile.Entry(key, digest(secret)));
            return more;
        });
        return secret;
    }

    /** Remove the key of a name; return whether there was one. */
    public boolean revoke(String name) {
        boolean[] found = {false};
        file.change(entries -> {
            List<KeysFile.Entry> left = new ArrayList<>(entries);
            found[0] = left.removeIf(entry -> entry.key().name().equals(name));
            return left;
        });
        return found[0];
    }

    /** Return what is stored of the keys, in the order in which they were added. */
    public List<ApiKey> list() {
        return file.entries().stream().map(KeysFile.Entry::key).toList();
    }

    @Override
    public Optional<Principal> resolve(String token) {
        if (!token.startsWith(PREFIX)) {
            return Optional.empty();
        }
        byte[] digest = HexFormat.of().parseHex(digest(token));
        Instant now = clock.instant();
        Principal found = null;
        for (KeysFile.Entry entry : file.entries()) { // all of them, so that the time does not tell which one is close
            boolean same = MessageDigest.isEqual(digest, HexFormat.of().parseHex(entry.sha256()));
            if (same && entry.key().expiresAt().filter(end -> !end.isAfter(now)).isEmpty()) {
                Principal principal = entry.key().principal();
                found = entry.key().expiresAt().map(principal::until).orElse(principal);
            }
        }
        return Optional.ofNullable(found);
    }

    /** Return whether the file has the key no longer. */
    @Override
    public boolean isRevoked(String token) {
        return resolve(token).isEmpty();
    }

    private static String digest(String secret) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256.", e);
        }
    }
}
