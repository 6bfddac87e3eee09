package dev.chargehand.verify.sequences;

/** The first difference of two lines, with what is around it. */
final class Difference {

    private static final int BEFORE = 150;
    private static final int AFTER = 350;
    private static final int NAME = 60;

    private Difference() {}

    static String of(String first, String second) {
        int at = 0;
        while (at < first.length() && at < second.length() && first.charAt(at) == second.charAt(at)) {
            at++;
        }
        return "operation " + first.substring(0, Math.min(NAME, first.length())) + " …, in memory …" + around(first, at)
                + "…, in the database …" + around(second, at) + "…";
    }

    private static String around(String line, int at) {
        return line.substring(Math.min(line.length(), Math.max(0, at - BEFORE)), Math.min(line.length(), at + AFTER));
    }
}
