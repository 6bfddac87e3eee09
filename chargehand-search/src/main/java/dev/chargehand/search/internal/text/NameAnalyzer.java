package dev.chargehand.search.internal.text;

import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.StopFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.core.WhitespaceTokenizer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.apache.lucene.analysis.miscellaneous.WordDelimiterGraphFilter;

/**
 * Takes names apart and puts them together: {@code agent-researcher} gives {@code agent}, {@code researcher} and
 * {@code agentresearcher}, as do {@code agentResearcher} and {@code agent_researcher}.
 *
 * <p>The parts are stemmed as English words are, so that both kinds of terms can be looked up alike. No graph is
 * flattened, since positions are not indexed.
 */
final class NameAnalyzer extends Analyzer {

    private static final int PARTS_AND_WHOLE = WordDelimiterGraphFilter.GENERATE_WORD_PARTS
            | WordDelimiterGraphFilter.GENERATE_NUMBER_PARTS
            | WordDelimiterGraphFilter.SPLIT_ON_CASE_CHANGE
            | WordDelimiterGraphFilter.SPLIT_ON_NUMERICS
            | WordDelimiterGraphFilter.STEM_ENGLISH_POSSESSIVE
            | WordDelimiterGraphFilter.CATENATE_ALL;

    @Override
    protected TokenStreamComponents createComponents(String field) {
        Tokenizer words = new WhitespaceTokenizer();
        TokenStream terms = new WordDelimiterGraphFilter(words, PARTS_AND_WHOLE, null);
        terms = new LowerCaseFilter(terms);
        terms = new StopFilter(terms, EnglishAnalyzer.getDefaultStopSet());
        terms = new ASCIIFoldingFilter(terms);
        terms = new PorterStemFilter(terms);
        return new TokenStreamComponents(words, terms);
    }
}
