package dev.chargehand.verify.streams;

import dev.chargehand.model.ModelResponse.RequestedCall;
import dev.chargehand.run.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Makes answers of text, reasoning and calls of one tool. */
final class MeantAnswers {

    /** The tool that answers call. */
    static final String TOOL = "count";

    private final SplittableRandom random;
    private final Writing writing;

    MeantAnswers(SplittableRandom random) {
        this.random = random;
        this.writing = new Writing(random);
    }

    Meant next() {
        List<RequestedCall> calls = new ArrayList<>();
        for (int i = random.nextInt(3) == 0 ? 1 + random.nextInt(4) : 0; i > 0; i--) {
            calls.add(new RequestedCall("call_" + i + "_" + random.nextInt(1_000), TOOL, arguments()));
        }
        return new Meant(
                writing.cut(writing.text(12)),
                random.nextInt(4) == 0 ? writing.cut(writing.text(6)) : List.of(),
                calls,
                finish(calls),
                usage());
    }

    private String arguments() {
        return "{\"n\":" + random.nextInt(100) + ",\"s\":" + writing.quoted(writing.text(4)) + "}";
    }

    private String finish(List<RequestedCall> calls) {
        return switch (random.nextInt(10)) {
            case 0 -> "length";
            case 1 -> "content_filter";
            case 2 -> "";
            case 3 -> "odd_reason";
            case 4 -> "stop";
            default -> calls.isEmpty() ? "stop" : "tool_calls";
        };
    }

    private Usage usage() {
        return random.nextInt(4) == 0 ? Usage.NONE : new Usage(random.nextInt(10_000), random.nextInt(10_000), 0, 0);
    }
}
