package dev.chargehand.processor;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds one kind of thing at a place of a text, of which there may be more to come. Used by one thread. */
interface Detector {

    /** There is nothing at the place, whatever comes. */
    int NOTHING = 0;

    /** What comes decides. */
    int OPEN = -1;

    /**
     * Looks at a place.
     *
     * @param ends whether nothing comes after the text
     * @return the length of what is found, {@link #NOTHING}, or, unless the text ends, {@link #OPEN}
     */
    int lengthAt(CharSequence text, int at, boolean ends);

    /** Finds what a pattern matches. */
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
}
