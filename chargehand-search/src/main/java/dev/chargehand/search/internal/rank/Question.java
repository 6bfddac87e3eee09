package dev.chargehand.search.internal.rank;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A question or a few keywords, as words to look for. The text is only ever analyzed, never parsed: it has no syntax.
 *
 * @param words the words; if all of them are words of any question, these
 * @param asksHow whether it asks how something is done, so that steps and samples are an answer
 * @param spoken all words in lower case, also those that are not looked for
 */
public record Question(List<Wanted> words, boolean asksHow, Set<String> spoken) {

    /** More terms than that do not make a better question; it keeps a query far below Lucene's limit of clauses. */
    static final int MOST_TERMS = 64;

    /** Words of any question, regardless of its topic; ignored unless there are no others. */
    private static final Set<String> QUESTION_WORDS = words("""
            about am any can cannot could did do does get happen happens has have how i me mean means my many much must often should
            us want we were what when where which who whom whose why would you your""");

    /** Words that say little about a topic: a passage need not have them. */
    private static final Set<String> LITTLE = words("""
            after allowed another before best between called during different each every find first from give given gives good instead keep keeps kind know long made make makes
            need needed needs new one own part per possible put see several show since take taken takes than thing things through type until use used user
            uses using want way ways while without work works working""");

    private static final Pattern HOW =
            Pattern.compile("(?i)\\W*how\\s+(?:(?:do|can|could|should|would|must)\\s+\\w+|to)\\b.*");

    private static final Pattern NO_WORD = Pattern.compile("[^\\p{L}\\p{N}]");

    public Question {
        words = List.copyOf(words);
        spoken = Set.copyOf(spoken);
    }

    /** Read a question; it has no words if the text has none to look for. */
    public static Question of(String text) {
        String[] all = text.strip().split("\\s+");
        Set<String> spoken = new HashSet<>();
        List<String> telling = new ArrayList<>();
        for (String word : all) {
            String bare = bare(word);
            spoken.add(bare);
            if (!QUESTION_WORDS.contains(bare)) {
                telling.add(word);
            }
        }
        List<Wanted> words = wanted(telling);
        return new Question(
                words.isEmpty() ? wanted(List.of(all)) : words,
                HOW.matcher(text.length() > 200 ? text.substring(0, 200) : text).lookingAt(),
                spoken);
    }

    private static List<Wanted> wanted(List<String> words) {
        List<Wanted> wanted = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (String word : words) {
            Map<String, Float> terms = new LinkedHashMap<>();
            Set<String> all = Terms.of(word, MOST_TERMS);
            int whole = all.stream().mapToInt(String::length).max().orElse(0);
            for (String term : all) {
                float weight = term.length() == whole ? 1 : Math.min(0.5f, 1f / (all.size() - 1));
                if (seen.size() < MOST_TERMS && seen.add(term)) {
                    terms.put(term, weight);
                }
            }
            if (!terms.isEmpty()) {
                Set<String> synonyms =
                        all.size() == 1 ? Synonyms.of(all.iterator().next()) : Set.of();
                wanted.add(new Wanted(word, terms, synonyms, !LITTLE.contains(bare(word)), all.size() == 1));
            }
        }
        return wanted;
    }

    private static String bare(String word) {
        return NO_WORD.matcher(word.toLowerCase(Locale.ROOT)).replaceAll("");
    }

    private static Set<String> words(String list) {
        return Set.of(list.strip().split("\\s+"));
    }
}
