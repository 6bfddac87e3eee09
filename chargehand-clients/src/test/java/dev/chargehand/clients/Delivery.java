package dev.chargehand.clients;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.server.internal.wire.AnswerText;
import dev.chargehand.server.internal.wire.Encoder;
import dev.chargehand.server.internal.wire.Frame;
import dev.chargehand.server.internal.wire.agui.AgUiEncoders;
import dev.chargehand.server.internal.wire.aisdk.AiSdkEncoders;
import dev.chargehand.server.internal.wire.mastra.MastraEncoders;
import dev.chargehand.server.internal.wire.openai.OpenAiEncoders;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * What one request of a client receives of a run.
 *
 * @param request the request: {@code start}, {@code answer}, {@code cut} for one that is cut, or {@code read}
 */
record Delivery(GeneratedRun run, Wire wire, String request, List<Frame> frames) {

    /** The forms in which runs are sent. */
    enum Wire {
        CHAT,
        RESPONSES,
        AI_SDK,
        AG_UI,
        MASTRA
    }

    /** Return the requests of a client that starts a run and answers all that it asks, then those of clients that are cut or come later. */
    static List<Delivery> of(GeneratedRun run, Wire wire) {
        List<Delivery> all = new ArrayList<>();
        all.add(of(run, wire, "start", encoder(run, wire, 0, List.of(), false), run.live()));
        for (int i = 0; i < run.answers().size(); i++) {
            Encoder encoder = encoder(run, wire, i + 1, run.answers().get(i), false);
            all.add(of(run, wire, "answer", encoder, run.live()));
        }
        SplittableRandom random = new SplittableRandom(run.seed());
        List<RunEvent> cut = run.live().subList(0, random.nextInt(run.live().size() + 1));
        all.add(of(run, wire, "cut", encoder(run, wire, 0, List.of(), false), cut));
        if (!run.stored().isEmpty()) {
            Encoder encoder = encoder(run, wire, run.suspensions(), List.of(), true);
            all.add(of(run, wire, "read", encoder, run.stored()));
        }
        return all;
    }

    /** Return what is sent of one event after the start of its run. */
    static Delivery ofOne(GeneratedRun run, Wire wire, RunEvent event) {
        RunEvent start = run.live().getFirst();
        List<RunEvent> events = event.equals(start) ? List.of(start) : List.of(start, event);
        return of(run, wire, "alone", encoder(run, wire, 0, List.of(), false), events);
    }

    private static Delivery of(GeneratedRun run, Wire wire, String request, Encoder encoder, List<RunEvent> events) {
        List<Frame> frames = new ArrayList<>();
        for (RunEvent event : events) {
            if (!encoder.isDone()) {
                frames.addAll(encoder.encode(event));
            }
        }
        if (!encoder.isDone()) {
            frames.addAll(encoder.released());
        }
        return new Delivery(run, wire, request, frames);
    }

    private static Encoder encoder(
            GeneratedRun run, Wire wire, int past, List<PendingApproval> answered, boolean reads) {
        RunId root = run.root();
        AnswerText.Timing timing = timing(run);
        return switch (wire) {
            case CHAT -> OpenAiEncoders.chat(root, timing, answered);
            case RESPONSES -> OpenAiEncoders.response(root, timing, reads ? past : 0, answered);
            case AI_SDK -> AiSdkEncoders.of(root, past, answered, Set.of(GeneratedAgents.EXTERNAL));
            case AG_UI -> reads ? AgUiEncoders.reading(root, past) : AgUiEncoders.of(root, answered);
            case MASTRA ->
                reads
                        ? MastraEncoders.observing(root, run.network(), past)
                        : MastraEncoders.of(root, run.network(), answered);
        };
    }

    private static AnswerText.Timing timing(GeneratedRun run) {
        AnswerText.Timing[] all = AnswerText.Timing.values();
        return all[(int) (run.seed() % all.length)];
    }

    /** Return the text that a client receives. */
    String body() {
        StringBuilder body = new StringBuilder();
        frames.forEach(frame -> body.append(frame.text()));
        return body.toString();
    }

    /** Return the JSON of all frames but the mark of the end. */
    List<Json> chunks() {
        return frames.stream()
                .filter(frame -> !frame.equals(Frame.DONE))
                .map(frame -> Json.parse(frame.text().substring(frame.text().indexOf("data: ") + "data: ".length())))
                .toList();
    }

    @Override
    public String toString() {
        return wire + ", " + request + ", " + run + "\n\n" + body();
    }
}
