package dev.chargehand.testkit.provider.request;

import java.io.IOException;

/** Says that bytes came which are no request that this server reads, and how to answer them. */
public final class UnreadableRequestException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int status;

    UnreadableRequestException(int status, String message) {
        super(message);
        this.status = status;
    }

    public int status() {
        return status;
    }
}
