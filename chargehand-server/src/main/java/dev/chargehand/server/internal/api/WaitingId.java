package dev.chargehand.server.internal.api;

import dev.chargehand.approval.PendingApproval;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The id of a call that waits for an answer: run, call and wait number, with dots in between. Characters of run and call other than letters,
 * digits, the underscore and the hyphen are percent-encoded.
 *
 * @param run the run that makes the call, encoded
 * @param call the call, encoded
 * @param waitNumber how often it has waited, this time included
 */
public record WaitingId(String run, String call, int waitNumber) {

    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,8}");
    private static final String PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

    /** Return the id of a waiting call. */
    public static WaitingId of(PendingApproval pending) {
        return new WaitingId(encoded(pending.runId().value()), encoded(pending.callId()), pending.waitNumber());
    }

    /** Read an id; it is read from the right. Empty if the text is none. */
    public static Optional<WaitingId> parse(String text) {
        int wait = text.lastIndexOf('.');
        int call = text.lastIndexOf('.', wait - 1);
        String number = text.substring(wait + 1);
        if (call <= 0
                || wait == call + 1
                || !isEncoded(text.substring(0, wait))
                || !NUMBER.matcher(number).matches()) {
            return Optional.empty();
        }
        return Optional.of(
                new WaitingId(text.substring(0, call), text.substring(call + 1, wait), Integer.parseInt(number)));
    }

    private static boolean isEncoded(String text) {
        try {
            var unused = URLDecoder.decode(text, StandardCharsets.UTF_8);
            return text.chars().allMatch(c -> PLAIN.indexOf(c) >= 0 || c == '%' || c == '.');
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Return the id of the run. */
    public String runId() {
        return URLDecoder.decode(run, StandardCharsets.UTF_8);
    }

    /** Return the id of the call in its run. */
    String callId() {
        return URLDecoder.decode(call, StandardCharsets.UTF_8);
    }

    /** Return whether this is the id of a call. */
    public boolean isOf(PendingApproval pending) {
        return equals(of(pending));
    }

    private static String encoded(String id) {
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
