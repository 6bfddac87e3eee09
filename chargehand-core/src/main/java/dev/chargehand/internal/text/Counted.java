package dev.chargehand.internal.text;

/** Writes numbers of things in messages. */
public final class Counted {

    private Counted() {}

    /** Return "1 message", or "2 messages" for other numbers of a thing. */
    public static String of(long number, String thing) {
        return of(number, thing, thing + "s");
    }

    /** Return the number with the word for one thing, or with that for several. */
    public static String of(long number, String one, String several) {
        return number + " " + (number == 1 ? one : several);
    }
}
