package dev.chargehand.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.cli.result.RunTimes;
import dev.chargehand.run.RunId;
import dev.chargehand.store.RunRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs in a list on a terminal. */
class RunLinesTest {

    private static List<RunLines.Listed> runs(String... ids) {
        return Stream.of(ids)
                .map(id -> RunRecord.builder(new RunId(id), "supervisor", "owner", Instant.EPOCH)
                        .build())
                .map(run -> new RunLines.Listed(run, List.of(), false, RunTimes.ofWork(Duration.ZERO)))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 100, 200})
    void noLineIsWiderThanTheTerminal(int columns) {
        List<String> lines = RunLines.withHeader(runs("run_1111111111111", "run_2222222222222"), columns);

        assertThat(lines).hasSize(3).allMatch(line -> line.length() <= columns);
    }

    @Test
    void whatDoesNotFitIsMarked() {
        assertThat(RunLines.withHeader(runs("run_1111111111111"), 40).getFirst())
                .hasSize(40)
                .endsWith("…");
    }

    @Test
    void aNarrowTerminalShowsWhatTheRunIsAboutBeforeItsAmounts() {
        assertThat(RunLines.withHeader(runs("run_1111111111111"), 80).getFirst())
                .matches("RUN +STATE +AGENT +STARTED +THREAD, WAITS FOR, INPUT");
        assertThat(RunLines.withHeader(runs("run_1111111111111"), 59).getFirst())
                .matches("RUN +STATE +AGENT +THREAD, WAITS FOR, INPUT");
    }

    @Test
    void idsAreAsLongAsTheyMustBeToDiffer() {
        assertThat(RunLines.withHeader(runs("run_1111111111111", "run_2222222222222"), 200))
                .anyMatch(line -> line.startsWith("run_11111111  "));
        assertThat(RunLines.withHeader(runs("run_1111111111111", "run_1111111111112"), 200))
                .anyMatch(line -> line.startsWith("run_1111111111112  "));
    }
}
