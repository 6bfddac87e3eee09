package dev.chargehand.server.internal.api;

import dev.chargehand.approval.PendingApproval;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The id of a call that waits for an answer: run, call and wait number, with dots in between. Characters of run and call other than letters,
 * digits, the underscore and the hyphen are percent-encoded.
 *
 * @param run the run that makes the call, encoded
 * @param call the call, encoded
 * @param waitNumber how often it has waited, this time included
 */
record WaitingId(String run, String call, int waitNumber) {

    private static final String PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

    static WaitingId of(PendingApproval pending) {
        return new WaitingId(encoded(pending.runId().value()), encoded(pending.callId()), pending.waitNumber());
    }

    /** Read an id; it is read from the right. Empty if the text is none. */
    static Optional<WaitingId> parse(String text) {
        int wait = text.lastIndexOf('.');
        int call = text.lastIndexOf('.', wait - 1);
        if (call <= 0
                || wait == call + 1
                || !text.substring(0, wait).matches("(?:[A-Za-z0-9_.-]|%[0-9A-F]{2})+")
                || !text.substring(wait + 1).matches("[1-9][0-9]{0,8}")) {
            return Optional.empty();
        }
        return Optional.of(new WaitingId(
                text.substring(0, call), text.substring(call + 1, wait), Integer.parseInt(text.substring(wait + 1))));
    }

    /** Return the id of the run. */
    String runId() {
        return URLDecoder.decode(run.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** Return whether this is the id of a call. */
    boolean isOf(PendingApproval pending) {
        return equals(of(pending));
    }

    static String encoded(String id) {
        StringBuilder text = new StringBuilder();
        for (byte each : id.getBytes(StandardCharsets.UTF_8)) {
            boolean plain = PLAIN.indexOf(each) >= 0;
            if (plain) {
                text.append((char) each);
            } else {
                text.append('%').append(String.format("%02X", each & 0xff));
            }
        }
        return text.toString();
    }

    @Override
    public String toString() {
        return run + "." + call + "." + waitNumber;
    }
}
