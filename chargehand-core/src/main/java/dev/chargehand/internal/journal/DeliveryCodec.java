package dev.chargehand.internal.journal;

import dev.chargehand.error.StoreException;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.FactEntry;
import java.util.Map;
import java.util.NoSuchElementException;

/** The stored forms of deliveries: a decision about a call as the fact that it becomes, a message as in a thread,
 * a cancel as its reason. */
public final class DeliveryCodec {

    /** The id of every cancel of a run. */
    public static final String CANCEL = "cancel";

    private static final String BY = "by";
    private static final String REASON = "reason";
    private static final String VERSION = "version";
    private static final String FACT = "fact";
    private static final String MESSAGE = "message";

    private DeliveryCodec() {}

    /** Write a decision. */
    public static Json write(Fact.CallDecided decision) {
        FactEntry entry = FactCodec.write(decision);
        return Json.of(Map.of(VERSION, entry.version(), FACT, Json.parse(entry.text())));
    }

    /**
     * Read a decision.
     *
     * @throws StoreException {@code UNREADABLE} if it is damaged, or of a later version
     */
    public static Fact.CallDecided decision(Json body) {
        try {
            int version = body.at("/" + VERSION).orElseThrow().as(Integer.class);
            String text = body.at("/" + FACT).orElseThrow().text();
            return (Fact.CallDecided) FactCodec.read(FactEntry.of("call-decided", version, text));
        } catch (NoSuchElementException | ClassCastException e) {
            throw unreadable(e);
        }
    }

    /** Write why a run is cancelled. */
    public static Json write(StopReason.Cancelled reason) {
        return Json.of(
                reason.reason() == null ? Map.of(BY, reason.by()) : Map.of(BY, reason.by(), REASON, reason.reason()));
    }

    /**
     * Read why a run is cancelled.
     *
     * @throws StoreException {@code UNREADABLE} if it is damaged
     */
    public static StopReason.Cancelled cancel(Json body) {
        try {
            return new StopReason.Cancelled(
                    body.at("/" + BY).orElseThrow().as(String.class),
                    body.at("/" + REASON).map(reason -> reason.as(String.class)).orElse(null));
        } catch (NoSuchElementException e) {
            throw unreadable(e);
        }
    }

    /** Write a message. */
    public static Json write(Message message) {
        return Json.of(Map.of(MESSAGE, Json.parse(MessageCodec.write(message))));
    }

    /**
     * Read a message.
     *
     * @throws StoreException {@code UNREADABLE} if it is damaged
     */
    public static Message message(Json body) {
        try {
            return MessageCodec.read(body.at("/" + MESSAGE).orElseThrow().text());
        } catch (NoSuchElementException e) {
            throw unreadable(e);
        }
    }

    private static StoreException unreadable(Exception cause) {
        return new StoreException(StoreException.Kind.UNREADABLE, "A stored delivery is damaged.", cause);
    }
}
