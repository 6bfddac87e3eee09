package dev.chargehand.provider.stream;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Looks for the ends of lines, eight bytes at a time. */
final class LineEnds {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;

    private LineEnds() {}

    /** Return where the first LF or CR is from one place up to another, or that other place if there is none. */
    static int first(byte[] bytes, int from, int to) {
        int i = from;
        for (; i <= to - Long.BYTES; i += Long.BYTES) {
            long eight = (long) LONGS.get(bytes, i);
            long found = zeros(eight ^ (ONES * '\n')) | zeros(eight ^ (ONES * '\r'));
            if (found != 0) {
                return i + Long.numberOfTrailingZeros(found) / Byte.SIZE;
            }
        }
        while (i < to && bytes[i] != '\n' && bytes[i] != '\r') {
            i++;
        }
        return i;
    }

    /** Mark the bytes that are zero by their highest bit; only the first mark is certain, which is the lowest. */
    private static long zeros(long eight) {
        return (eight - ONES) & ~eight & HIGHS;
    }
}
