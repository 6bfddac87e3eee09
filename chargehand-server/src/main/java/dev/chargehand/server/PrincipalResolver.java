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
     * @return nothing if the token is unknown, expired or of another kind than this resolver knows; otherwise the caller, and until when it is
     *     one, if the token ends: see {@link Principal#until}
     */
    Optional<Principal> resolve(String token);

    /**
     * Return whether a token with which a stream was opened was withdrawn since, which ends the stream. The server asks while the stream is
     * open, at every {@link ServerTimeLimit#HEARTBEAT}; an exception counts as no, and is logged without the token. Default: false, so that a
     * token counts for its open streams until its end.
     *
     * @param token a token that this resolver has resolved
     */
    default boolean isRevoked(String token) {
        return false;
    }
}
