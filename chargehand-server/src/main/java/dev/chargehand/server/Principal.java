package dev.chargehand.server;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.store.Store;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * An authenticated caller of the server.
 *
 * @param id the caller; approvals that it gives are stored with this id
 * @param tenantId the tenant for which it acts; {@link Store#LOCAL} where there is only one
 * @param resourceId the resource for which it acts, such as a user; empty for a caller that names one in its requests
 * @param scopes what it may do
 * @param expiresAt from when on it is not signed in any more, which ends its streams too; empty if its sign-in has no end
 */
public record Principal(
        String id, String tenantId, Optional<String> resourceId, Set<Scope> scopes, Optional<Instant> expiresAt) {

    /** Check the values. */
    public Principal {
        Objects.requireNonNull(id, "id");
        Store.requireTenantId(tenantId);
        Objects.requireNonNull(resourceId, "resourceId");
        scopes = Set.copyOf(scopes);
        Objects.requireNonNull(expiresAt, "expiresAt");
    }

    /** Make a caller whose sign-in has no end. */
    public Principal(String id, String tenantId, Optional<String> resourceId, Set<Scope> scopes) {
        this(id, tenantId, resourceId, scopes, Optional.empty());
    }

    /** Return this caller with an end of its sign-in. */
    @CheckReturnValue
    public Principal until(Instant end) {
        return new Principal(id, tenantId, resourceId, scopes, Optional.of(end));
    }

    /** Return whether its sign-in has ended at a time. */
    public boolean hasExpired(Instant now) {
        return expiresAt.filter(end -> !end.isAfter(now)).isPresent();
    }

    /** Return whether the caller has a scope. */
    public boolean has(Scope scope) {
        return scopes.contains(scope);
    }

    /** Return whether the caller may act for any resource of its tenant. */
    public boolean actsForAnyResource() {
        return resourceId.isEmpty() || has(Scope.RESOURCES_ANY);
    }
}
