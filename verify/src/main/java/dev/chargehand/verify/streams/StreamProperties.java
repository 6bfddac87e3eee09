package dev.chargehand.verify.streams;

import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelResponse;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;

/** What must hold for any bytes that come as an answer. */
final class StreamProperties {

    /** A finish reason that allows tools to run must be in the bytes, regardless of other damage. */
    private static final Pattern COMPLETE =
            Pattern.compile("finish_reason\"\\s*:\\s*\"(stop|eos|tool_calls|function_call)\"");

    /** What a call has whose arguments have not started. */
    private static final String NO_ARGUMENTS = "{}";

    private final StreamCase stream;
    private final BiConsumer<String, String> fault;

    /** Prepare the properties of a case; a fault is reported as its kind and details. */
    StreamProperties(StreamCase stream, BiConsumer<String, String> fault) {
        this.stream = stream;
        this.fault = fault;
    }

    /** Hold them against the case, and return what was built from it. */
    Decoded check(SplittableRandom random) {
        Decoded whole = Decoded.of(Pieces.whole(stream.bytes(), stream.breaks()), stream.mediaType());
        same(
                "one byte at a time",
                whole,
                Decoded.of(Pieces.single(stream.bytes(), stream.breaks()), stream.mediaType()));
        same(
                "in pieces",
                whole,
                Decoded.of(Pieces.random(stream.bytes(), stream.breaks(), random), stream.mediaType()));
        ModelResponse answer = whole.answer();
        if (answer != null) {
            Told.faults(whole.deltas(), answer).forEach(wrong -> fault.accept("duplicated", wrong));
        }
        if (whole.failure() != null && whole.failure().contains(Writing.CANARY)) {
            fault.accept("leaked", whole.failure());
        }
        if (whole.runsTools() && !mayRunTools()) {
            fault.accept("ran", "the calls would be executed of an answer that is not complete: " + answer);
        }
        meant(whole);
        return whole;
    }

    private void same(String how, Decoded whole, Decoded cut) {
        if (!whole.equals(cut)) {
            fault.accept("different", how + " it is " + cut + " and not " + whole);
        }
    }

    private boolean mayRunTools() {
        return stream.meant() != null
                ? stream.finished()
                : COMPLETE.matcher(new String(stream.bytes(), StandardCharsets.ISO_8859_1))
                        .find();
    }

    private void meant(Decoded whole) {
        Meant meant = stream.meant();
        if (meant == null) {
            return;
        }
        ModelResponse expected = meant.answer();
        ModelResponse answer = whole.answer();
        if (!stream.cut() && !stream.breaks()) {
            if (!expected.equals(answer)) {
                fault.accept("wrong", "meant " + expected + ", got " + whole);
            }
        } else if (answer != null && !isBeginning(answer, expected)) {
            fault.accept("wrong", "a beginning of " + expected + " is read as " + answer);
        }
    }

    private boolean isBeginning(ModelResponse answer, ModelResponse expected) {
        if (!begins(expected.text(), answer.text())
                || !begins(expected.reasoning(), answer.reasoning())
                || answer.toolCalls().size() > expected.toolCalls().size()
                || (!stream.finished() && answer.finish() != FinishReason.MISSING)) {
            return false;
        }
        for (int i = 0; i < answer.toolCalls().size(); i++) {
            String arguments = answer.toolCalls().get(i).arguments();
            if (!arguments.equals(NO_ARGUMENTS)
                    && !begins(expected.toolCalls().get(i).arguments(), arguments)) {
                return false;
            }
        }
        return true;
    }

    /** A character whose second half did not arrive is read as U+FFFD. */
    private static boolean begins(String whole, String read) {
        int last = read.length() - 1;
        boolean isHalf = last >= 0
                && last < whole.length()
                && read.charAt(last) == '\uFFFD'
                && Character.isHighSurrogate(whole.charAt(last));
        return whole.startsWith(isHalf ? read.substring(0, last) : read);
    }
}
