package dev.chargehand.testkit.provider.reply;

import java.nio.charset.StandardCharsets;

/** Encoded bytes, never changed after they were made: a reply is encoded once and sent often. */
public final class Bytes {
    public final byte[] array;

    private Bytes(byte[] array) {
        this.array = array;
    }

    static Bytes of(byte[] array) {
        return new Bytes(array.clone());
    }

    static Bytes of(String text) {
        return new Bytes(text.getBytes(StandardCharsets.UTF_8));
    }
}
