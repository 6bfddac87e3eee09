package dev.chargehand.internal.text;

import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * A text that regular expressions read within a budget of steps, one for each character they look at.
 *
 * <p>The budget grows with the text, so that a pattern of linear cost never exceeds it, and one that backtracks for
 * ever does after a moment. Counting steps rather than time gives the same outcome on every machine. A search ends when
 * its thread is interrupted, too. Used by one thread.
 */
public final class BoundedText implements CharSequence {

    private static final long FREE_STEPS = 2_000_000;
    private static final long STEPS_PER_CHARACTER = 200;

    /** How often the thread is looked at, as a mask. */
    private static final long LOOK = 0x3F;

    private final CharSequence text;
    private long most;
    private long steps;

    /** Give a text its budget. */
    public BoundedText(CharSequence text) {
        this.text = text;
        this.most = FREE_STEPS + STEPS_PER_CHARACTER * text.length();
    }

    /** Add to the budget what one more character is worth, for a text that grows. */
    public void grant() {
        most += STEPS_PER_CHARACTER;
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
    private static final class SpentException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private SpentException() {
            super(null, null, false, false);
        }
    }

    /**
     * Return whether a pattern is found anywhere in a text.
     *
     * @throws TooCostlyException if that cannot be decided within the budget
     */
    public static boolean isFound(Pattern pattern, CharSequence text) {
        BoundedText bounded = new BoundedText(text);
        return bounded.within(pattern, () -> pattern.matcher(bounded).find());
    }

    /**
     * Make a search of this text with what is left of its budget.
     *
     * @throws TooCostlyException if the search cannot be finished within the budget
     */
    public <T> T within(Pattern pattern, Supplier<T> search) {
        try {
            return search.get();
        } catch (SpentException | StackOverflowError e) {
            throw new TooCostlyException(pattern.pattern(), length());
        }
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public char charAt(int index) {
        if (++steps > most) {
            throw new SpentException();
        }
        if ((steps & LOOK) == 0 && Thread.currentThread().isInterrupted()) {
            throw new CancellationException("The search was interrupted.");
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
