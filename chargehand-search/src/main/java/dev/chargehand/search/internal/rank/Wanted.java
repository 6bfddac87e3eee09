package dev.chargehand.search.internal.rank;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A word of a question, with everything that counts as it in a text.
 *
 * @param word as it was written
 * @param terms its terms with their weights: the whole word counts once, and so do the parts of a name together
 * @param synonyms terms that may be used for the whole word
 * @param telling whether the word says what the question is about; those that do not, such as "use", count little
 * @param plain whether it is one word of letters, so that its family can be distinguished from its inflections
 */
public record Wanted(String word, Map<String, Float> terms, Set<String> synonyms, boolean telling, boolean plain) {

    /** What a synonym is worth against the word itself. */
    static final float SYNONYM = 0.8f;

    /** What another word of its family is worth: a question about how to approve is not one about what an approval is. */
    private static final double RELATED = 0.75;

    /** What the parts of a name are worth together against the name. */
    private static final double PARTS = 0.9;

    private static final double LITTLE = 0.3;

    public Wanted {
        terms = Map.copyOf(terms);
        synonyms = Set.copyOf(synonyms);
    }

    /** Return how far a text has this word, from 0 to 1. */
    double in(TextWords words) {
        Set<String> text = words.terms();
        if (whole().stream().anyMatch(text::contains)) {
            return !plain || words.forms().contains(TextWords.form(word)) ? 1 : RELATED;
        }
        double parts = 0;
        for (Map.Entry<String, Float> term : terms.entrySet()) {
            parts += text.contains(term.getKey()) ? term.getValue() : 0;
        }
        double synonym = synonyms.stream().anyMatch(text::contains) ? SYNONYM : 0;
        return Math.max(Math.min(parts, 1) * PARTS, synonym);
    }

    /** Return the terms of the word that are not a part of it. */
    Set<String> whole() {
        return terms.entrySet().stream()
                .filter(term -> term.getValue() == 1)
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }

    double weight() {
        return telling ? 1 : LITTLE;
    }
}
