package dev.chargehand.internal.engine.lease;

import dev.chargehand.approval.WaitKind;
import dev.chargehand.internal.fact.CallAnswer;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.journal.DeliveryCodec;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.Delivery.Delivered;
import dev.chargehand.store.Store;
import dev.chargehand.store.WaitingCall;
import java.time.Instant;
import java.util.List;

/** Delivers that the time of waiting calls is over or has come: of an answer and the end of one wait, the first stored wins. */
public final class ExpiredWaits {

    private ExpiredWaits() {}

    /** End those of some waits whose time is over; one that was answered meanwhile stays answered. */
    public static void end(Store store, List<WaitingCall> waits, Instant now) {
        for (WaitingCall call : waits) {
            if (!call.expiresAt().isAfter(now)) {
                Delivered ignored = store.deliver(over(call, now));
            }
        }
    }

    /** Make the delivery that the time of a call is over; of a timer, it may be sent before it is. */
    public static Delivery over(WaitingCall call, Instant now) {
        Fact.CallDecided decided = new Fact.CallDecided(
                call.callId(),
                call.waitNumber(),
                CallAnswer.whenOver(call.kind()),
                null,
                null,
                null,
                null,
                null,
                call.expiresAt());
        return new Delivery(
                call.runId(),
                Delivery.idOf(call.callId(), call.waitNumber()),
                call.kind() == WaitKind.TIMER ? Delivery.Kind.TIMER : Delivery.Kind.EXPIRY,
                DeliveryCodec.write(decided),
                now);
    }
}
