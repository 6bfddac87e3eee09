package dev.chargehand.server;

import java.util.Optional;

/**
 * Finds the caller of a bearer token. Thread-safe. A resolver is called for every request, so it must be fast; an exception counts as
 * a token that is unknown, and is logged without the token.
 */
@FunctionalInterface
public interface PrincipalResolver {

    /**
     * Return the caller to which a token belongs.
     *
     * @param token the text after {@code Authorization: Bearer}, at most 8 KiB
     * @return nothing if the token is unknown, expired or of another kind than this resolver knows
     */
    Optional<Principal> resolve(String token);
}
