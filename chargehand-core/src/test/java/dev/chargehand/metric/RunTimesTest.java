package dev.chargehand.metric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.event.Origin;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.metric.RunMetrics.Durations;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RunTimesTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final RunTimes times = new RunTimes();

    @Test
    void theFirstTextOfARootRunCountsFromItsStart() {
        starts("lead", null, 0);
        starts("writer", "lead", 100);
        says("writer", 200);
        says("lead", 700);
        says("lead", 900);
        assertThat(firstText()).hasValue(both(700));
    }

    @Test
    void aRunThatIsLeftBeforeItsFirstTextDoesNotCount() {
        starts("released", null, 0);
        times.onEvent(new RunEvent.RunReleased(at("released", 10)));
        says("released", 5_000);
        assertThat(firstText()).isEmpty();
    }

    @Test
    void toolsCountWithTheirOwnTimesAlsoIfTheyFail() {
        for (int i = 1; i <= 19; i++) {
            results("lead", i, 10);
        }
        fails("lead", 20, 3_000);
        assertThat(tools(0)).hasValue(both(10));
        fails("lead", 21, 2_000);
        assertThat(tools(0)).hasValue(new Durations(Duration.ofMillis(10), Duration.ofMillis(2_000)));
    }

    @Test
    void onlyWhatIsOfTheTenantAndSinceThenCounts() {
        results("lead", 50, 10);
        assertThat(tools(50)).hasValue(both(10));
        assertThat(tools(51)).isEmpty();
        assertThat(times.tools("acme", START)).isEmpty();
    }

    @Test
    void theNewestTenThousandAreKept() {
        for (int i = 0; i < 10_000; i++) {
            results("lead", i, 9_999);
        }
        assertThat(tools(0)).hasValue(both(9_999));
        for (int i = 10_000; i < 20_000; i++) {
            results("lead", i, 1);
        }
        assertThat(tools(0)).hasValue(both(1));
    }

    private Optional<Durations> firstText() {
        return times.firstText(Store.LOCAL, START);
    }

    private Optional<Durations> tools(long since) {
        return times.tools(Store.LOCAL, START.plusMillis(since));
    }

    private static Durations both(long millis) {
        return new Durations(Duration.ofMillis(millis), Duration.ofMillis(millis));
    }

    private void starts(String run, @Nullable String parent, long millis) {
        RunId above = parent == null ? null : new RunId(parent);
        times.onEvent(new RunEvent.RunStart(at(run, millis), run, run, above, null, null, null));
    }

    private void says(String run, long millis) {
        times.onEvent(new RunEvent.TextDelta(at(run, millis), "t", "Text."));
    }

    private void results(String run, long millis, long took) {
        times.onEvent(new RunEvent.ToolResult(at(run, millis), "c", "look", Json.of("seen"), Duration.ofMillis(took)));
    }

    private void fails(String run, long millis, long took) {
        times.onEvent(new RunEvent.ToolError(at(run, millis), "c", "look", "Failed.", null, Duration.ofMillis(took)));
    }

    private static Origin at(String run, long millis) {
        return new Origin(new RunId(run), AgentPath.root(run), 1, START.plusMillis(millis));
    }
}
