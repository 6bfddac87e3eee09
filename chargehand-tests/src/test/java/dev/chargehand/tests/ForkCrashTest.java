package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.ForkOrigin;
import dev.chargehand.run.Limit;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.spi.IdSource;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Forks whose process dies. */
class ForkCrashTest extends ForkFixture {

    @Test
    void anotherModelAnswersAForkAlsoAfterItsProcessDied() {
        Script script = script().on("other").says("Another word").forever();
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        FaultyStore dying = FaultyStore.over(store);
        RunId forked;
        try (TestRuntime test =
                builder(script).store(dying).ids(IdSource.secure()).build()) {
            RunResult old = test.agent("lead").generate("Go");
            RunResult fork = test.runtime()
                    .fork(old.runId(), 2, f -> f.model("scripted/other"))
                    .result();
            assertThat(fork).hasText("Another word");
            assertThat(fork.steps().getLast().model()).isEqualTo("scripted/other");
            int stored = dying.count(FaultyStore.Operation.APPEND);
            Crashing.goneBefore(stored + 2, dying);
            assertThatThrownBy(() -> test.runtime()
                            .fork(old.runId(), 1, f -> f.model("scripted/other"))
                            .result())
                    .isInstanceOf(RunFailedException.class);
            forked = store.list(RunFilter.ROOTS.statuses(RunStatus.RUNNING))
                    .getFirst()
                    .runId();
        }
        try (TestRuntime test =
                builder(script).store(store).ids(IdSource.secure()).build()) {
            assertThat(test.runtime().resume(forked, o -> {}).result()).hasText("Another word");
            assertThat(test.runtime().fork(forked, 1, f -> {}).result()).hasText("Another word");
        }
    }

    @Test
    void aForkWhoseProcessIsGoneBetweenAnyTwoFactsEndsAsTheUndisturbedOne(@TempDir Path folder) {
        for (int cut = 2; cut < 7; cut++) {
            Path database = folder.resolve("runs" + cut + ".db");
            RunId forked;
            String text;
            try (TestRuntime test = builder(script())
                    .store(JdbcStore.sqlite(database))
                    .ids(IdSource.secure())
                    .build()) {
                RunResult old = test.agent("lead").generate("Go", Crew::inThread);
                text = old.text();
            }
            FaultyStore dying = Crashing.goneBefore(cut, JdbcStore.sqlite(database));
            try (TestRuntime test =
                    builder(script()).store(dying).ids(IdSource.secure()).build()) {
                RunId old = dying.list(RunFilter.ROOTS).getFirst().runId();
                forked = runIdOf(() -> test.runtime()
                        .fork(old, 1, f -> f.options(o -> o.limit(Limit.TOOL_CALLS, 2)))
                        .result());
            }
            try (TestRuntime test = builder(script())
                    .store(JdbcStore.sqlite(database))
                    .ids(IdSource.secure())
                    .build()) {
                RunResult result = test.runtime().resume(forked, o -> {}).result();
                assertThat(result)
                        .as("cut before append %s", cut)
                        .finished()
                        .hasText(text)
                        .hasSteps(4);
                assertThat(result).hasTotalUsage(Usage.of(40, 20));
                assertThat(result.forkedFrom()).map(ForkOrigin::step).contains(1);
                assertThat(thread(test, result.threadId().orElseThrow())).isEqualTo(thread(test, "t"));
            }
        }
        assertThat(done)
                .filteredOn(d -> d.text().equals("a"))
                .as("the copied call")
                .hasSize(5);
    }

    @Test
    void theTimeOfAForkIsItsOwnAlsoAfterItsProcessDied() {
        ManualClock clock = new ManualClock();
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        FaultyStore dying = FaultyStore.over(store);
        RunId forked;
        try (TestRuntime test = builder(script())
                .store(dying)
                .time(clock)
                .ids(IdSource.secure())
                .build()) {
            RunId old = test.agent("lead").generate("Go").runId();
            clock.advance(Duration.ofHours(2));
            int stored = dying.count(FaultyStore.Operation.APPEND);
            Crashing.goneBefore(stored + 2, dying);
            runIdOf(() -> test.runtime().fork(old, 1, f -> {}).result());
            forked = store.list(RunFilter.ROOTS.statuses(RunStatus.RUNNING))
                    .getFirst()
                    .runId();
        }
        clock.advance(Duration.ofHours(1));
        try (TestRuntime test = builder(script())
                .store(store)
                .time(clock)
                .ids(IdSource.secure())
                .build()) {
            assertThat(test.runtime().resume(forked, o -> {}).result()).finished();
            assertThat(test.events().getLast())
                    .isInstanceOfSatisfying(RunEvent.RunFinish.class, end -> assertThat(end.duration())
                            .isEqualTo(Duration.ZERO));
        }
    }
}
