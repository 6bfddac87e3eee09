package dev.chargehand.message;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Marks a text within a prompt as data, to pass the text of one model to another.
 *
 * <p>The mark holds a digest of the text, so that no text can be found that closes its own fence. Whether a model heeds
 * the mark is up to the model.
 */
public final class Fence {

    /** So many that no text can be found that holds its own. */
    private static final int DIGEST_BYTES = 8;

    private Fence() {}

    /**
     * Return the text between a start and an end of its own.
     *
     * @param what says what the text is, in letters and dashes, such as {@code result}
     */
    public static String around(String what, String text) {
        return around(what, "", text);
    }

    /**
     * Return the text between a start and an end of its own.
     *
     * @param attributes additional attributes of the start, such as <code>ref="researcher-1"</code>; may be empty
     */
    public static String around(String what, String attributes, String text) {
        String mark = what + "-" + digest(text);
        String start = attributes.isEmpty() ? mark : mark + " " + attributes;
        return "<" + start + ">\n" + text + "\n</" + mark + ">";
    }

    private static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, DIGEST_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256.", e);
        }
    }
}
