package dev.chargehand.tests;

import dev.chargehand.run.StructuredOutput;
import java.util.List;

/** An object that is asked for, an answer that fits it, and one that does not. */
abstract class AnalysisFixture {

    record Analysis(String summary, List<String> points, double confidence) {}

    static final String GOOD = "{\"summary\":\"S\",\"points\":[\"a\"],\"confidence\":0.5}";

    static final Analysis ANALYSIS = new Analysis("S", List.of("a"), 0.5);

    static final String BAD = "{\"summary\":\"S\",\"points\":\"a\"}";

    static final String STRUCTURER = "scripted/structurer";

    static StructuredOutput analysis() {
        return StructuredOutput.of(Analysis.class);
    }
}
