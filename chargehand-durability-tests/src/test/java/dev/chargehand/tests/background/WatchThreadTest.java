package dev.chargehand.tests.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunsCursor;
import dev.chargehand.event.RunsWatch;
import dev.chargehand.fixture.PostgresServer;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunId;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.thread.ThreadOwner;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Readers of a conversation, and of background tasks, that any processes execute. */
@Timeout(180)
class WatchThreadTest {

    @TempDir
    Path folder;

    private final Map<String, String> databases = new ConcurrentHashMap<>();

    /** Return how to open a database, once for each process. */
    private Supplier<Store> database(boolean isPostgres) {
        return isPostgres
                ? () -> JdbcStore.postgres(
                        databases.computeIfAbsent("postgres", name -> PostgresServer.newStore()),
                        PostgresServer.USER,
                        "")
                : () -> JdbcStore.sqlite(folder.resolve("watched.db"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aReaderInAnotherProcessGetsTheWholeConversationAsItHappens(boolean isPostgres) throws InterruptedException {
        Supplier<Store> database = database(isPostgres);
        BlockingQueue<List<RunEvent>> read = new LinkedBlockingQueue<>();
        try (TestRuntime other = WatchFixture.reading(database.get());
                TestRuntime test = WatchFixture.working(database.get());
                RunsWatch before = WatchFixture.watch(other, null)) {
            Thread reader =
                    Thread.ofVirtual().start(() -> read.add(WatchFixture.readUntil(before, "Seen: [Found bees]")));
            assertThat(test.agent("boss")
                            .generateUntilIdle("Research bees", TaskFixture.onThread())
                            .text())
                    .isEqualTo("Seen: [Found bees]");
            List<RunEvent> live = read.take();
            reader.join();
            try (RunsWatch after = WatchFixture.watch(other, null)) {
                List<RunEvent> past = WatchFixture.readUntil(after, "Seen: [Found bees]");
                assertThat(WatchFixture.ids(past)).doesNotHaveDuplicates();
                assertThat(WatchFixture.ids(live)).containsExactlyInAnyOrderElementsOf(WatchFixture.ids(past));
                assertThat(WatchFixture.mainTypes(past))
                        .startsWith("run-start", "background-task-started", "run-finish")
                        .containsSubsequence(
                                "background-task-running", "background-task-completed", "run-start", "run-finish");
            }
        }
    }

    /** Another reader continues after each single event, and one gets what the other has not got. */
    @Test
    void readersThatContinueGetEachEventOnce() {
        Supplier<Store> database = database(false);
        try (TestRuntime test = WatchFixture.working(database.get());
                TestRuntime other = WatchFixture.reading(database.get())) {
            String last = test.agent("boss")
                    .generateUntilIdle("Research bees", TaskFixture.onThread())
                    .text();
            List<String> all;
            try (RunsWatch whole = WatchFixture.watch(other, null)) {
                all = WatchFixture.ids(WatchFixture.readUntil(whole, last));
            }
            RunsCursor cursor = null;
            List<String> pieces = new ArrayList<>();
            while (pieces.size() < all.size()) {
                try (RunsWatch piece = WatchFixture.watch(other, cursor)) {
                    Iterator<RunEvent> events = piece.iterator();
                    List<String> one = List.of();
                    while (one.isEmpty()) {
                        one = WatchFixture.ids(List.of(events.next()));
                    }
                    pieces.addAll(one);
                    cursor = RunsCursor.parse(piece.cursor().orElseThrow().toString());
                }
            }
            assertThat(pieces).containsExactlyInAnyOrderElementsOf(all).doesNotHaveDuplicates();
        }
    }

    /** The cursor of a reader that has read all is continued when another turn has followed. */
    @Test
    void aReaderThatReadEverythingContinuesWithTheNextTurn() {
        try (TestRuntime test = WatchFixture.working(database(false).get())) {
            test.agent("boss").generateUntilIdle("Research bees", TaskFixture.onThread());
            RunsCursor cursor;
            try (RunsWatch first = WatchFixture.watch(test, null)) {
                WatchFixture.readUntil(first, "Seen: [Found bees]");
                cursor = first.cursor().orElseThrow();
            }
            RunId next =
                    test.agent("boss").generate("And?", TaskFixture.onThread()).runId();
            try (RunsWatch second = WatchFixture.watch(test, cursor)) {
                List<RunEvent> events = WatchFixture.readUntil(second, "Seen: [Found bees]");
                assertThat(events).isNotEmpty().allMatch(event -> event.runId().equals(next));
                assertThat(WatchFixture.ids(events))
                        .isEqualTo(WatchFixture.ids(test.runtime().history(next)));
            }
        }
    }

    @Test
    void manyTurnsAreReadInTheirOrder() {
        try (TestRuntime test = WatchFixture.working(database(false).get())) {
            List<RunId> runs = IntStream.range(0, 12)
                    .mapToObj(turn -> test.agent("boss")
                            .generate(turn == 11 ? "Last" : "Hello", TaskFixture.onThread())
                            .runId())
                    .toList();
            List<RunId> seen = new ArrayList<>();
            try (RunsWatch watch = WatchFixture.watch(test, null)) {
                for (RunEvent event : watch) {
                    if (event instanceof RunEvent.RunFinish) {
                        seen.add(event.runId());
                    }
                    if (seen.size() == runs.size()) {
                        break;
                    }
                }
            }
            assertThat(seen).isEqualTo(runs);
        }
    }

    @Test
    void aTaskIsFollowedWhileAnotherProcessExecutesIt() throws InterruptedException {
        Supplier<Store> database = database(false);
        CountDownLatch gate = new CountDownLatch(1);
        BlockingQueue<RunEvent> read = new LinkedBlockingQueue<>();
        try (TestRuntime other = WatchFixture.reading(database.get());
                TestRuntime test = TaskFixture.runtime(database.get(), TaskFixture.script(gate))
                        .build();
                RunsWatch watch = other.runtime().watchTasks(TaskFilter.ALL, null)) {
            Thread reader = Thread.ofVirtual().start(() -> watch.forEach(read::add));
            RunId origin = test.agent("boss")
                    .generate("Research bees", TaskFixture.onThread())
                    .runId();
            RunId task = TaskFixture.tasks(test, origin).getFirst().id();
            List<RunEvent> events = new ArrayList<>();
            take(read, events, "background-task-running");
            gate.countDown();
            take(read, events, "run-finish");
            watch.close();
            reader.join();

            assertThat(events).allMatch(event -> event.runId().equals(task));
            assertThat(WatchFixture.ids(events))
                    .isEqualTo(WatchFixture.ids(test.runtime().history(task)));
        }
    }

    private static void take(BlockingQueue<RunEvent> from, List<RunEvent> to, String type) throws InterruptedException {
        RunEvent event;
        do {
            event = from.take();
            to.add(event);
        } while (!event.type().equals(type));
    }

    @Test
    void threadsOfOthersAreNotRead() {
        try (TestRuntime test = WatchFixture.working(database(false).get())) {
            test.agent("boss").generate("Hello", TaskFixture.onThread());
            assertThatThrownBy(() -> test.runtime().watchThread(ThreadOwner.of("bob"), "t", null))
                    .isInstanceOf(ThreadOwnershipException.class);
        }
        Agent boss = TaskFixture.supervisor();
        try (AgentRuntime guarded = AgentRuntime.builder()
                .store(database(false).get())
                .agents(boss)
                .accessCheck(access -> access.resourceId().filter("bob"::equals).isPresent())
                .build()) {
            assertThatThrownBy(() -> guarded.watchThread(TaskFixture.ANN, "t", null))
                    .isInstanceOf(ThreadOwnershipException.class);
        }
    }

    /** A cursor comes back from a client, which may have changed it. */
    @Test
    void aCursorWithARunOfOthersDoesNotReadIt() {
        try (TestRuntime test = WatchFixture.working(database(false).get())) {
            test.agent("boss").generateUntilIdle("Research bees", TaskFixture.onThread());
            RunId task = test.runtime().tasks(TaskFilter.ALL).getFirst().runId();
            RunId own = test.agent("boss")
                    .generate("Hello", options -> options.thread("b").resource("bob"))
                    .runId();
            String name;
            try (RunsWatch watch = test.runtime().watchThread(ThreadOwner.of("bob"), "b", null)) {
                RunEvent ignored = watch.iterator().next();
                name = watch.cursor().orElseThrow().of();
            }
            RunsCursor forged = new RunsCursor(name, Instant.EPOCH, Map.of(task, Optional.empty()), Set.of());
            try (RunsWatch watch = test.runtime().watchThread(ThreadOwner.of("bob"), "b", forged)) {
                assertThat(watch.iterator().next().runId()).isEqualTo(own);
            }
        }
    }

    @Test
    void whatCannotBeWatchedIsRejected() {
        try (TestRuntime test = WatchFixture.working(database(false).get());
                RunsWatch tasks = test.runtime().watchTasks(TaskFilter.ALL, null)) {
            assertThat(tasks.cursor()).isEmpty();
            RunId run = test.agent("boss")
                    .generate("Research bees", TaskFixture.onThread())
                    .runId();
            RunEvent ignored = tasks.iterator().next();
            RunsCursor cursor = tasks.cursor().orElseThrow();
            assertThatThrownBy(() -> WatchFixture.watch(test, cursor))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("thread 't'");
            assertThatThrownBy(() -> test.runtime().watchTasks(TaskFilter.of(run), cursor))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> test.runtime().watchTasks(TaskFilter.ALL.unread(true), null))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("unread");
            Function<String, RunsCursor> parse = RunsCursor::parse;
            for (String text : List.of("", "1.", "2.abc", "1.abc", "1.run_1.1.1.1", cursor + "x")) {
                assertThatThrownBy(() -> parse.apply(text))
                        .as(text)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("is not a cursor");
            }
            assertThat(RunsCursor.parse(cursor.toString())).isEqualTo(cursor);
        }
        try (TestRuntime test = WatchFixture.working(InMemoryStore.create())) {
            assertThatThrownBy(() -> WatchFixture.watch(test, null))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("keepingEndedRuns");
        }
    }
}
