package dev.chargehand.server.internal.route;

import dev.chargehand.server.Principal;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/**
 * The caller of a request, and whether it is still signed in when the request takes long.
 *
 * @param principal the caller
 * @param revocation returns whether what it signed in with was withdrawn; it may be asked for as long as the request takes, and may fail
 */
public record SignedIn(Principal principal, BooleanSupplier revocation) {

    /** Return a caller whose sign-in is not withdrawn. */
    public static SignedIn of(Principal principal) {
        return new SignedIn(principal, () -> false);
    }

    /** Return whether its time has ended. */
    public boolean hasExpired() {
        return principal.hasExpired(Instant.now());
    }
}
