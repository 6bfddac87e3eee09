package dev.chargehand.search;

import dev.chargehand.search.report.Passage;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** A first question about a folder that a search of it finds passages for. */
public final class SuggestedQuestion {

    private static final int MOST_HEADINGS = 200;
    private static final int SHORTEST = 4;
    private static final String SEPARATOR = " > ";

    /** A topic: one to six words, the first of at least four letters, and nothing that a shell or a reader would trip over. */
    private static final Pattern TOPIC = Pattern.compile("[\\p{L}]{4,30}(?: [\\p{L}\\p{N}-]{1,30}){0,5}");

    private static final Pattern WORD = Pattern.compile("[\\p{L}]{4,}");

    private SuggestedQuestion() {}

    /**
     * Return a question whose topic is a heading of a document, and whose words find first a passage under this heading that
     * mentions the topic; empty if no document has such a heading.
     *
     * @throws InterruptedException if the thread was interrupted while the index was being built
     */
    public static Optional<String> of(FileSearch search) throws InterruptedException {
        for (String heading : search.headings(MOST_HEADINGS)) {
            int separator = heading.lastIndexOf(SEPARATOR);
            String topic = separator < 0 ? heading : heading.substring(separator + SEPARATOR.length());
            if (TOPIC.matcher(topic).matches()
                    && search.search(topic, 1).stream().anyMatch(first -> tells(first, heading, topic))) {
                return Optional.of("What is in the documents about " + topic + "?");
            }
        }
        return Optional.empty();
    }

    private static boolean tells(Passage passage, String heading, String topic) {
        String word = WORD.matcher(topic).results().findFirst().orElseThrow().group();
        String stem = word.substring(0, Math.max(SHORTEST, word.length() - 2));
        return passage.heading().equals(heading)
                && passage.text().toLowerCase(Locale.ROOT).contains(stem.toLowerCase(Locale.ROOT));
    }
}
