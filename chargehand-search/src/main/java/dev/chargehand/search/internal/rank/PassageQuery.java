package dev.chargehand.search.internal.rank;

import dev.chargehand.search.internal.text.PassageIndex;
import java.util.ArrayList;
import java.util.List;
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
 * Makes the query for a question.
 *
 * <p>Any term may match. A term counts with BM25 over text and heading together, the heading weighing more, or with its
 * place in a name or in the file's name if that is worth more; a synonym counts less than the word. Every further term
 * that matches adds a little, so that a passage about all of the question comes before one that repeats a part of it.
 */
final class PassageQuery {

    private static final float HEADING_WEIGHT = 2f;
    private static final float NAME_WEIGHT = 0.7f;
    private static final float FILE_WEIGHT = 0.5f;
    private static final float MATCH_BONUS = 1f;

    private PassageQuery() {}

    static Query of(Question question) {
        BooleanQuery.Builder query = new BooleanQuery.Builder();
        for (Wanted word : question.words()) {
            word.terms().forEach((term, weight) -> {
                List<Query> matches = new ArrayList<>();
                matches.add(match(term));
                if (word.terms().size() == 1) {
                    word.synonyms().forEach(synonym -> matches.add(new BoostQuery(match(synonym), Wanted.SYNONYM)));
                }
                Query match = new DisjunctionMaxQuery(matches, 0);
                float counts = (float) (weight * word.weight());
                query.add(new BoostQuery(match, counts), Occur.SHOULD);
                query.add(new BoostQuery(new ConstantScoreQuery(match), MATCH_BONUS * counts), Occur.SHOULD);
            });
        }
        return query.build();
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
}
