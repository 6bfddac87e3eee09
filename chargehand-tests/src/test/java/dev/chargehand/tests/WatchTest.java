package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.approval.Approver;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.StoreException;
import dev.chargehand.event.Cursor;
import dev.chargehand.event.EventId;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunWatch;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A reader of a run in any process receives each event with an id once, in the order of the tree. */
class WatchTest {

    private static final Approver ANN = Approver.of("ann");

    @TempDir
    private Path directory;

    /** Parallel, nested and suspended: the writer asks before it deletes. */
    private static Script script() {
        return Scripts.of(
                Turns.of(
                        "supervisor",
                        Turn.delegates("researcher", "Find")
                                .and(Turn.calls("ok", Map.of()))
                                .and(Turn.delegates("writer", "Write")),
                        Turn.says("Done")),
                Turns.of("researcher", Turn.says("I look.").and(Turn.calls("ok", Map.of())), Turn.says("Found")),
                Turns.of("writer", Turn.calls("deleteRecord", Map.of("id", "r1")), Turn.says("Written")));
    }

    private static Agent supervisor() {
        Tool delete = Steps.approvedTool("deleteRecord", (in, context) -> "deleted");
        return Crew.agent(
                "supervisor", agent -> agent.agents(Crew.member("researcher", Crew.OK), Crew.member("writer", delete))
                        .tools(Crew.OK));
    }

    private TestRuntime process() {
        return Crew.playing(JdbcStore.sqlite(directory.resolve("runs.db")), script(), supervisor());
    }

    @Test
    void aCutAfterAnyEventLosesAndDoublesNothing() {
        try (TestRuntime test = process()) {
            RunResult waiting = test.agent("supervisor").generate("Go");
            RunResult done = test.runtime()
                    .approve(waiting.pendingApprovals().getFirst(), ANN)
                    .result();
            List<RunEvent> history = test.runtime().history(done.runId());
            assertThat(stored(test.events())).isEqualTo(stored(history));

            for (int cut = 0; cut <= stored(history).size(); cut++) {
                List<RunEvent> received = new ArrayList<>();
                Cursor cursor = null;
                try (RunWatch first = test.runtime().watch(done.runId(), null)) {
                    for (RunEvent event : first) {
                        if (stored(received).size() == cut) {
                            break;
                        }
                        received.add(event);
                        cursor = first.cursor().orElse(null);
                    }
                }
                received.addAll(rest(test, done.runId(), cursor));
                assertThat(stored(received)).as("cut after %d events", cut).isEqualTo(stored(history));
            }
        }
    }

    @Test
    void anotherProcessReceivesWhatHappensAndStaysWhileTheRunWaits() throws Exception {
        try (TestRuntime test = process();
                TestRuntime other = process()) {
            RunResult waiting = test.agent("supervisor").generate("Go");
            CompletableFuture<Void> suspended = new CompletableFuture<>();
            CompletableFuture<List<RunEvent>> received = CompletableFuture.supplyAsync(() -> {
                List<RunEvent> events = new ArrayList<>();
                try (RunWatch watch = other.runtime().watch(waiting.runId(), null)) {
                    watch.forEach(event -> {
                        events.add(event);
                        if (event instanceof RunEvent.RunSuspend && event.path().isRoot()) {
                            suspended.complete(null);
                        }
                    });
                }
                return events;
            });
            suspended.get();
            RunResult done = test.runtime()
                    .approve(waiting.pendingApprovals().getFirst(), ANN)
                    .result();

            assertThat(done.status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(stored(received.get())).isEqualTo(stored(test.events()));
            assertThatEvents(received.get()).arePaired().endWithRunFinish().haveGrowingIds();
            assertThat(Routed.all(RunEvent.TextDelta.class, received.get()))
                    .extracting(RunEvent.TextDelta::text)
                    .contains("I look.", "Found", "Written", "Done");
        }
    }

    @Test
    void theProcessThatExecutesTheRunGivesDeltasToAReaderThatCameInTime() throws Exception {
        CountDownLatch joined = new CountDownLatch(1);
        CompletableFuture<RunId> started = new CompletableFuture<>();
        Tool hold = Steps.tool("hold", (in, context) -> {
            started.complete(context.runId());
            joined.await();
            return "held";
        });
        Script script = Scripts.on("solo", Turn.calls("hold", Map.of()), Turn.says("All is well"));
        try (TestRuntime test = Crew.playing(script, Crew.solo(hold))) {
            CompletableFuture<RunResult> result =
                    CompletableFuture.supplyAsync(() -> test.agent("solo").generate("Go"));
            List<RunEvent> received = new ArrayList<>();
            try (RunWatch watch = test.runtime().watch(started.get(), null)) {
                for (RunEvent event : watch) {
                    received.add(event);
                    if (event instanceof RunEvent.ToolCall) {
                        joined.countDown();
                    }
                }
            }
            assertThat(result.get().text()).isEqualTo("All is well");
            assertThat(stored(received)).isEqualTo(stored(test.events()));
            assertThatEvents(received).arePaired().endWithRunFinish();
        }
    }

    @Test
    void aReaderThatResumesIsToldSo() {
        try (TestRuntime test = process()) {
            RunResult waiting = test.agent("supervisor").generate("Go");
            try (RunWatch watch = test.runtime().watch(waiting.runId(), null)) {
                watch.iterator().next();
                Cursor cursor = Cursor.parse(watch.cursor().orElseThrow().toString());
                assertThat(cursor).isEqualTo(new Cursor(waiting.runId(), 1, new EventId(1, 10)));
                try (RunWatch again = test.runtime().watch(waiting.runId(), cursor)) {
                    assertThat(again.iterator().next())
                            .isInstanceOfSatisfying(RunEvent.StreamResumed.class, resumed -> {
                                assertThat(resumed.reset()).isFalse();
                                assertThat(resumed.type()).isEqualTo("stream-resumed");
                            });
                }
            }
        }
    }

    @Test
    void aCursorOfFactsThatAPowerCutTookBackBeginsAnew() {
        try (TestRuntime test = process()) {
            RunResult waiting = test.agent("supervisor").generate("Go");
            RunResult done = test.runtime()
                    .approve(waiting.pendingApprovals().getFirst(), ANN)
                    .result();
            EventId last = test.events().getLast().origin().id().orElseThrow();
            for (Cursor lost : List.of(
                    new Cursor(done.runId(), 1, last), // stored again in a later epoch
                    new Cursor(done.runId(), 2, new EventId(last.position() + 1, 10)))) {
                try (RunWatch watch = test.runtime().watch(done.runId(), lost)) {
                    List<RunEvent> received = new ArrayList<>();
                    watch.forEach(received::add);
                    assertThat(received.getFirst())
                            .isInstanceOfSatisfying(RunEvent.StreamResumed.class, resumed -> assertThat(resumed.reset())
                                    .isTrue());
                    assertThat(stored(received)).isEqualTo(stored(test.events()));
                }
            }
        }
    }

    @Test
    void aRunThatItsStoreHasForgottenCannotBeWatched() {
        try (TestRuntime test =
                Crew.playing(InMemoryStore.create(), Scripts.on("solo", Turn.says("Done")), Crew.solo())) {
            RunResult done = test.agent("solo").generate("Go");
            assertThatThrownBy(() -> test.runtime().watch(done.runId(), null))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.NOT_FOUND));
        }
    }

    @Test
    void anotherRunsCursorAndANestedRunAreRejected() {
        try (TestRuntime test = process()) {
            RunResult waiting = test.agent("supervisor").generate("Go");
            Cursor other = new Cursor(new RunId("other"), 1, new EventId(1, 10));
            assertThatThrownBy(() -> test.runtime().watch(waiting.runId(), other))
                    .isInstanceOf(IllegalArgumentException.class);
            RunId nested = Routed.all(RunEvent.DelegationStart.class, test.events())
                    .getFirst()
                    .childRunId();
            assertThatThrownBy(() -> test.runtime().watch(nested, null)).isInstanceOf(ConfigurationException.class);
            for (String text : List.of("", "1", "2.run.1.1.1", "1..1.1.1", "1.run.1.x.1")) {
                assertThatThrownBy(() -> Cursor.parse(text)).isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    private static List<RunEvent> rest(TestRuntime test, RunId run, @Nullable Cursor cursor) {
        List<RunEvent> events = new ArrayList<>();
        try (RunWatch watch = test.runtime().watch(run, cursor)) {
            watch.forEach(events::add);
        }
        return events;
    }

    private static List<String> stored(List<RunEvent> events) {
        return events.stream()
                .flatMap(event -> event.origin().id().stream().map(id -> id + " " + event.runId() + " " + event.type()))
                .toList();
    }
}
