package dev.chargehand.search.internal.rank;

import dev.chargehand.search.internal.text.Analyzers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

/** Takes texts apart into the terms that the index has: words and the parts of names, by their stems. */
final class Terms {

    private Terms() {}

    /** Return the terms of a text, at most a number of them. */
    static Set<String> of(String text, int most) {
        Set<String> terms = new LinkedHashSet<>();
        add(Analyzers.PROSE, text, most, terms);
        add(Analyzers.NAMES, text, most, terms);
        return terms;
    }

    /** Return all terms of a text. */
    static Set<String> of(String text) {
        return of(text, Integer.MAX_VALUE);
    }

    private static void add(Analyzer analyzer, String text, int most, Set<String> terms) {
        try (TokenStream stream = analyzer.tokenStream("", text)) {
            CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
            stream.reset();
            while (terms.size() < most && stream.incrementToken()) {
                terms.add(term.toString());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("A text in memory cannot be read.", e);
        }
    }
}
