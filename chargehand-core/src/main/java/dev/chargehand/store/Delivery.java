package dev.chargehand.store;

import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Objects;

/**
 * Something that others send to a run, stored until the run reads it.
 *
 * @param to the run, root or nested
 * @param id identifies the delivery among those to the run: what is delivered twice is stored once. A delivery that
 *     answers a waiting call has the id of {@link #idOf}
 * @param kind the kind
 * @param body the content, in a form that the store never interprets
 * @param at when it was sent
 */
public record Delivery(RunId to, String id, Kind kind, Json body, Instant at) {

    public Delivery {
        Objects.requireNonNull(to, "to");
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(body, "body");
        Objects.requireNonNull(at, "at");
    }

    /** The kind of a delivery. */
    public enum Kind {
        /** A decision about a call that waits for an approval. */
        APPROVAL(true, true),
        /** The data that a call waits for. */
        DATA(true, true),
        /** The outcome of a call that was interrupted. */
        OUTCOME(true, true),
        /** The end of the time that a call may wait. */
        EXPIRY(true, true),
        /** The end of the time that a call has to wait. */
        TIMER(true, true),
        /** The end of the run. */
        CANCEL(false, true),
        /** A message to the model. */
        MESSAGE(false, false),
        /** The end of a task in the background. */
        TASK_ENDED(false, false);

        private final boolean answers;
        private final boolean wakes;

        Kind(boolean answers, boolean wakes) {
            this.answers = answers;
            this.wakes = wakes;
        }

        /** Return whether it answers a call that waits, which is answered once. */
        public boolean answers() {
            return answers;
        }

        /** Return whether a suspended run has to be resumed because of it. */
        public boolean wakes() {
            return wakes;
        }
    }

    /** Return the id of every delivery that answers a waiting call: of several, the first counts. */
    public static String idOf(String callId, int waitNumber) {
        return callId + "." + waitNumber;
    }

    /** Return the SHA-256 of the body's text, in hex. */
    public String digest() {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(body.text().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256.", e);
        }
    }

    /** What a store answers to a delivery. */
    public sealed interface Delivered {

        /** It is stored, and the run will read it. */
        record Accepted() implements Delivered {}

        /**
         * A delivery with this id is stored already; nothing was changed.
         *
         * @param digest the digest of the stored delivery
         */
        record Duplicate(String digest) implements Delivered {}

        /** The run is missing or has ended, or the call does not wait; nothing was stored. */
        record NotWaiting() implements Delivered {}
    }
}
