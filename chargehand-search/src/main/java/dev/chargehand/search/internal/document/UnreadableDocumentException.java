package dev.chargehand.search.internal.document;

import dev.chargehand.search.report.SearchReport.Reason;
import java.io.IOException;

/** Reports the reason why a document is skipped; the message appears in a report. */
public final class UnreadableDocumentException extends IOException {

    private final Reason reason;

    public UnreadableDocumentException(Reason reason, String detail) {
        super(detail);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }

    /** Malformed, whether by accident or on purpose. */
    static UnreadableDocumentException damaged(Throwable failure) {
        return new UnreadableDocumentException(
                Reason.DAMAGED, "is damaged (" + failure.getClass().getSimpleName() + ")");
    }

    static UnreadableDocumentException damaged(String how) {
        return new UnreadableDocumentException(Reason.DAMAGED, "is damaged: " + how);
    }
}
