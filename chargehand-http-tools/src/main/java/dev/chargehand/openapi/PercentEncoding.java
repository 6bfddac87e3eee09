package dev.chargehand.openapi;

import dev.chargehand.tool.ToolFailureException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Writes texts so that they mean nothing in an address but themselves. */
final class PercentEncoding {

    private static final String UNRESERVED = "-._~";

    /**
     * What {@code allowReserved} leaves alone: no character that would end the value, start another one, or separate
     * items.
     */
    private static final String HARMLESS = ":/?@!$'()*=";

    /** The allowed characters in the path of a document. */
    private static final String OF_PATHS = "/:@!$&'()*+,;=%";

    private PercentEncoding() {}

    /** Write a value or a name. */
    static String strict(String text) {
        return encoded(text, "");
    }

    /** Write a value that keeps harmless reserved characters. */
    static String lenient(String text) {
        return encoded(text, HARMLESS);
    }

    /** Write a path of a document, which may be percent-encoded already. */
    static String path(String text) {
        return encoded(text, OF_PATHS);
    }

    private static String encoded(String text, String kept) {
        StringBuilder written = new StringBuilder();
        for (byte each : utf8(text)) {
            char c = (char) (each & 0xff);
            boolean plain =
                    c < 128 && (Character.isLetterOrDigit(c) || UNRESERVED.indexOf(c) >= 0 || kept.indexOf(c) >= 0);
            if (plain) {
                written.append(c);
            } else {
                written.append('%').append(digit(c >> 4)).append(digit(c & 15));
            }
        }
        return written.toString();
    }

    private static char digit(int value) {
        return Character.toUpperCase(Character.forDigit(value, 16));
    }

    private static byte[] utf8(String text) {
        try {
            ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            byte[] written = new byte[bytes.remaining()];
            bytes.get(written);
            return written;
        } catch (CharacterCodingException e) {
            throw new ToolFailureException("An argument has half a character, which cannot be sent. Write it anew.");
        }
    }
}
