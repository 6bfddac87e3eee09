package dev.chargehand.completion;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Marks a text as data for a judge. The mark holds a digest of the text, so that no text can close its own fence. */
final class JudgedText {

    /** So many that no text can be found that holds its own. */
    private static final int DIGEST_BYTES = 8;

    private JudgedText() {}

    static String fenced(String what, String text) {
        String mark = what + "-" + digest(text);
        return "<" + mark + ">\n" + text + "\n</" + mark + ">";
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
