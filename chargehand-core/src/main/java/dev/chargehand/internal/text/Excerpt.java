package dev.chargehand.internal.text;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Cuts a text that is too long for a model, and marks the cut. */
public final class Excerpt {

    private static final String KEPT = " The whole result is kept with the run.";

    private Excerpt() {}

    /** Return what the model sees of a text that is kept whole, or null if it sees the whole. */
    public static @Nullable String of(String text, long mostBytes) {
        return cut(text, mostBytes, KEPT);
    }

    /** Return the text, or its start if it is too long. */
    public static String within(String text, long mostBytes) {
        String cut = cut(text, mostBytes, "");
        return cut == null ? text : cut;
    }

    private static @Nullable String cut(String text, long mostBytes, String note) {
        if (text.length() <= mostBytes / 3) {
            return null;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= mostBytes) {
            return null;
        }
        int end = (int) mostBytes;
        while (end > 0 && (bytes[end] & 0xC0) == 0x80) {
            end--;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8) + "\n[Cut here: " + end + " of " + bytes.length
                + " bytes are shown." + note + "]";
    }
}
