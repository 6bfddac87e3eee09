package dev.chargehand.server.internal.wire.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.server.internal.wire.Encoder;
import dev.chargehand.server.internal.wire.Frame;
import dev.chargehand.server.internal.wire.RecordedRuns;
import dev.chargehand.server.internal.wire.RecordedRuns.Recorded;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Chat completions and responses of recorded events, whole and cut after each of them. */
class ResponseEncoderTest {

    static List<Recorded> runs() {
        return RecordedRuns.all();
    }

    private static List<String> cut(Encoder encoder, List<RunEvent> events) {
        List<Frame> frames = new ArrayList<>();
        events.forEach(event -> frames.addAll(encoder.encode(event)));
        frames.addAll(encoder.released());
        return frames.stream().map(Frame::text).toList();
    }

    @ParameterizedTest
    @MethodSource("runs")
    void aStreamHasOneTerminalEventWhereverItIsCut(Recorded run) {
        for (int i = 0; i <= run.live().size(); i++) {
            List<String> chat = cut(
                    new ChatEncoder(run.root(), "m", true, true, List.of()),
                    run.live().subList(0, i));
            assertThat(chat).filteredOn(Frame.DONE.text()::equals).hasSize(1);
            assertThat(chat).last().isEqualTo(Frame.DONE.text());
            List<String> response = cut(
                    new ResponseEncoder(run.root(), "m", false, true, List.of()),
                    run.live().subList(0, i));
            assertThat(response)
                    .filteredOn(frame -> frame.matches("(?s)event: response\\.(completed|failed|incomplete)\n.*"))
                    .hasSize(1);
        }
    }

    @ParameterizedTest
    @MethodSource("runs")
    void whatIsReadLaterIsWhatWasStreamed(Recorded run) {
        ResponseEncoder live = new ResponseEncoder(run.root(), "m", false, true, List.of());
        run.live().forEach(live::encode);
        ResponseEncoder later = new ResponseEncoder(run.root(), "m", false, true, List.of());
        run.stored().forEach(later::encode);
        boolean interrupted = run.name().equals("other") || run.name().equals("failing");
        if (!interrupted) { // else a part of a text was sent that is no text of the run
            assertThat(Json.of(later.response().get("output")))
                    .isEqualTo(Json.of(live.response().get("output")));
            assertThat(later.response().get("status")).isEqualTo(live.response().get("status"));
        }
    }

    @ParameterizedTest
    @MethodSource("runs")
    void everyEventAloneIsNoError(Recorded run) {
        for (RunEvent event : run.live()) {
            var unused = new ChatEncoder(run.root(), "m", true, true, List.of()).encode(event);
            unused = new ResponseEncoder(run.root(), "m", false, true, List.of()).encode(event);
        }
    }
}
