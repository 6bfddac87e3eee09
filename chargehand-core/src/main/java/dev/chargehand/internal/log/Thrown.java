package dev.chargehand.internal.log;

import dev.chargehand.error.ChargehandException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What foreign code threw, as far as it can be looked at: an exception is code too, and may throw or never return. */
public final class Thrown {

    private static final String UNREADABLE = "(its message cannot be read)";
    private static final int DEEPEST = 100;
    private static final int LONGEST = 1_000_000;
    private static final int LONGEST_LOGGED = 100_000;

    private Thrown() {}

    /**
     * Return a throwable that can be printed: the same if it can be, else another that says of which class it was. To
     * be called where the code that threw it runs, within the limit of that.
     */
    public static Throwable printable(Throwable thrown) {
        return isPrintable(thrown) ? thrown : new UnprintableException(thrown.getClass());
    }

    /** Return a throwable whose texts a log can hold: the same if they are, else another that says of which class it was. */
    static Throwable loggable(Throwable thrown) {
        Throwable printable = printable(thrown);
        long length = 0;
        int causes = 0;
        for (Throwable at = printable; at != null && causes < DEEPEST; at = at.getCause()) {
            length += String.valueOf(at.getMessage()).length();
            causes++;
        }
        return length > LONGEST_LOGGED ? new UnprintableException(thrown.getClass()) : printable;
    }

    private static boolean isPrintable(Throwable thrown) {
        return isPrintable(thrown, Collections.newSetFromMap(new IdentityHashMap<>()));
    }

    @SuppressWarnings("CatchingUnchecked") // it may throw anything, StackOverflowError too
    private static boolean isPrintable(@Nullable Throwable thrown, Set<Throwable> seen) {
        if (thrown == null || seen.contains(thrown)) {
            return true; // a circle of causes can be printed
        }
        if (seen.size() >= DEEPEST) {
            return false;
        }
        seen.add(thrown);
        try {
            String unusedMessage = thrown.getMessage();
            String unusedLocalMessage = thrown.getLocalizedMessage();
            String unusedText = thrown.toString();
            if (thrown.getStackTrace() == null) {
                return false;
            }
            for (Throwable suppressed : thrown.getSuppressed()) {
                if (!isPrintable(suppressed, seen)) {
                    return false;
                }
            }
            return isPrintable(thrown.getCause(), seen);
        } catch (Throwable t) {
            return false;
        }
    }

    /**
     * Return the message of a throwable, as far as it can be read, without words of a provider. Its class is not in it: it would say to
     * readers how the code is built, and nothing of what went wrong.
     */
    public static String words(Throwable thrown) {
        String message = thrown instanceof UnprintableException ? UNREADABLE : message(thrown);
        return message.isBlank() ? "an exception without a message" : message;
    }

    /** Describe a throwable: its class, and its message as far as it can be read, without words of a provider. */
    public static String describe(Throwable thrown) {
        String message = message(thrown);
        if (thrown instanceof UnprintableException) {
            return message;
        }
        String name = thrown.getClass().getName();
        return message.isEmpty() ? name : name + ": " + message;
    }

    @SuppressWarnings("CatchingUnchecked") // it may throw anything, StackOverflowError too
    private static String message(Throwable thrown) {
        try {
            String message = thrown instanceof ChargehandException ours ? ours.publicMessage() : thrown.getMessage();
            if (message == null) {
                return "";
            }
            return message.length() > LONGEST ? message.substring(0, LONGEST) : message;
        } catch (Throwable t) {
            return UNREADABLE;
        }
    }
}
