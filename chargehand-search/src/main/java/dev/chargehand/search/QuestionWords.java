package dev.chargehand.search;

import dev.chargehand.search.internal.rank.Question;
import dev.chargehand.search.internal.rank.WordsOfText;
import java.util.Map;

/**
 * The words of a question as a search looks for them, to find the sentences of a passage that have them.
 *
 * <p>Immutable and thread-safe.
 */
public final class QuestionWords {

    private final Question question;

    private QuestionWords(Question question) {
        this.question = question;
    }

    /** Read a question, of which the first 64 terms count. */
    public static QuestionWords of(String question) {
        return new QuestionWords(Question.of(question));
    }

    /**
     * Return the words of the question that a text has, each with what it counts: 1 in any inflection, less as a synonym, by
     * a part of a name, or if it is a word such as "use", which says little about a topic.
     */
    public Map<String, Double> in(String text) {
        return WordsOfText.of(question, text);
    }

    /** Return whether the question asks how something is done, so that steps and samples are an answer. */
    public boolean asksHow() {
        return question.asksHow();
    }
}
