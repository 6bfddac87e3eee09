package dev.chargehand.internal.text;

import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text that regular expressions read within a budget of steps, one for each character they look at.
 *
 * <p>The budget grows with the text, so that a pattern of linear cost never exceeds it, and one that backtracks for ever
 * does after a moment. Counting steps rather than time gives the same outcome on every machine. A thread that is interrupted has spent its budget. Used by one thread.
 */
public final class BoundedText implements CharSequence {

    private static final long FREE_STEPS = 2_000_000;
    private static final long STEPS_PER_CHARACTER = 200;

    /** How often the thread is looked at, as a mask. */
    private static final long LOOK = 0xFFF;

    private final CharSequence text;
    private final long most;
    private long steps;

    /** Gives a text its budget. */
    public BoundedText(CharSequence text) {
        this(text, FREE_STEPS + STEPS_PER_CHARACTER * text.length());
    }

    private BoundedText(CharSequence text, long most) {
        this.text = text;
        this.most = most;
    }

    /** Thrown when a pattern would need more than its budget on a text. */
    public static final class TooCostlyException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private TooCostlyException(String pattern, int characters) {
            super(
                    "The regular expression " + pattern + " takes too long on this text of " + characters
                            + " characters.",
                    null,
                    false,
                    false);
        }
    }

    /** Unwinds a search whose budget is spent. */
    private static final class Spent extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private Spent() {
            super(null, null, false, false);
        }
    }

    /**
     * Returns whether a pattern is found anywhere in a text.
     *
     * @throws TooCostlyException if that cannot be decided within the budget
     */
    public static boolean isFound(Pattern pattern, CharSequence text) {
        return new BoundedText(text).search(pattern, Matcher::find);
    }

    /**
     * Searches this text, with what is left of its budget.
     *
     * @throws TooCostlyException if the search cannot be finished within the budget
     */
    public <T> T search(Pattern pattern, Function<Matcher, T> search) {
        return search(pattern.matcher(this), search);
    }

    /** Searches with a matcher of this text; see {@link #search(Pattern, Function)}. */
    public <T> T search(Matcher matcher, Function<Matcher, T> search) {
        try {
            return search.apply(matcher);
        } catch (Spent | StackOverflowError e) {
            throw new TooCostlyException(matcher.pattern().pattern(), length());
        }
    }

    /** Returns how many steps were made so far. */
    public long steps() {
        return steps;
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public char charAt(int index) {
        if (++steps > most || ((steps & LOOK) == 0 && Thread.currentThread().isInterrupted())) {
            throw new Spent();
        }
        return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return text.subSequence(start, end);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
