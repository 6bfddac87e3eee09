package dev.chargehand.tests.background;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.IdleStream;
import dev.chargehand.RunHandle;
import dev.chargehand.Wakeups;
import dev.chargehand.background.IdleReason;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An until-idle call with a workflow that sleeps: what waits for a time continues by itself, so its caller waits too. */
@Timeout(120)
class UntilIdleSleepTest {

    enum Kind {
        MEMORY,
        SQLITE
    }

    private static final String IN_THE_BACKGROUND = "{\"input\":\"boats\",\"background\":true}";

    /** A call that takes a sleep for the end of its work is over before the second look. */
    private static final int LOOKS = 3;

    @TempDir
    private Path folder;

    private final CountDownLatch looked = new CountDownLatch(LOOKS);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private volatile boolean sleeps;

    @AfterEach
    void leave() {
        assertThat(threads.shutdownNow()).isEmpty();
    }

    private Store store(Kind kind) {
        return watched(
                switch (kind) {
                    case MEMORY -> InMemoryStore.keepingEndedRuns();
                    case SQLITE -> sqlite();
                });
    }

    private JdbcStore sqlite() {
        return JdbcStore.sqlite(folder.resolve("idle.db"));
    }

    /** Counts how often the caller looks while its work sleeps. */
    private Store watched(Store store) {
        return new ForwardingStore(store) {
            @Override
            public List<RunRecord> list(RunFilter filter) {
                if (sleeps && filter.untilIdle().isPresent()) {
                    looked.countDown();
                }
                return super.list(filter);
            }
        };
    }

    private static TestRuntime runtime(Store store, String arguments, Wakeups wakeups) {
        Workflow<String, String> research = Workflow.from("research", String.class)
                .description("Researches.")
                .sleep("nap", Duration.ofDays(1))
                .then(Step.of("find", String.class, String.class, (topic, context) -> "Found " + topic))
                .build(String.class);
        Agent boss = TaskFixture.bossOf(research);
        Script script = ScriptedModel.script()
                .on("boss")
                .answers(request -> TaskFixture.hasDelegated(request)
                                || !TaskFixture.results(request).isEmpty()
                        ? TaskFixture.says("Seen: " + TaskFixture.results(request)
                                + request.messages().stream()
                                        .flatMap(message -> message.toolResults().stream())
                                        .filter(result -> result.output().startsWith("Found"))
                                        .toList()
                                        .size())
                        : TaskFixture.calls("workflow-research", arguments))
                .forever();
        return TaskFixture.runtime(store, script).agents(boss).wakeups(wakeups).build();
    }

    @ParameterizedTest
    @EnumSource
    void aTaskThatSleepsIsWaitedFor(Kind kind) throws Exception {
        try (TestRuntime test = runtime(store(kind), IN_THE_BACKGROUND, Wakeups.own());
                IdleStream stream = test.agent("boss").streamUntilIdle("Research", TaskFixture.onThread())) {
            Future<?> waker = threads.submit(() -> {
                RunId task = asleep(test, RunFilter.ROOTS.tasks(TaskFilter.ALL));
                RunHandle ignored = test.runtime().wake(task, "nap");
            });

            assertThat(stream.result().reason()).isEqualTo(IdleReason.DONE);
            assertThat(stream.result().text()).isEqualTo("Seen: [Found boats]0");
            assertThat(stream.result().turns()).hasSize(2);
            waker.get();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTurnThatSleepsIsWaitedFor(Kind kind) throws Exception {
        AtomicInteger finished = new AtomicInteger();
        try (TestRuntime test = runtime(store(kind), "{\"input\":\"boats\"}", Wakeups.own());
                IdleStream stream = test.agent("boss")
                        .streamUntilIdle(
                                "Research",
                                TaskFixture.onThread().andThen(o -> o.onFinish(end -> finished.getAndIncrement())))) {
            Future<?> waker = threads.submit(() -> {
                RunId turn = asleep(test, RunFilter.ROOTS);
                RunHandle ignored = test.runtime().wake(turn, "workflow-research.nap");
            });

            assertThat(stream.result().reason()).isEqualTo(IdleReason.DONE);
            assertThat(stream.result().text()).isEqualTo("Seen: []1");
            assertThat(stream.result().turns()).as("it is one turn").hasSize(1);
            assertThat(finished).hasValue(1);
            waker.get();
        }
    }

    @Test
    void aTurnThatAnotherProcessWakesIsReadFromWhereItSlept() throws Exception {
        List<RunEvent> events = new ArrayList<>();
        try (TestRuntime calling = runtime(watched(sqlite()), "{\"input\":\"boats\"}", Wakeups.off());
                TestRuntime other = runtime(sqlite(), "{\"input\":\"boats\"}", Wakeups.all());
                IdleStream stream = calling.agent("boss").streamUntilIdle("Research", TaskFixture.onThread())) {
            Future<?> waker = threads.submit(() -> {
                RunId turn = asleep(calling, RunFilter.ROOTS);
                RunHandle ignored = other.runtime().wake(turn, "workflow-research.nap");
            });
            stream.forEach(events::add);

            assertThat(stream.result().reason()).isEqualTo(IdleReason.DONE);
            assertThat(stream.result().text()).isEqualTo("Seen: []1");
            assertThat(events.stream().flatMap(event -> event.origin().id().stream()))
                    .doesNotHaveDuplicates();
            assertThat(events)
                    .filteredOn(event -> event.path().isRoot())
                    .extracting(RunEvent::type)
                    .filteredOn(type -> type.startsWith("run-") || type.equals("idle"))
                    .containsExactly("run-start", "run-suspend", "run-resume", "run-finish", "idle");
            waker.get();
        }
    }

    /** Returns the run that sleeps, after its caller has looked several times. */
    private RunId asleep(TestRuntime test, RunFilter filter) {
        RunFilter suspended = filter.statuses(RunStatus.SUSPENDED);
        TaskFixture.until("it sleeps", () -> !test.store().list(suspended).isEmpty());
        sleeps = true;
        TaskFixture.await(looked);
        return test.store().list(suspended).getFirst().runId();
    }
}
