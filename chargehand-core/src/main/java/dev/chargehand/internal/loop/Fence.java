package dev.chargehand.internal.loop;

/** Marks a text as data. The mark holds a digest of the text, so that no text can close its own fence. */
final class Fence {

    private static final int DIGEST_LENGTH = 8;

    private Fence() {}

    /** Returns the text between a beginning and an end of its own. */
    static String around(String what, String attributes, String text) {
        String tag = what + "-" + Digest.ofText(text).substring(0, DIGEST_LENGTH);
        return "<" + tag + attributes + ">\n" + text + "\n</" + tag + ">";
    }
}
