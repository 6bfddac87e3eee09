package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunHandle;
import dev.chargehand.event.EventId;
import dev.chargehand.event.RunEvent;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.TestRuntime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The events of a run, read by its handle. */
@Timeout(30)
class RunHandleEventsTest extends HoldingFixture {

    @Test
    void theyStartWithTheFirstOneHoweverLateTheyAreRead() {
        mayEnd.countDown();
        try (TestRuntime test = holding()) {
            RunHandle run = test.agent("lead").start("Go");
            assertThat(run.result().text()).isEqualTo("Held");

            List<RunEvent> events = read(run);

            assertThat(events.getFirst()).isInstanceOf(RunEvent.RunStart.class);
            assertThat(events.getLast()).isInstanceOf(RunEvent.RunFinish.class);
            assertThat(ids(events)).isEqualTo(ids(test.runtime().history(run.runId())));
            assertThat(read(test.runtime().handle(run.runId()))).hasSameSizeAs(events);
        }
    }

    @Test
    void aRunThatWaitsForItsThreadIsReadFromItsStart() {
        try (TestRuntime test = holding(InMemoryStore.create())) { // which forgets a run at its end
            RunHandle first = test.agent("lead").start("hold", o -> o.thread("t"));
            Waiting.on(working);
            RunHandle second = test.agent("lead").start("next", o -> o.thread("t"));
            CompletableFuture<List<RunEvent>> read = CompletableFuture.supplyAsync(
                    () -> read(second), work -> Thread.ofVirtual().start(work));
            Waiting.until("the reader has joined", () -> isRead(read));
            mayEnd.countDown();

            assertThat(first.result().text()).isEqualTo("Held");
            List<RunEvent> events = read.join();
            assertThat(events.getFirst()).isInstanceOf(RunEvent.RunStart.class);
            assertThat(events.getLast()).isInstanceOf(RunEvent.RunFinish.class);
            assertThat(events).allMatch(event -> event.runId().equals(second.runId()));
        }
    }

    /** The reader waits for the first event, or has failed. */
    private boolean isRead(CompletableFuture<List<RunEvent>> read) {
        return read.isDone() || (reader != null && reader.getState() == Thread.State.WAITING);
    }

    private volatile Thread reader;

    private List<RunEvent> read(RunHandle run) {
        reader = Thread.currentThread();
        List<RunEvent> events = new ArrayList<>();
        run.events().forEach(events::add);
        return events;
    }

    private static List<EventId> ids(List<RunEvent> events) {
        return events.stream().flatMap(event -> event.origin().id().stream()).toList();
    }
}
