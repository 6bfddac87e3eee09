package dev.chargehand.cli.http;

import dev.chargehand.tool.ToolFailure;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Writes texts so that they mean nothing in an address but themselves. */
final class Percent {

    private static final String UNRESERVED = "-._~";

    /** What {@code allowReserved} leaves alone: not what would end the value, begin another, or stand between items. */
    private static final String HARMLESS = ":/?@!$'()*=";

    /** What may stand in the path of a document. */
    private static final String OF_PATHS = "/:@!$&'()*+,;=%";

    private Percent() {}

    /** Writes a value or a name. */
    static String strict(String text) {
        return encoded(text, "");
    }

    /** Writes a value in which characters that mean something in an address may stay, if they are harmless. */
    static String lenient(String text) {
        return encoded(text, HARMLESS);
    }

    /** Writes a path of a document, which may be percent-encoded already. */
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
            throw new ToolFailure("An argument has half a character, which cannot be sent. Write it anew.");
        }
    }
}
