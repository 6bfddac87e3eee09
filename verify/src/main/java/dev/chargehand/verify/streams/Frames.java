package dev.chargehand.verify.streams;

import dev.chargehand.model.ModelResponse.RequestedCall;
import dev.chargehand.run.Usage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/** Writes an answer as the events of a stream, in one of the ways in which servers do it, or as one document. */
final class Frames {

    static final String DONE = "[DONE]";

    private static final List<Naming> NAMINGS = List.of(Naming.values());

    /** How the pieces of a call say which call they belong to. */
    private enum Naming {
        INDEX,
        INDEX_INTERLEAVED,
        ID,
        WHOLE_WITH_ID,
        WHOLE_AT_INDEX_0
    }

    private final SplittableRandom random;
    private final Writing writing;
    private final Meant meant;
    private final List<String> frames = new ArrayList<>();
    private int finishAt = -1;

    private Frames(SplittableRandom random, Meant meant) {
        this.random = random;
        this.writing = new Writing(random);
        this.meant = meant;
    }

    /**
     * Events.
     *
     * @param data the data of each
     * @param finishAt the place of the one that has the finish reason; -1 if none has
     */
    record Stream(List<String> data, int finishAt) {}

    /** Write an answer as a stream. */
    static Stream stream(SplittableRandom random, Meant meant) {
        Frames frames = new Frames(random, meant);
        frames.write();
        return new Stream(frames.frames, frames.finishAt);
    }

    /** Write an answer as one document. */
    static String document(SplittableRandom random, Meant meant) {
        Frames frames = new Frames(random, meant);
        List<String> calls = new ArrayList<>();
        for (RequestedCall call : meant.calls()) {
            calls.add(frames.call("", call));
        }
        String message = "{\"role\":\"assistant\",\"content\":" + frames.writing.quoted(String.join("", meant.text()))
                + (meant.reasoning().isEmpty()
                        ? ""
                        : ",\"reasoning\":" + frames.writing.quoted(String.join("", meant.reasoning())))
                + (calls.isEmpty() ? "" : ",\"tool_calls\":[" + String.join(",", calls) + "]")
                + "}";
        return "{\"id\":\"c\",\"choices\":[{\"index\":0,\"message\":" + message + frames.finish() + "}]"
                + frames.usage() + "}";
    }

    private void write() {
        if (random.nextInt(3) > 0) {
            delta("{\"role\":\"assistant\",\"content\":\"\"}");
        }
        String reasoning = random.nextBoolean() ? "reasoning" : "reasoning_content";
        meant.reasoning().forEach(part -> delta("{\"" + reasoning + "\":" + writing.quoted(part) + "}"));
        meant.text().forEach(this::text);
        calls();
        boolean usageInside = random.nextInt(4) == 0;
        finishAt = meant.finish().isEmpty() ? -1 : frames.size();
        frames.add("{\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{}" + finish() + "}]"
                + (usageInside ? usage() : "") + "}");
        if (!usageInside && !meant.usage().equals(Usage.NONE)) {
            frames.add("{\"id\":\"c\",\"choices\":[]" + usage() + "}");
        }
        if (random.nextInt(5) > 0) {
            frames.add(DONE);
        }
    }

    private void text(String part) {
        switch (random.nextInt(12)) {
            case 0 -> delta("{\"content\":[{\"type\":\"text\",\"text\":" + writing.quoted(part) + "}]}");
            case 1 -> delta("{\"content\":" + writing.quoted(part) + ",\"tool_calls\":[],\"refusal\":null}");
            default -> delta("{\"content\":" + writing.quoted(part) + "}");
        }
    }

    private void calls() {
        Naming naming = NAMINGS.get(random.nextInt(NAMINGS.size()));
        switch (naming) {
            case INDEX, ID -> {
                for (int i = 0; i < meant.calls().size(); i++) {
                    pieces(meant.calls().get(i), i, naming == Naming.ID).forEach(this::callDelta);
                }
            }
            case INDEX_INTERLEAVED -> interleaved();
            case WHOLE_WITH_ID, WHOLE_AT_INDEX_0 -> {
                String index = naming == Naming.WHOLE_AT_INDEX_0 ? "\"index\":0," : "";
                for (RequestedCall call : meant.calls()) {
                    callDelta(call(index, call));
                }
            }
        }
    }

    private void interleaved() {
        List<Deque<String>> waiting = new ArrayList<>();
        for (int i = 0; i < meant.calls().size(); i++) {
            Deque<String> pieces = new ArrayDeque<>(pieces(meant.calls().get(i), i, false));
            callDelta(pieces.removeFirst());
            waiting.add(pieces);
        }
        waiting.removeIf(Deque::isEmpty);
        while (!waiting.isEmpty()) {
            Deque<String> pieces = waiting.get(random.nextInt(waiting.size()));
            callDelta(pieces.removeFirst());
            waiting.removeIf(Deque::isEmpty);
        }
    }

    private List<String> pieces(RequestedCall call, int index, boolean byId) {
        List<String> arguments = writing.cut(call.arguments());
        List<String> pieces = new ArrayList<>();
        String place = byId ? "" : "\"index\":" + index + ",";
        boolean nameFirst = random.nextInt(3) > 0;
        pieces.add(call(place, call, nameFirst ? "" : arguments.removeFirst()));
        String id = byId ? "\"id\":\"" + call.providerId() + "\"," : "";
        arguments.forEach(
                part -> pieces.add("{" + place + id + "\"function\":{\"arguments\":" + writing.quoted(part) + "}}"));
        return pieces;
    }

    private String call(String place, RequestedCall call) {
        return call(place, call, call.arguments());
    }

    private String call(String place, RequestedCall call, String arguments) {
        return "{" + place + "\"id\":\"" + call.providerId() + "\",\"type\":\"function\",\"function\":{\"name\":\""
                + call.name() + "\",\"arguments\":" + writing.quoted(arguments) + "}}";
    }

    private void callDelta(String call) {
        delta("{\"tool_calls\":[" + call + "]}");
    }

    private void delta(String delta) {
        String finish = random.nextBoolean() ? ",\"finish_reason\":null" : "";
        frames.add("{\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":" + delta
                + finish + "}]}");
    }

    private String finish() {
        return meant.finish().isEmpty()
                ? (random.nextBoolean() ? "" : ",\"finish_reason\":null")
                : ",\"finish_reason\":\"" + meant.finish() + "\"";
    }

    private String usage() {
        Usage usage = meant.usage();
        return usage.equals(Usage.NONE)
                ? ""
                : ",\"usage\":{\"prompt_tokens\":" + usage.inputTokens() + ",\"completion_tokens\":"
                        + usage.outputTokens() + ",\"total_tokens\":" + usage.totalTokens() + "}";
    }
}
