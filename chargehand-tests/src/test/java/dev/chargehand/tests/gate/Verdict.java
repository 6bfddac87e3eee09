package dev.chargehand.tests.gate;

import java.util.Set;

/**
 * What came of a combination, or should.
 *
 * @param waited whether the run waited for an answer, and nobody was asked before it came
 * @param stop the code of the stop reason
 * @param text the result's text
 * @param modelCalls how often the supervisor's model was asked
 * @param asked who was asked at the gate of the step: {@code hook}, {@code scorer}, {@code stopWhen}
 * @param askedAfter who was asked at the gate of the step after it
 * @param feedback what the model was told in the call after the step: {@code hook}, {@code scorer}, or what else
 * @param toolsAfter whether tools were offered in that call
 */
record Verdict(
        boolean waited,
        String stop,
        String text,
        int modelCalls,
        Set<String> asked,
        Set<String> askedAfter,
        Set<String> feedback,
        boolean toolsAfter) {

    static final String HOOK = "hook";
    static final String SCORER = "scorer";
    static final String STOP_WHEN = "stopWhen";

    /** What the step itself says, what the sub-agent says, and what the model says when it is asked once more. */
    static final String STEP_TEXT = "Candidate";

    static final String CHILD_TEXT = "From the child";
    static final String TEXT_AFTER = "After";
}
