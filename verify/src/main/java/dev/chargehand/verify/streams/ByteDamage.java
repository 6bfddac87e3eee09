package dev.chargehand.verify.streams;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;

/** Damages bytes: loses, repeats, flips and inserts them. */
final class ByteDamage {

    private static final List<byte[]> INSERTS = List.of(
            new byte[] {(byte) 0xFF},
            new byte[] {(byte) 0xC3},
            new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0x80},
            new byte[] {(byte) 0xF0, (byte) 0x9F},
            new byte[] {0},
            new byte[] {'\r'},
            new byte[] {'\n'},
            new byte[] {'\n', '\n'},
            new byte[] {'"'},
            new byte[] {'\\'},
            new byte[] {'}'},
            utf8("\ufeff"),
            utf8("data: "),
            utf8("\n\nevent: error\ndata: {}\n\n"),
            utf8("\n\ndata: [DONE]\n\n"),
            utf8(": " + "z".repeat(20_000) + "\n"),
            utf8("x".repeat(5_000)));

    private ByteDamage() {}

    /** Return the bytes with one to three things wrong. */
    static byte[] damage(SplittableRandom random, byte[] bytes) {
        byte[] damaged = bytes;
        for (int i = 1 + random.nextInt(3); i > 0 && damaged.length > 0; i--) {
            damaged = once(random, damaged);
        }
        return damaged;
    }

    private static byte[] once(SplittableRandom random, byte[] bytes) {
        int at = random.nextInt(bytes.length);
        int to = Math.min(bytes.length, at + 1 + random.nextInt(random.nextBoolean() ? 3 : 400));
        return switch (random.nextInt(6)) {
            case 0 -> joined(bytes, at, new byte[0], to);
            case 1 -> joined(bytes, to, new byte[0], at);
            case 2 -> joined(bytes, at, INSERTS.get(random.nextInt(INSERTS.size())), at);
            case 3 -> joined(bytes, at, new byte[] {(byte) random.nextInt(256)}, at + 1);
            case 4 -> joined(bytes, at, new byte[] {(byte) (bytes[at] ^ 1 << random.nextInt(8))}, at + 1);
            default -> joined(bytes, at, new byte[0], bytes.length);
        };
    }

    /** Return what stands before a place, then more, then what stands from another place on. */
    private static byte[] joined(byte[] bytes, int before, byte[] more, int from) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream(bytes.length + more.length);
        joined.write(bytes, 0, before);
        joined.writeBytes(more);
        joined.write(bytes, from, bytes.length - from);
        return joined.toByteArray();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
