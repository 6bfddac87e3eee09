package dev.chargehand.provider.stream;

/**
 * Counts of tokens as providers report them: none is negative, and one that no long can hold is the highest of them.
 */
public final class TokenCount {

    /** So many digits fit any long. */
    private static final int SAFE_DIGITS = 18;

    private TokenCount() {}

    /** Read a JSON number of any size; a fraction is cut off. */
    public static long of(String number) {
        return number.length() <= SAFE_DIGITS && isDigits(number)
                ? Long.parseLong(number)
                : Math.max(0, (long) Double.parseDouble(number)); // the cast saturates
    }

    /** Return the sum of counts. */
    public static long sum(long... counts) {
        long sum = 0;
        for (long count : counts) {
            sum = count > Long.MAX_VALUE - sum ? Long.MAX_VALUE : sum + count;
        }
        return sum;
    }

    private static boolean isDigits(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return !text.isEmpty();
    }
}
