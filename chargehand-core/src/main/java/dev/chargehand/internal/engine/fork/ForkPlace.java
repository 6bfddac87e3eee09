package dev.chargehand.internal.engine.fork;

import dev.chargehand.error.ConfigurationException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a fork of a workflow's run continues: {@code price}, {@code poll#3}, {@code pricing.check} or {@code parts[2].check}.
 *
 * @param above the steps whose nested runs lead to the place, from the root run down
 * @param entry the entry or step of the last of these runs
 */
record ForkPlace(List<Part> above, Part entry) {

    private static final Pattern PART = Pattern.compile("([A-Za-z0-9_-]+)(?:#(\\d{1,9}))?(?:\\[(\\d{1,9})])?");

    ForkPlace {
        above = List.copyOf(above);
    }

    /**
     * A step or entry in one run.
     *
     * @param iteration the iteration of a loop, or null for the last one
     * @param item the index of an item of a foreach, or null
     */
    record Part(
            String id,
            @Nullable Integer iteration,
            @Nullable Integer item) {

        @Override
        public String toString() {
            return id + (iteration == null ? "" : "#" + iteration) + (item == null ? "" : "[" + item + "]");
        }
    }

    /**
     * Read a place.
     *
     * @throws ConfigurationException if the text is none
     */
    static ForkPlace of(String text) {
        List<Part> parts = new ArrayList<>();
        for (String each : text.split("\\.", -1)) {
            Matcher part = PART.matcher(each);
            if (!part.matches()) {
                throw new ConfigurationException("A fork cannot continue before '" + text
                        + "'. Name an entry or a step, such as price; poll#3 for an iteration; or pricing.check and"
                        + " parts[2].check for a step of a nested workflow.");
            }
            parts.add(new Part(part.group(1), number(part.group(2)), number(part.group(3))));
        }
        Part last = parts.removeLast();
        if (last.item() != null) {
            throw new ConfigurationException("A fork cannot continue before '" + text
                    + "', since all items of a foreach are one round. Name the entry: '" + last.id() + "'.");
        }
        return new ForkPlace(parts, last);
    }

    private static @Nullable Integer number(@Nullable String digits) {
        return digits == null ? null : Integer.valueOf(digits);
    }

    /** Return the place in the run of the first of the steps above. */
    ForkPlace below() {
        return new ForkPlace(above.subList(1, above.size()), entry);
    }

    /** Return whether it is in the run itself. */
    boolean isHere() {
        return above.isEmpty();
    }
}
