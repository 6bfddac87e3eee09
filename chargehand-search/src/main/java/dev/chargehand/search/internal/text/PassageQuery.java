package dev.chargehand.search.internal.text;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.CombinedFieldQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;

/**
 * Makes a query out of the words of a question. The text is only ever analyzed, never parsed: it has no syntax.
 *
 * <p>Any term may match. A term counts with BM25 over text and heading together, the heading weighing more, or with its
 * place in a name or in the file's name if that is worth more; and every further term that matches adds a little, so
 * that a passage about all of the question comes before one that repeats a part of it.
 */
final class PassageQuery {

    /** More terms than that do not make a better question; it keeps the query far below Lucene's limit of clauses. */
    private static final int MOST_TERMS = 64;

    private static final float HEADING_WEIGHT = 2f;
    private static final float NAME_WEIGHT = 0.7f;
    private static final float FILE_WEIGHT = 0.5f;
    private static final float MATCH_BONUS = 1f;

    /** Words of any question, regardless of its topic; ignored unless there are no others. */
    private static final Set<String> QUESTION_WORDS = Set.of(
            ("about am any can could did do does get happen happens has have how i me my should tell us want we were what when where which"
                            + " who whom whose why would you your")
                    .split(" "));

    private final Analyzer prose;
    private final Analyzer names;

    PassageQuery(Analyzer prose, Analyzer names) {
        this.prose = prose;
        this.names = names;
    }

    /** Return nothing if the text has no word to look for. */
    Optional<Query> of(String text) throws IOException {
        List<String> words = List.of(text.strip().split("\\s+"));
        List<String> telling = words.stream()
                .filter(word ->
                        !QUESTION_WORDS.contains(word.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}]", "")))
                .toList();
        Map<String, Float> terms = terms(telling);
        if (terms.isEmpty()) {
            terms = terms(words);
        }
        BooleanQuery.Builder query = new BooleanQuery.Builder();
        terms.forEach((term, weight) -> {
            Query match = match(term);
            query.add(new BoostQuery(match, weight), Occur.SHOULD);
            query.add(new BoostQuery(new ConstantScoreQuery(match), MATCH_BONUS * weight), Occur.SHOULD);
        });
        return terms.isEmpty() ? Optional.empty() : Optional.of(query.build());
    }

    private static Query match(String term) {
        Query prose = new CombinedFieldQuery.Builder(term)
                .addField(PassageIndex.TEXT)
                .addField(PassageIndex.HEADING, HEADING_WEIGHT)
                .build();
        Query name = new BoostQuery(new TermQuery(new Term(PassageIndex.NAMES, term)), NAME_WEIGHT);
        Query file = new BoostQuery(new TermQuery(new Term(PassageIndex.FILE, term)), FILE_WEIGHT);
        return new DisjunctionMaxQuery(List.of(prose, name, file), 0);
    }

    /** Weigh the terms: a whole word counts once, and so do the parts of a name together. */
    private Map<String, Float> terms(List<String> words) throws IOException {
        Map<String, Float> weights = new LinkedHashMap<>();
        for (String word : words) {
            Set<String> terms = new LinkedHashSet<>(analyze(prose, word));
            terms.addAll(analyze(names, word));
            int whole = terms.stream().mapToInt(String::length).max().orElse(0);
            for (String term : terms) {
                float weight = term.length() == whole ? 1 : Math.min(0.5f, 1f / (terms.size() - 1));
                if (weights.size() < MOST_TERMS) {
                    weights.merge(term, weight, Math::max);
                }
            }
        }
        return weights;
    }

    private static List<String> analyze(Analyzer analyzer, String word) throws IOException {
        List<String> terms = new ArrayList<>();
        try (TokenStream stream = analyzer.tokenStream("", word)) {
            CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
            stream.reset();
            while (stream.incrementToken() && terms.size() < MOST_TERMS) {
                terms.add(term.toString());
            }
        }
        return terms;
    }
}
