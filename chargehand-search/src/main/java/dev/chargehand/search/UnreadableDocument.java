package dev.chargehand.search;

import dev.chargehand.search.SearchReport.Reason;
import java.io.IOException;

/** Says why a document is left out; the message is what is said of it in a report. */
final class UnreadableDocument extends IOException {

    private final Reason reason;

    UnreadableDocument(Reason reason, String detail) {
        super(detail);
        this.reason = reason;
    }

    Reason reason() {
        return reason;
    }

    /** Malformed, whether by accident or on purpose. */
    static UnreadableDocument damaged(Throwable failure) {
        return new UnreadableDocument(
                Reason.DAMAGED, "is damaged (" + failure.getClass().getSimpleName() + ")");
    }

    static UnreadableDocument damaged(String how) {
        return new UnreadableDocument(Reason.DAMAGED, "is damaged: " + how);
    }
}
