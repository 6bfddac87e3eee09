package dev.chargehand.server;

import dev.chargehand.store.Store;
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
 */
public record Principal(String id, String tenantId, Optional<String> resourceId, Set<Scope> scopes) {

    /** Check the values. */
    public Principal {
        Objects.requireNonNull(id, "id");
        Store.requireTenantId(tenantId);
        Objects.requireNonNull(resourceId, "resourceId");
        scopes = Set.copyOf(scopes);
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
