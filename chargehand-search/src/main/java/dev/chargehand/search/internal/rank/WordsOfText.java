package dev.chargehand.search.internal.rank;

import java.util.LinkedHashMap;
import java.util.Map;

/** The words of a question in a text. */
public final class WordsOfText {

    private WordsOfText() {}

    /** Return the words that a text has, in the order of the question, with what each counts. */
    public static Map<String, Double> of(Question question, String text) {
        TextWords words = TextWords.of(text);
        Map<String, Double> found = new LinkedHashMap<>();
        for (Wanted word : question.words()) {
            double counts = word.in(words) * word.weight();
            if (counts > 0) {
                found.put(word.word(), counts);
            }
        }
        return found;
    }
}
