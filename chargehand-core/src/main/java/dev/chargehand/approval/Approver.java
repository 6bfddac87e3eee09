package dev.chargehand.approval;

import dev.chargehand.error.ConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * The person or program that answers; stored with the answer, and never shown to a model.
 *
 * @param id who it is, not blank, in the application's own terms; the application has made sure of it
 * @param tenant for whom they may act, or null if the application has no tenants, or to leave this to the check. A run of
 *     another tenant than {@code local} accepts no answer of an approver who acts for another tenant than its own; in
 *     {@code local} the tenants of approvers are the application's own
 */
public record Approver(String id, @Nullable String tenant) {

    public Approver {
        if (id == null || id.isBlank()) {
            throw new ConfigurationException("An approver needs an id, which is recorded with the answer.");
        }
    }

    /** Name an approver. */
    public static Approver of(String id) {
        return new Approver(id, null);
    }

    /** Name an approver who acts for a tenant. */
    public static Approver of(String id, String tenant) {
        return new Approver(id, tenant);
    }
}
