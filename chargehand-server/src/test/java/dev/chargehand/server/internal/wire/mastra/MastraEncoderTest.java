package dev.chargehand.server.internal.wire.mastra;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.server.internal.wire.Frame;
import dev.chargehand.server.internal.wire.RecordedRuns;
import dev.chargehand.server.internal.wire.RecordedRuns.Recorded;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Chunks of Mastra for recorded events, whole and cut after each of them. */
class MastraEncoderTest {

    static List<Recorded> runs() {
        return RecordedRuns.agents();
    }

    private static List<Json> chunks(Recorded run, List<RunEvent> events) {
        MastraEncoder encoder = new MastraEncoder(run.root(), List.of());
        List<Frame> frames = new ArrayList<>();
        events.forEach(event -> frames.addAll(encoder.encode(event)));
        frames.addAll(encoder.released());
        assertThat(frames).last().isEqualTo(Frame.DONE);
        assertThat(frames).filteredOn(Frame.DONE::equals).hasSize(1);
        return frames.subList(0, frames.size() - 1).stream()
                .map(frame -> Json.parse(frame.text().substring("data: ".length())))
                .toList();
    }

    private static String text(Json chunk, String pointer) {
        return chunk.at(pointer).flatMap(Json::string).orElse("");
    }

    @ParameterizedTest
    @MethodSource("runs")
    void aStreamEndsWithTheMarkWhereverItIsCut(Recorded run) {
        for (int i = 0; i <= run.live().size(); i++) {
            List<Json> chunks = chunks(run, run.live().subList(0, i));
            assertThat(chunks).allSatisfy(chunk -> {
                assertThat(text(chunk, "/runId")).isEqualTo(run.root().value());
                assertThat(text(chunk, "/from")).isEqualTo("AGENT");
            });
        }
    }

    @ParameterizedTest
    @MethodSource("runs")
    void aResultFollowsItsCallAtEveryLevel(Recorded run) {
        Set<String> calls = new HashSet<>();
        for (Json chunk : chunks(run, run.live())) {
            Json inner = chunk;
            for (Optional<Json> next = inner.at("/payload/output/type"); next.isPresent(); ) {
                assertThat(calls).contains(text(inner, "/payload/toolCallId"));
                inner = inner.at("/payload/output").orElseThrow();
                next = inner.at("/payload/output/type");
            }
            String id = text(inner, "/payload/toolCallId");
            switch (text(inner, "/type")) {
                case "tool-call" -> calls.add(id);
                case "tool-result", "tool-error", "tool-call-approval" ->
                    assertThat(calls).contains(id);
                default -> {}
            }
        }
    }
}
