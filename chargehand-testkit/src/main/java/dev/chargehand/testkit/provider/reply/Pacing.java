package dev.chargehand.testkit.provider.reply;

import java.time.Duration;

/**
 * When and in which portions a reply is written.
 *
 * @param delay before the first byte
 * @param partsApart whether each part of the body has a write of its own
 * @param partGap pause before each part of the body but the first
 * @param pieceBytes body bytes per write and chunk, regardless of their content; 0 for no limit
 * @param pieceGap pause between such pieces
 * @param writeBytes bytes per write, head and framing included; 0 for no limit
 */
public record Pacing(
        Duration delay, boolean partsApart, Duration partGap, int pieceBytes, Duration pieceGap, int writeBytes) {
    static final Pacing NONE = new Pacing(Duration.ZERO, false, Duration.ZERO, 0, Duration.ZERO, 0);

    public Pacing {
        if (delay.isNegative() || partGap.isNegative() || pieceGap.isNegative()) {
            throw new IllegalArgumentException(
                    "Delays must be zero or longer, but are " + delay + ", " + partGap + " and " + pieceGap + ".");
        }
        if (pieceBytes < 0 || writeBytes < 0) {
            throw new IllegalArgumentException("Sizes of writes must be 1 byte or more, or 0 for no limit, but are "
                    + pieceBytes + " and " + writeBytes + ".");
        }
    }

    Pacing withDelay(Duration delay) {
        return new Pacing(delay, partsApart, partGap, pieceBytes, pieceGap, writeBytes);
    }

    Pacing withParts(Duration gap) {
        return new Pacing(delay, true, gap, pieceBytes, pieceGap, writeBytes);
    }

    Pacing withPieces(int bytes, Duration gap) {
        return new Pacing(delay, partsApart, partGap, atLeastOne(bytes), gap, writeBytes);
    }

    Pacing withWrites(int bytes) {
        return new Pacing(delay, partsApart, partGap, pieceBytes, pieceGap, atLeastOne(bytes));
    }

    /** Twenty pieces a second, or one byte at a time where that is too fast. */
    Pacing withRate(int bytesPerSecond) {
        int piece = Math.max(1, atLeastOne(bytesPerSecond) / 20);
        return withPieces(piece, Duration.ofNanos(1_000_000_000L * piece / bytesPerSecond));
    }

    private static int atLeastOne(int bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("Bytes are counted from 1; there were " + bytes + ".");
        }
        return bytes;
    }
}
