package dev.chargehand.tests.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.RunHandle;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.StoreException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunsCursor;
import dev.chargehand.event.RunsWatch;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Readers of a conversation that end or fail: their runtime is closed, they leave, they fall behind, the store fails. */
@Timeout(180)
class WatchEndsTest {

    @TempDir
    Path folder;

    private Store open() {
        return JdbcStore.sqlite(folder.resolve("watched.db"));
    }

    @Test
    void aClosedRuntimeEndsAReaderThatWaits() throws InterruptedException {
        TestRuntime test = WatchFixture.working(open());
        test.agent("boss").generate("Hello", TaskFixture.onThread());
        CountDownLatch reading = new CountDownLatch(1);
        RunsWatch watch = WatchFixture.watch(test, null);
        Thread reader = Thread.ofVirtual().start(() -> watch.forEach(event -> reading.countDown()));
        reading.await();
        test.close();
        reader.join();
        assertThatThrownBy(() -> WatchFixture.watch(test, null)).isInstanceOf(ConfigurationException.class);
        watch.close();
    }

    @Test
    void aRuntimeThatIsClosedDuringATurnLosesNoEvents() throws InterruptedException {
        Supplier<Store> database = this::open;
        CountDownLatch gate = new CountDownLatch(1);
        RunsCursor cursor;
        List<RunEvent> events = new ArrayList<>();
        try (TestRuntime test = TaskFixture.runtime(database.get(), TaskFixture.script(gate))
                        .build();
                RunsWatch watch = WatchFixture.watch(test, null)) {
            test.agent("boss").generate("Research bees", TaskFixture.onThread());
            for (RunEvent event : watch) {
                events.add(event);
                if (event.type().equals("background-task-running")) {
                    Thread.ofVirtual().start(test::close);
                    gate.countDown();
                }
            }
            cursor = watch.cursor().orElseThrow();
        }
        try (TestRuntime test = WatchFixture.working(database.get())) {
            test.runtime().recover();
            TaskFixture.until("the task has ended", () -> test.runtime().tasks(TaskFilter.ALL).stream()
                    .allMatch(task -> task.status().isEnded()));
            test.agent("boss").generate("And?", TaskFixture.onThread());
            try (RunsWatch watch = WatchFixture.watch(test, cursor)) {
                events.addAll(WatchFixture.readUntil(watch, "Seen: [Found bees]"));
            }
            try (RunsWatch watch = WatchFixture.watch(test, null)) {
                assertThat(WatchFixture.ids(events))
                        .containsExactlyInAnyOrderElementsOf(
                                WatchFixture.ids(WatchFixture.readUntil(watch, "Seen: [Found bees]")))
                        .doesNotHaveDuplicates();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aReaderThatWaitsCanLeave(boolean interrupted) throws InterruptedException {
        try (TestRuntime test = WatchFixture.working(open());
                RunsWatch watch = WatchFixture.watch(test, null)) {
            Thread reader = Thread.ofVirtual().start(() -> watch.forEach(event -> {}));
            TaskFixture.until("it waits", () -> reader.getState() == Thread.State.WAITING);
            if (interrupted) {
                reader.interrupt();
            } else {
                watch.close();
            }
            reader.join();
            assertThat(watch.iterator().hasNext()).isFalse();
            assertThat(watch.cursor()).isEmpty();
        }
    }

    @Test
    void aReaderThatIsNotReadSlowsNothing() {
        CountDownLatch gate = new CountDownLatch(1);
        try (TestRuntime test =
                        TaskFixture.runtime(open(), TaskFixture.script(gate)).build();
                RunsWatch watch = WatchFixture.watch(test, null)) {
            test.agent("boss").generate("Research bees", TaskFixture.onThread());
            Iterator<RunEvent> events = watch.iterator();
            while (!events.next().type().equals("background-task-running")) {
                // reads until the task is followed by a thread
            }
            gate.countDown();
            IntStream.range(0, 100).forEach(turn -> test.agent("boss").generate("Hello", TaskFixture.onThread()));
            assertThat(test.runtime().store().list(RunFilter.ROOTS.limit(1000))).hasSize(102);
            List<RunEvent> rest = WatchFixture.readUntil(watch, "Seen: [Found bees]");
            RunId last = rest.getLast().runId();
            assertThat(rest.stream()
                            .filter(event -> event.type().equals("background-task-completed")
                                    || (event instanceof RunEvent.RunStart
                                            && event.runId().equals(last)))
                            .map(RunEvent::type))
                    .as("the task ends before a turn that reads its result starts")
                    .containsExactly("background-task-completed", "run-start");
        }
    }

    /** The reader is behind with the end of the first run when it finds the second one. */
    @Test
    void allEventsOfARunComeBeforeThoseOfARunThatWasStoredAfterItsEnd() throws InterruptedException {
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch bothOver = new CountDownLatch(1);
        BlockingQueue<RunEvent> read = new LinkedBlockingQueue<>();
        Script script = ScriptedModel.script()
                .on("boss")
                .waitsFor(gate)
                .and()
                .says("One")
                .then()
                .says("Two");
        try (TestRuntime test = TaskFixture.runtime(open(), script).build();
                RunsWatch watch = WatchFixture.watch(test, null)) {
            Thread reader = Thread.ofVirtual().start(() -> {
                for (RunEvent event : watch) {
                    read.add(event);
                    if (event instanceof RunEvent.UsageReport) {
                        awaitUninterruptibly(bothOver);
                    }
                    if (event instanceof RunEvent.RunFinish end && end.text().equals("Two")) {
                        break;
                    }
                }
            });
            RunHandle first =
                    test.runtime().start(test.agent("boss"), List.of(Message.user("Hello")), TaskFixture.onThread());
            TaskFixture.until("the run is read", () -> read.stream().anyMatch(RunEvent.RunStart.class::isInstance));
            TaskFixture.until("the reader waits", () -> reader.getState() == Thread.State.WAITING);
            gate.countDown();
            RunId one = first.result().runId();
            RunId two =
                    test.agent("boss").generate("Hello", TaskFixture.onThread()).runId();
            bothOver.countDown();
            reader.join();

            assertThat(read.stream()
                            .filter(event -> event instanceof RunEvent.RunStart || event instanceof RunEvent.RunFinish)
                            .map(RunEvent::runId))
                    .containsExactly(one, one, two, two);
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"LIST", "READ", "FIND"})
    void aReaderCanBeUsedAgainAfterTheStoreFailed(String operation) {
        FaultyStore store = FaultyStore.over(open());
        try (TestRuntime test = WatchFixture.working(store)) {
            test.agent("boss").generateUntilIdle("Research bees", TaskFixture.onThread());
            List<String> all;
            try (RunsWatch whole = WatchFixture.watch(test, null)) {
                all = WatchFixture.ids(WatchFixture.readUntil(whole, "Seen: [Found bees]"));
            }
            FaultyStore.Operation failing = FaultyStore.Operation.valueOf(operation);
            int done = store.count(failing);
            IntStream.range(1, 4).forEach(nth -> store.failOn(failing, done + 2 * nth));
            try (RunsWatch watch = WatchFixture.watch(test, null)) {
                List<RunEvent> events = new ArrayList<>();
                int failures = 0;
                Iterator<RunEvent> iterator = watch.iterator();
                while (WatchFixture.ids(events).size() < all.size()) {
                    try {
                        events.add(iterator.next());
                    } catch (StoreException e) {
                        failures++;
                    }
                }
                assertThat(WatchFixture.ids(events))
                        .containsExactlyInAnyOrderElementsOf(all)
                        .doesNotHaveDuplicates();
                assertThat(failures).as("failures of " + operation).isBetween(0, 3);
            }
        }
    }
}
