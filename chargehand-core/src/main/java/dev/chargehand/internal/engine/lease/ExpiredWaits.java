package dev.chargehand.internal.engine.lease;

import dev.chargehand.internal.fact.CallAnswer;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.journal.DeliveryCodec;
import dev.chargehand.store.Delivered;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.Store;
import dev.chargehand.store.WaitingCall;
import java.time.Instant;
import java.util.List;

/** Delivers that the time of waiting calls is over: of an answer and the expiry of one wait, the first stored wins. */
public final class ExpiredWaits {

    private ExpiredWaits() {}

    /** End those of some waits whose time is over; one that was answered meanwhile stays answered. */
    public static void end(Store store, List<WaitingCall> waits, Instant now) {
        for (WaitingCall call : waits) {
            if (!call.expiresAt().isAfter(now)) {
                Delivered ignored = store.deliver(expiry(call, now));
            }
        }
    }

    private static Delivery expiry(WaitingCall call, Instant now) {
        Fact.CallDecided expired = new Fact.CallDecided(
                call.callId(), call.waitNumber(), CallAnswer.EXPIRED, null, null, null, null, call.expiresAt());
        return new Delivery(
                call.runId(),
                Delivery.idOf(call.callId(), call.waitNumber()),
                Delivery.Kind.EXPIRY,
                DeliveryCodec.write(expired),
                now);
    }
}
