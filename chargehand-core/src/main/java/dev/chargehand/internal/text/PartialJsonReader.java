package dev.chargehand.internal.text;

import dev.chargehand.internal.text.JsonScanner.Change;
import java.util.Optional;

/**
 * Reads a JSON value while its text is still arriving.
 *
 * <p>What it gives is always a value of its own that the whole one starts with: strings may be shorter, arrays and
 * objects may have fewer elements, numbers and words exist once they are complete. It gives one whenever the value has
 * grown by a thirty-second, so that all of them together are no longer than a multiple of the text, for any chunks. A
 * Markdown fence before the value and all later text are skipped. A text that is not a JSON gives nothing more.
 *
 * <p>Not thread-safe.
 */
public final class PartialJsonReader {

    private static final int GROWTH = 32;

    private final JsonScanner scanner = new JsonScanner();
    private int given;

    /** Make a reader of one value. */
    public PartialJsonReader() {}

    /** Read more of the text, and return the value so far if it is time for one. */
    public Optional<String> read(String more) {
        boolean changed = false;
        for (int i = 0; i < more.length(); i++) {
            changed |= scanner.next(more.charAt(i)) == Change.VISIBLE;
        }
        int length = scanner.length();
        boolean due = changed && (scanner.isComplete() || length >= given + Math.max(1, given / GROWTH));
        if (!due) {
            return Optional.empty();
        }
        given = length;
        return Optional.of(scanner.closed());
    }

    /** Return whether the value is complete. */
    public boolean isComplete() {
        return scanner.isComplete();
    }
}
