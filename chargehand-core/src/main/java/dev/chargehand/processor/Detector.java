package dev.chargehand.processor;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.text.BoundedText;
import dev.chargehand.internal.text.CheckedNumbers;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds one kind of thing at a place of a text, of which there may be more to come. Used by one thread. */
interface Detector {

    /** There is no match at the place, for any further text. */
    int NOTHING = CheckedNumbers.NOTHING;

    /** What comes decides. */
    int OPEN = CheckedNumbers.OPEN;

    /**
     * Look at a place.
     *
     * @param ends whether nothing comes after the text
     * @return the length of what is found, {@link #NOTHING}, or, unless the text ends, {@link #OPEN}
     */
    int lengthAt(CharSequence text, int at, boolean ends);

    /** Find what a pattern matches. */
    static Detector of(Pattern pattern) {
        Matcher matcher = pattern.matcher("");
        matcher.useTransparentBounds(true).useAnchoringBounds(false);
        return (text, at, ends) -> {
            matcher.reset(text).region(at, text.length());
            boolean found = matcher.lookingAt();
            if (!ends && matcher.hitEnd()) {
                return OPEN;
            }
            return found ? matcher.end() - at : NOTHING;
        };
    }

    /** Find the matches of an application's pattern, within a budget of steps that grows with the text. */
    static Detector bounded(String label, Pattern pattern) {
        return new Detector() {
            private @Nullable BoundedText bounded;
            private @Nullable Detector detector;

            @Override
            public int lengthAt(CharSequence text, int at, boolean ends) {
                BoundedText reading = bounded == null ? new BoundedText(text) : bounded;
                Detector within = detector == null ? of(pattern) : detector;
                bounded = reading;
                detector = within;
                reading.grant();
                try {
                    return reading.within(pattern, () -> within.lengthAt(reading, at, ends));
                } catch (BoundedText.TooCostlyException e) {
                    throw new ConfigurationException(
                            "Redaction '" + label + "': " + e.getMessage() + " Write one that does not backtrack.", e);
                }
            }
        };
    }
}
