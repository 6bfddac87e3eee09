package dev.chargehand.json;

import dev.chargehand.json.JsonScanner.Change;
import java.util.Optional;

/**
 * Reads a JSON value while its text is still arriving.
 *
 * <p>What it gives is always a value of its own that the whole one begins with: strings may be shorter, arrays and objects
 * may have fewer elements, numbers and words are there once they are complete. It gives one whenever the value has grown by
 * a thirty-second, so that all of them together are no longer than a multiple of the text, however it arrives. A Markdown
 * fence before the value and whatever follows it are skipped. A text that is no JSON gives nothing more.
 *
 * <p>Not thread-safe.
 */
public final class PartialJsonReader {

    private static final int GROWTH = 32;

    private final JsonScanner scanner = new JsonScanner();
    private int given;

    /** Makes a reader of one value. */
    public PartialJsonReader() {}

    /** Reads more of the text, and returns the value so far if it is time for one. */
    public Optional<Json> read(String more) {
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
        return Optional.of(Json.ofText(scanner.closed()));
    }

    /** Tells whether the value is complete. */
    public boolean isComplete() {
        return scanner.isComplete();
    }
}
