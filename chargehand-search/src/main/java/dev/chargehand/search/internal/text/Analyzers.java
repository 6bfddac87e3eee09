package dev.chargehand.search.internal.text;

import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.miscellaneous.PerFieldAnalyzerWrapper;

/** How texts and questions are taken apart, which must be the same way. */
public final class Analyzers {

    public static final Analyzer PROSE = new EnglishAnalyzer();
    public static final Analyzer NAMES = new NameAnalyzer();

    private Analyzers() {}

    static Analyzer byField() {
        return new PerFieldAnalyzerWrapper(PROSE, Map.of(PassageIndex.NAMES, NAMES, PassageIndex.FILE, NAMES));
    }
}
