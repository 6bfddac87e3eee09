package dev.chargehand.testkit.provider;

import java.io.IOException;

/** Says that bytes came which are no request that this server reads, and how to answer them. */
final class UnreadableRequest extends IOException {
    private static final long serialVersionUID = 1L;

    private final int status;

    UnreadableRequest(int status, String message) {
        super(message);
        this.status = status;
    }

    int status() {
        return status;
    }
}
