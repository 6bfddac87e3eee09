package dev.chargehand.server;

import dev.chargehand.error.ConfigurationException;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * What is stored of a key with which a service calls the server; the key itself is not.
 *
 * @param name the name of the key, which is unique in its file
 * @param principal the caller to which it belongs, without an end; its id is the name
 * @param expiresAt from when on it counts as unknown; empty if it does not expire
 */
public record ApiKey(String name, Principal principal, Optional<Instant> expiresAt) {

    /**
     * Check the values.
     *
     * @throws ConfigurationException if the principal has an end of its own
     */
    public ApiKey {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(principal, "principal");
        Objects.requireNonNull(expiresAt, "expiresAt");
        if (principal.expiresAt().isPresent()) {
            throw new ConfigurationException(
                    "The principal of key '" + name + "' has an end; say when the key expires instead.");
        }
    }
}
