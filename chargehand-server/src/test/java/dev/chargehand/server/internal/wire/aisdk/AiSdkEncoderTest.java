package dev.chargehand.server.internal.wire.aisdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.event.Origin;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.ProcessorPhase;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.server.internal.wire.Frame;
import dev.chargehand.server.internal.wire.RecordedRuns;
import dev.chargehand.server.internal.wire.RecordedRuns.Recorded;
import dev.chargehand.server.internal.wire.aisdk.AiSdkEncoder.From;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages of recorded events, whole and cut after each of them. */
class AiSdkEncoderTest {

    static List<Recorded> runs() {
        return RecordedRuns.all();
    }

    private static List<Json> chunks(Recorded run, List<RunEvent> events, From from) {
        AiSdkEncoder encoder = new AiSdkEncoder(run.root(), from, Set.of());
        List<Frame> frames = new ArrayList<>();
        events.forEach(event -> frames.addAll(encoder.encode(event)));
        frames.addAll(encoder.released());
        assertThat(frames).last().isEqualTo(Frame.DONE);
        return frames.subList(0, frames.size() - 1).stream()
                .map(frame -> Json.parse(frame.text().substring("data: ".length())))
                .toList();
    }

    private static String text(Json chunk, String field) {
        return chunk.at("/" + field).flatMap(Json::string).orElse("");
    }

    /** The rules of the client: parts are open once, closed before the step, and steps do not overlap. */
    private static void requireValid(List<Json> chunks) {
        Set<String> open = new HashSet<>();
        Set<String> calls = new HashSet<>();
        boolean step = false;
        for (Json chunk : chunks) {
            String type = text(chunk, "type");
            String kind = type.substring(0, Math.max(0, type.indexOf('-')));
            switch (type) {
                case "text-start", "reasoning-start" ->
                    assertThat(open.add(kind + text(chunk, "id"))).isTrue();
                case "text-delta", "reasoning-delta" -> assertThat(open).contains(kind + text(chunk, "id"));
                case "text-end", "reasoning-end" ->
                    assertThat(open.remove(kind + text(chunk, "id"))).isTrue();
                case "start-step" -> {
                    assertThat(step).isFalse();
                    step = true;
                }
                case "finish-step" -> {
                    assertThat(step).isTrue();
                    assertThat(open).isEmpty();
                    step = false;
                }
                case "tool-input-start" -> calls.add(text(chunk, "toolCallId"));
                case "tool-output-available", "tool-output-error", "tool-output-denied", "tool-approval-request" ->
                    assertThat(calls).contains(text(chunk, "toolCallId"));
                case "finish" -> assertThat(step).isFalse();
                default -> {}
            }
        }
    }

    @ParameterizedTest
    @MethodSource("runs")
    void aMessageIsValidWhereverItIsCut(Recorded run) {
        From whole = new From(run.suspensions(), List.of());
        for (int i = 0; i <= run.live().size(); i++) {
            requireValid(chunks(run, run.live().subList(0, i), From.START));
            requireValid(chunks(run, run.live().subList(0, i), whole));
        }
        requireValid(chunks(run, run.stored(), whole));
    }

    @ParameterizedTest
    @MethodSource("runs")
    void aMessageThatIsResumedHasTheWholeText(Recorded run) {
        From whole = new From(run.suspensions(), List.of());
        if (!run.name().equals("failing")) { // the text of a step that failed is not stored
            assertThat(words(chunks(run, run.stored(), whole))).isEqualTo(words(chunks(run, run.live(), whole)));
        }
    }

    @Test
    void aStepThatAProcessorBlocksEndsBeforeItsMessage() {
        Origin origin = new Origin(new RunId("r-1"), AgentPath.root("lead"), 1, Instant.EPOCH);
        StopReason reason = new StopReason.Tripwire("guard", ProcessorPhase.OUTPUT_STEP, "Not that.", null);
        List<RunEvent> events = List.of(
                new RunEvent.StepStart(origin),
                new RunEvent.Tripwire(origin, "guard", "processOutputStep", "Not that.", false, null),
                new RunEvent.RunFinish(origin, reason.status(), reason, "", Usage.NONE, Duration.ZERO, List.of()));
        AiSdkEncoder encoder = new AiSdkEncoder(origin.runId(), From.START, Set.of());
        assertThat(events.stream()
                        .flatMap(event -> encoder.encode(event).stream())
                        .filter(frame -> !frame.equals(Frame.DONE))
                        .map(frame -> text(Json.parse(frame.text().substring("data: ".length())), "type")))
                .containsSubsequence("start-step", "finish-step", "finish");
    }

    /** Its name resembles those of events of networks. */
    @Test
    void anEventOfTheApplicationKeepsItsName() {
        RunId root = new RunId("r-1");
        Origin origin = new Origin(root, AgentPath.root("lead"), 1, Instant.EPOCH);
        Frame frame = new AiSdkEncoder(root, From.START, Set.of())
                .encode(new RunEvent.Data(origin, "pre-execution-check", Json.of("passed")))
                .getLast();
        assertThat(text(Json.parse(frame.text().substring("data: ".length())), "type"))
                .isEqualTo("data-pre-execution-check");
    }

    /** Return the text of a message after parts that were taken back. */
    private static String words(List<Json> chunks) {
        StringBuilder words = new StringBuilder();
        int step = 0;
        for (Json chunk : chunks) {
            switch (text(chunk, "type")) {
                case "start-step" -> step = words.length();
                case "reset-step" -> words.setLength(step);
                case "text-delta" -> words.append(text(chunk, "delta"));
                default -> {}
            }
        }
        return words.toString();
    }
}
