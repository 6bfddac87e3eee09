package dev.chargehand.config.internal.offline;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Finds the words of a question that are worth searching for. */
final class Words {

    private static final int MOST_KEYWORDS = 12;

    /** Letters and digits, with what holds an identifier or a file name together. */
    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}]++(?:[_.'’/-][\\p{L}\\p{N}]++)*+");

    private static final Pattern HOW =
            Pattern.compile("(?i)^\\W*how (?:to|(?:do|can|could|should|must) (?:i|we|you|one))\\b");

    private static final Set<String> STOP_WORDS = Set.of("""
            a about after all also am an and any are as at be been before being between both but by can could did do does
            doing done each for from get give go had happen happens has have he her his how i if in into is it its just let like make may
            me might more most must my no not of off on one only or other our out over please shall she should show so some
            such tell than that the their them then there these they this those through to too under up us use very was we
            were what when where whether which while who whom whose why will with would you your short write explain
            describe question answer document documents docs facts""".strip().split("\\s+"));

    /** Words that a request says to its reader. In a question they are its subject: how do I find a file? */
    private static final Set<String> REQUESTS = Set.of("find", "search", "list");

    private static final Pattern QUESTION = Pattern.compile(
            "(?i)^\\W*(?:how|what|which|who|whose|when|where|why|(?:is|are|do|does|did|has|have|can|could|may|must|should|will)(?! you\\b))\\b");

    private Words() {}

    /** The significant words of a question, as they were written; all words if none is significant. */
    static List<String> keywords(String question) {
        List<String> all = words(question);
        boolean asks = QUESTION.matcher(question).find();
        List<String> telling = all.stream()
                .filter(word -> !STOP_WORDS.contains(word.toLowerCase(Locale.ROOT)))
                .filter(word -> asks || !REQUESTS.contains(word.toLowerCase(Locale.ROOT)))
                .toList();
        return (telling.isEmpty() ? all : telling).stream().limit(MOST_KEYWORDS).toList();
    }

    /** The significant words of a question, after "how to" if it asks how something is done. */
    static String query(String question) {
        String words = String.join(" ", keywords(question));
        return HOW.matcher(question).find() ? "how to " + words : words;
    }

    private static List<String> words(String text) {
        return WORD.matcher(text).results().map(MatchResult::group).distinct().toList();
    }
}
