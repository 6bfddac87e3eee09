package dev.chargehand.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Runs that seeds have made up, on all wires: what is sent follows the rules of the contract, and the clients accept it. The build has a
 * sample. For more, run this class with {@code -Dchargehand.generated.runs=1000}, and {@code -Dchargehand.generated.first=5000} for other
 * seeds; calls of a run are executed at once, so that a seed gives the same run in most cases only. Where these runs lack something that
 * wires distinguish, the following seeds are taken too until it occurs. A failure shows the events.
 */
class GeneratedRunsTest {

    private static final int RUNS = Integer.getInteger("chargehand.generated.runs", 100);
    private static final long FIRST = Long.getLong("chargehand.generated.first", 1);
    private static final Path FOLDER = Path.of("target", "generated-runs").toAbsolutePath();

    private static final int MOST_FURTHER_RUNS = 2_000;
    private static final Set<String> DISTINGUISHED = Set.of(
            "StreamResumed",
            "StepRetry",
            "Tripwire",
            "Abort",
            "Error",
            "DelegationBail",
            "HookError",
            "ToolCallApproval",
            "ToolCallSuspended",
            "ToolOutputDenied",
            "ToolCallDelta",
            "ObjectResult",
            "NetworkFinish",
            "WorkflowFinish",
            "DelegationRejected",
            "ReasoningDelta",
            "ScoringComplete");

    private static final List<GeneratedRun> ALL = runs();
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
        assertThat(ALL.stream().flatMap(GeneratedRunsTest::types)).containsAll(DISTINGUISHED);
    }

    private static List<GeneratedRun> runs() {
        List<GeneratedRun> runs = new ArrayList<>();
        Set<String> missing = new HashSet<>(DISTINGUISHED);
        for (int i = 0; i < RUNS || (!missing.isEmpty() && i < RUNS + MOST_FURTHER_RUNS); i++) {
            GeneratedRun run = GeneratedRun.of(FIRST + i);
            if (types(run).filter(missing::remove).count() > 0 || i < RUNS) {
                runs.add(run);
            }
        }
        return List.copyOf(runs);
    }

    private static Stream<String> types(GeneratedRun run) {
        return run.live().stream().map(event -> event.getClass().getSimpleName());
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
