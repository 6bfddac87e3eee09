package dev.chargehand.internal.text;

/**
 * Makes a text well formed that arrives in pieces: a pair of surrogates that is cut between two pieces stays a pair.
 * Not thread-safe; one per text.
 */
public final class WholeCharacters {

    private String held = "";

    /** Return what is whole of the text so far and was not returned before; empty if there is nothing. */
    public String next(String more) {
        if (more.isEmpty()) {
            return more;
        }
        String text = held.isEmpty() ? more : held + more;
        int end = text.length() - 1;
        if (!Character.isHighSurrogate(text.charAt(end))) {
            held = "";
            return WellFormed.text(text);
        }
        held = text.substring(end);
        return WellFormed.text(text.substring(0, end));
    }

    /** Return what stands for a half that is left, now that the text is complete; empty if there is none. */
    public String end() {
        String rest = WellFormed.text(held);
        held = "";
        return rest;
    }
}
