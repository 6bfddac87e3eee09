package dev.chargehand.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Runs that seeds have made up, on all wires: what is sent follows the rules of the contract, and the clients accept it. The build has a
 * sample. For more, run this class with {@code -Dchargehand.generated.runs=1000}, and {@code -Dchargehand.generated.first=5000} for other
 * seeds; calls of a run are executed at once, so that a seed gives the same run in most cases only. A failure shows the events.
 */
class GeneratedRunsTest {

    private static final int RUNS = Integer.getInteger("chargehand.generated.runs", 100);
    private static final long FIRST = Long.getLong("chargehand.generated.first", 1);
    private static final Path FOLDER = Path.of("target", "generated-runs").toAbsolutePath();

    private static final List<GeneratedRun> ALL =
            LongStream.range(FIRST, FIRST + RUNS).mapToObj(GeneratedRun::of).toList();
    private static final GeneratedRun SAMPLE =
            new GeneratedRun(0, SampleEvents.ROOT, false, SampleEvents.all(), List.of(), List.of());

    @ParameterizedTest
    @EnumSource
    void whatIsSentFollowsTheRules(Delivery.Wire wire) {
        for (GeneratedRun run : ALL) {
            Delivery.of(run, wire).forEach(WireRules::check);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anEventAloneFollowsTheRulesOfFrames(Delivery.Wire wire) {
        List<Delivery> alone = alone(wire).toList();
        assertThat(alone).hasSizeGreaterThan(60).allSatisfy(delivery -> {
            assertThat(delivery.frames()).isNotEmpty();
            WireRules.checkFrames(delivery);
        });
    }

    @Test
    void theRunsHaveWhatWiresDistinguish() {
        List<String> types = ALL.stream()
                .flatMap(run -> run.live().stream())
                .map(event -> event.getClass().getSimpleName())
                .distinct()
                .toList();
        assertThat(types)
                .contains("StreamResumed", "StepRetry", "Tripwire", "Abort", "Error", "DelegationBail", "HookError")
                .contains("ToolCallApproval", "ToolCallSuspended", "ToolOutputDenied", "ToolCallDelta", "ObjectResult")
                .contains("NetworkFinish", "WorkflowFinish", "DelegationRejected", "ReasoningDelta", "ScoringComplete");
    }

    private static Stream<Delivery> alone(Delivery.Wire wire) {
        return SAMPLE.live().stream().map(event -> Delivery.ofOne(SAMPLE, wire, event));
    }

    /** With the clients of others. */
    @Nested
    @NodeRequired
    class InNode {

        @ParameterizedTest
        @EnumSource
        void theClientAcceptsWhatIsSent(Delivery.Wire wire) throws IOException {
            List<String> lines = new ArrayList<>();
            for (GeneratedRun run : ALL) {
                lines.add(line(run, Delivery.of(run, wire)));
            }
            lines.add(line(SAMPLE, alone(wire).toList()));
            Files.createDirectories(FOLDER);
            Path file = FOLDER.resolve(wire + ".ndjson");
            Files.write(file, lines);
            List<String> reports = NodeProcess.run("generated.mjs", wire.name(), file.toString());
            assertThat(reports.getLast()).startsWith("{\"checked\":");
            assertThat(reports.subList(0, reports.size() - 1))
                    .as("not accepted, of " + file)
                    .isEmpty();
        }

        private static String line(GeneratedRun run, List<Delivery> deliveries) {
            return Json.of(Map.of(
                            "run",
                            run.seed(),
                            "requests",
                            deliveries.stream()
                                    .map(each -> Map.of("request", each.request(), "body", each.body()))
                                    .toList()))
                    .text();
        }
    }
}
