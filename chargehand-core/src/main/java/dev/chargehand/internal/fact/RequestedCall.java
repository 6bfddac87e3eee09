package dev.chargehand.internal.fact;

import org.jspecify.annotations.Nullable;

/** A tool call of an answer, under the id that was minted for it. */
public record RequestedCall(String callId, @Nullable String providerId, String name, String arguments) {
    public RequestedCall {
        Parts.require(callId, name, arguments);
    }
}
