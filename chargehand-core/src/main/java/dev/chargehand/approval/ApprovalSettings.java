package dev.chargehand.approval;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.text.ReadableTime;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The part of a run's options for approvals that is plain data; it holds for every nested run too.
 *
 * @param all whether every tool of the run needs approval; default false
 * @param expiry how long a call waits before it counts as declined, above zero; default 24 h
 * @param selfApproval whether who asked for the run may answer for it; default true
 * @param requester on whose behalf the run works; null for whom the conversation belongs to
 */
public record ApprovalSettings(
        boolean all,
        Duration expiry,
        boolean selfApproval,
        @Nullable String requester) {

    /** Every setting at its default. */
    public static final ApprovalSettings DEFAULT = new ApprovalSettings(false, Duration.ofHours(24), true, null);

    public ApprovalSettings {
        Objects.requireNonNull(expiry, "expiry");
        if (!expiry.isPositive()) {
            throw new ConfigurationException("Option 'approvalExpiry' must be above zero, but is "
                    + ReadableTime.of(expiry) + "; there is no unlimited.");
        }
    }

    /** Returns these settings for a run on behalf of somebody. */
    public ApprovalSettings requestedBy(String id) {
        return new ApprovalSettings(all, expiry, selfApproval, id);
    }

    /** Returns what holds for a nested run: nothing that is asked for above it is given up below. */
    public ApprovalSettings under(ApprovalSettings above) {
        return new ApprovalSettings(
                all || above.all,
                expiry.compareTo(above.expiry) < 0 ? expiry : above.expiry,
                selfApproval && above.selfApproval,
                above.requester);
    }
}
