package dev.chargehand.tests;

import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Usage;
import dev.chargehand.testkit.Script;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * One turn of a script as a value, so that the turns of an agent stand on one line.
 *
 * @param written writes the turn into a script
 */
public record Turn(UnaryOperator<Script> written) {

    /** A turn for which this class has no short form. */
    public static Turn of(UnaryOperator<Script> written) {
        return new Turn(written);
    }

    public static Turn says(String text) {
        return of(script -> script.says(text));
    }

    public static Turn streams(String... pieces) {
        return of(script -> script.streams(pieces));
    }

    public static Turn reasons(String text) {
        return of(script -> script.reasons(text));
    }

    public static Turn delegates(String key, String prompt) {
        return of(script -> script.delegates(key, prompt));
    }

    public static Turn calls(String tool, Map<String, ?> arguments) {
        return of(script -> script.calls(tool, arguments));
    }

    public static Turn calls(String tool, String arguments) {
        return of(script -> script.calls(tool, arguments));
    }

    public static Turn callsRaw(String tool, String arguments) {
        return of(script -> script.callsRaw(tool, arguments));
    }

    public static Turn answers(Function<ModelRequest, ModelResponse> function) {
        return of(script -> script.answers(function));
    }

    public static Turn failsWith(RuntimeException failure) {
        return of(script -> script.failsWith(failure));
    }

    public static Turn waitsFor(CountDownLatch latch) {
        return of(script -> script.waitsFor(latch));
    }

    public static Turn does(Runnable action) {
        return of(script -> script.does(action));
    }

    /** Continues the same turn. */
    public Turn and(Turn more) {
        return with(script -> more.written.apply(script.and()));
    }

    public Turn forever() {
        return with(Script::forever);
    }

    public Turn uses(long inputTokens, long outputTokens) {
        return uses(Usage.of(inputTokens, outputTokens));
    }

    public Turn uses(Usage usage) {
        return with(script -> script.uses(usage));
    }

    public Turn whenAsked(String text) {
        return with(script -> script.whenAsked(text));
    }

    private Turn with(UnaryOperator<Script> more) {
        return of(script -> more.apply(written.apply(script)));
    }
}
