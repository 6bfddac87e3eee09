package dev.chargehand.server.internal.wire.agui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.server.internal.wire.Frame;
import dev.chargehand.server.internal.wire.RecordedRuns;
import dev.chargehand.server.internal.wire.RecordedRuns.Recorded;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Events of AG-UI for recorded events, whole and cut after each of them. */
class AgUiEncoderTest {

    static List<Recorded> runs() {
        return RecordedRuns.all();
    }

    private static List<Json> events(Recorded run, List<RunEvent> recorded) {
        AgUiEncoder encoder = new AgUiEncoder(run.root(), "t", "r", List.of());
        List<Frame> frames = new ArrayList<>();
        recorded.forEach(event -> frames.addAll(encoder.encode(event)));
        frames.addAll(encoder.released());
        return frames.stream()
                .map(frame -> Json.parse(frame.text().substring("data: ".length())))
                .toList();
    }

    private static String text(Json event, String field) {
        return event.at("/" + field).flatMap(Json::string).orElse("");
    }

    private static String key(Json event) {
        return text(event, "messageId") + text(event, "stepName") + "/" + text(event, "subagentRunId");
    }

    /** The rules of the client: one start, one end, and nothing open at a regular end. */
    private static void requireValid(List<Json> events) {
        Set<String> open = new HashSet<>();
        for (Json event : events) {
            String type = text(event, "type");
            String kind = type.replaceAll("_(START(ED)?|CONTENT|END|FINISHED|ERROR)$", "");
            if (type.equals("RUN_FINISHED")) {
                assertThat(open).isEmpty();
            } else if (type.endsWith("_START") || type.endsWith("_STARTED")) {
                assertThat(type.startsWith("RUN_") || type.startsWith("TOOL_") || open.add(kind + key(event)))
                        .isTrue();
            } else if (type.endsWith("_CONTENT")) {
                assertThat(open).contains(kind + key(event));
            } else if (type.matches("(TEXT|REASONING|STEP|SUBAGENT).*_(END|FINISHED|ERROR)")) {
                assertThat(open.remove(kind + key(event))).as(event.text()).isTrue();
            }
        }
        assertThat(text(events.getFirst(), "type")).isEqualTo("RUN_STARTED");
        assertThat(events.stream().map(event -> text(event, "type")))
                .filteredOn(type -> type.equals("RUN_FINISHED") || type.equals("RUN_ERROR"))
                .hasSize(1);
        assertThat(text(events.getLast(), "type")).isIn("RUN_FINISHED", "RUN_ERROR");
    }

    @ParameterizedTest
    @MethodSource("runs")
    void theEventsAreValidWhereverTheyAreCut(Recorded run) {
        for (int i = 0; i <= run.live().size(); i++) {
            requireValid(events(run, run.live().subList(0, i)));
        }
        requireValid(events(run, run.stored()));
    }
}
