package dev.chargehand.search.internal.rank;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The words of a text.
 *
 * @param terms their terms
 * @param forms the words in lower case, without the endings of English grammar
 */
record TextWords(Set<String> terms, Set<String> forms) {

    private static final Pattern BETWEEN = Pattern.compile("[^\\p{L}\\p{N}]+|(?<=\\p{Ll})(?=\\p{Lu})");

    private static final Pattern ENDING = Pattern.compile("(?<=\\p{L}{3})(?:e?s|ing|ed|e)$");

    static TextWords of(String text) {
        Set<String> forms = new HashSet<>();
        Arrays.stream(BETWEEN.split(text)).map(TextWords::form).forEach(forms::add);
        return new TextWords(Terms.of(text), forms);
    }

    /** Join the words of several texts. */
    static TextWords of(List<TextWords> texts) {
        Set<String> terms = new HashSet<>();
        Set<String> forms = new HashSet<>();
        for (TextWords text : texts) {
            terms.addAll(text.terms());
            forms.addAll(text.forms());
        }
        return new TextWords(terms, forms);
    }

    /** Return a word in lower case without the endings of English grammar; other words of its family stay apart. */
    static String form(String word) {
        return ENDING.matcher(word.toLowerCase(Locale.ROOT)).replaceFirst("");
    }
}
