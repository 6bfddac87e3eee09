package dev.chargehand.tests.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.IdleStream;
import dev.chargehand.RunOptions;
import dev.chargehand.RunReleasedException;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.Approver;
import dev.chargehand.background.IdleReason;
import dev.chargehand.background.Task;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.background.TaskStatus;
import dev.chargehand.background.Tasks;
import dev.chargehand.error.ModelException;
import dev.chargehand.error.StoreException;
import dev.chargehand.event.BackgroundTaskEvent.BackgroundTaskStarted;
import dev.chargehand.event.BackgroundTaskEvent.BackgroundTaskSuspended;
import dev.chargehand.event.Idle;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.store.TreeFact;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An until-idle stream that has all events of its tasks. */
@Timeout(60)
class UntilIdleWholeTasksTest {

    @TempDir
    Path folder;

    /** Opened by the reader of the call; the tool of the task waits for it. */
    private final CountDownLatch gate = new CountDownLatch(1);

    private enum Kept {
        ON_DISK,
        IN_MEMORY,
        FORGOTTEN
    }

    record Nothing() {}

    private Store store(Kept kept) {
        return switch (kept) {
            case ON_DISK -> disk();
            case IN_MEMORY -> InMemoryStore.keepingEndedRuns();
            case FORGOTTEN -> InMemoryStore.create();
        };
    }

    private Store disk() {
        return JdbcStore.sqlite(folder.resolve("idle.db"));
    }

    private static Consumer<RunOptions.Builder> whole() {
        return TaskFixture.onThread().andThen(o -> o.events(Tasks.ALL));
    }

    /** A researcher that searches with a tool before it answers. */
    private TestRuntime.Builder runtime(Store store, boolean approval) {
        return runtime(store, searching(), approval);
    }

    private TestRuntime.Builder runtime(Store store, Script script, boolean approval) {
        Tool.Builder<Nothing> search = Tool.builder("search", "Searches.")
                .input(Nothing.class)
                .handler((input, context) -> {
                    TaskFixture.await(gate);
                    return "found";
                });
        Tool tool = approval ? search.requiresApproval().build() : search.build();
        Agent boss = TaskFixture.supervisor(
                TaskFixture.researcher(builder -> builder.tools(tool)), b -> b.agents("researcher"));
        return TaskFixture.runtime(store, script).agents(boss);
    }

    private static Script searching() {
        return ScriptedModel.script()
                .on("boss")
                .answers(TaskFixture::boss)
                .forever()
                .on("researcher")
                .answers(request -> request.messages().getLast().toolResults().isEmpty()
                        ? TaskFixture.calls("search", "{}")
                        : TaskFixture.says("Found it"))
                .forever();
    }

    /** Its researcher is silent until the gate is open, and calls its tool then. */
    private Script silent() {
        return ScriptedModel.script()
                .on("boss")
                .answers(TaskFixture::boss)
                .forever()
                .on("researcher")
                .answers(request -> {
                    TaskFixture.await(gate);
                    return TaskFixture.calls("search", "{}");
                })
                .forever();
    }

    /** Reads a call to its end; the gate opens when the call of the tool was received. */
    private List<RunEvent> read(IdleStream stream) {
        List<RunEvent> events = new ArrayList<>();
        for (RunEvent event : stream) {
            events.add(event);
            if (isOfTheTool(event, stream)) {
                gate.countDown();
            }
        }
        return events;
    }

    /** Returns whether an event says that a task calls its tool; it is executed until the gate is open. */
    private static boolean isOfTheTool(RunEvent event, IdleStream stream) {
        return event.type().equals("tool-call") && !event.runId().equals(stream.runId());
    }

    private static List<RunEvent> of(RunId run, List<RunEvent> events) {
        return events.stream().filter(event -> event.runId().equals(run)).toList();
    }

    private static RunId taskOf(List<RunEvent> events) {
        return events.stream()
                .filter(BackgroundTaskStarted.class::isInstance)
                .map(event -> ((BackgroundTaskStarted) event).taskId())
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @EnumSource(Kept.class)
    void allEventsOfATaskArriveWhileItIsExecuted(Kept kept) {
        try (TestRuntime test = runtime(store(kept), false).build();
                IdleStream stream = test.agent("boss").streamUntilIdle("Research bees", whole())) {
            List<RunEvent> events = read(stream);
            RunId task = taskOf(events);
            List<RunEvent> ofTask = of(task, events);

            assertThat(events).last().isInstanceOf(Idle.class);
            assertThat(events).filteredOn(Idle.class::isInstance).hasSize(1);
            assertThat(ofTask).extracting(RunEvent::type).contains("run-start", "text-delta", "background-task-running");
            assertThat(ofTask).last().isInstanceOf(RunEvent.RunFinish.class);
            assertThat(stream.result().reason()).isEqualTo(IdleReason.DONE);
            if (kept != Kept.FORGOTTEN) {
                assertThat(WatchFixture.ids(ofTask))
                        .isEqualTo(WatchFixture.ids(test.runtime().history(task)));
            } else {
                assertThat(WatchFixture.ids(ofTask)).doesNotHaveDuplicates();
            }
        }
    }

    /** The reader comes when all is over, and what a store in memory has forgotten was kept for it. */
    @ParameterizedTest
    @EnumSource(Kept.class)
    void aLateReaderHasAllEvents(Kept kept) {
        gate.countDown();
        try (TestRuntime test = runtime(store(kept), false).build();
                IdleStream stream = test.agent("boss").streamUntilIdle("Research bees", whole())) {
            RunFilter call = RunFilter.ROOTS.untilIdle(stream.runId());
            TaskFixture.until("all is over", () -> {
                List<RunRecord> runs = test.runtime().store().list(call);
                return runs.stream().allMatch(run -> run.status().isEnded())
                        && runs.size() == (kept == Kept.FORGOTTEN ? 0 : 3);
            });
            List<RunEvent> events = read(stream);
            RunId task = taskOf(events);

            assertThat(of(task, events))
                    .extracting(RunEvent::type)
                    .startsWith("run-start")
                    .contains("tool-call", "background-task-completed")
                    .endsWith("run-finish");
            assertThat(WatchFixture.ids(of(task, events))).doesNotHaveDuplicates();
            assertThat(stream.result().reason()).isEqualTo(IdleReason.DONE);
        }
    }

    private static boolean hasEnded(TestRuntime test, RunId origin) {
        return TaskFixture.tasks(test, origin).stream()
                .allMatch(task -> task.status().isEnded());
    }

    @Test
    void withoutTheOptionOnlyTheEventsArriveThatSayHowTheTaskStands() {
        gate.countDown();
        try (TestRuntime test = runtime(disk(), false).build();
                IdleStream stream = test.agent("boss").streamUntilIdle("Research bees", TaskFixture.onThread())) {
            List<RunEvent> events = read(stream);

            assertThat(of(taskOf(events), events))
                    .extracting(RunEvent::type)
                    .allMatch(type -> type.startsWith("background-task-"));
        }
    }

    @Test
    void theEventsOfATaskArriveThatAnotherProcessExecutes() {
        try (TestRuntime calling =
                        runtime(disk(), false).wakeups(Wakeups.off()).build();
                TestRuntime other =
                        runtime(disk(), false).wakeups(Wakeups.all()).build();
                IdleStream stream = calling.agent("boss").streamUntilIdle("Research bees", whole())) {
            List<RunEvent> events = read(stream);
            RunId task = taskOf(events);

            assertThat(stream.result().reason()).isEqualTo(IdleReason.DONE);
            assertThat(WatchFixture.ids(of(task, events)))
                    .isEqualTo(WatchFixture.ids(other.runtime().history(task)));
        }
    }

    /** The first events come from this process and later ones from the other. */
    @Test
    void theEventsOfATaskArriveOnceThatMovesToAnotherProcess() {
        gate.countDown();
        try (TestRuntime calling = runtime(disk(), true).build();
                TestRuntime other = runtime(disk(), true).build();
                IdleStream stream = calling.agent("boss").streamUntilIdle("Research bees", whole())) {
            List<RunEvent> events = new ArrayList<>();
            IdleReason reason = null;
            for (RunEvent event : stream) {
                events.add(event);
                if (event instanceof BackgroundTaskSuspended) {
                    approve(other, event.runId());
                }
                reason = event instanceof Idle idle ? idle.reason() : null;
            }
            RunId task = taskOf(events);

            assertThat(reason).isEqualTo(IdleReason.DONE);
            assertThat(WatchFixture.ids(of(task, events)))
                    .isEqualTo(WatchFixture.ids(other.runtime().history(task)));
        }
    }

    private static void approve(TestRuntime test, RunId task) {
        test.runtime()
                .approve(test.runtime().task(task).pendingApprovals().getFirst(), Approver.of("ann"));
    }

    @Test
    void whatATaskHasDoneBeforeItWaitsPrecedesTheEnd() {
        try (TestRuntime test = runtime(disk(), true).build();
                IdleStream stream = test.agent("boss").streamUntilIdle("Research bees", whole())) {
            List<RunEvent> events = read(stream);
            RunId task = taskOf(events);

            assertThat(stream.result().reason()).isEqualTo(IdleReason.SUSPENDED);
            assertThat(WatchFixture.ids(of(task, events)))
                    .isEqualTo(WatchFixture.ids(test.runtime().history(task)));
            assertThat(events).last().isInstanceOf(Idle.class);
        }
    }

    /** The task waits as soon as the call is looked at while no turn is executed, after what was there before has been read. */
    @Test
    void whatAnotherProcessHasDoneBeforeATaskWaitsPrecedesTheEnd() {
        AtomicBoolean ready = new AtomicBoolean();
        Store looking = new ForwardingStore(disk()) {
            @Override
            public List<RunRecord> list(RunFilter filter) {
                if (ready.get() && gate.getCount() > 0) {
                    gate.countDown();
                    TaskFixture.until("the task waits", () -> super.list(RunFilter.ROOTS.tasks(TaskFilter.ALL)).stream()
                            .anyMatch(task -> task.status() == RunStatus.SUSPENDED));
                }
                return super.list(filter);
            }
        };
        try (TestRuntime calling =
                        runtime(looking, true).wakeups(Wakeups.off()).build();
                TestRuntime other =
                        runtime(disk(), silent(), true).wakeups(Wakeups.all()).build();
                IdleStream stream = calling.agent("boss").streamUntilIdle("Research bees", whole())) {
            List<RunEvent> events = new ArrayList<>();
            for (RunEvent event : stream) {
                events.add(event);
                List<String> types = events.stream().map(RunEvent::type).toList();
                ready.set(types.containsAll(List.of("run-finish", "background-task-running")));
            }
            RunId task = taskOf(events);

            assertThat(stream.result().reason()).isEqualTo(IdleReason.SUSPENDED);
            assertThat(WatchFixture.ids(of(task, events)))
                    .isEqualTo(WatchFixture.ids(other.runtime().history(task)));
        }
    }

    /** More pieces than a reader of a live run may be behind: it has the texts of the answer from the store then. */
    @Test
    void aReaderThatStopsSlowsNoTask() {
        String[] pieces = new String[5000];
        Arrays.setAll(pieces, i -> i + " ");
        Script script = ScriptedModel.script()
                .on("boss")
                .answers(TaskFixture::boss)
                .forever()
                .on("researcher")
                .streams(pieces)
                .forever();
        try (TestRuntime test = TaskFixture.runtime(disk(), script).build();
                IdleStream stream = test.agent("boss").streamUntilIdle("Research bees", whole())) {
            List<RunEvent> events = new ArrayList<>();
            Iterator<RunEvent> reader = stream.iterator();
            boolean stopped = false;
            while (reader.hasNext()) {
                RunEvent event = reader.next();
                events.add(event);
                if (!stopped && event.type().equals("background-task-running")) {
                    stopped = true;
                    TaskFixture.until("the task has ended", () -> hasEnded(test, stream.runId()));
                }
            }
            RunId task = taskOf(events);

            assertThat(stopped).isTrue();
            assertThat(stream.result().reason()).isEqualTo(IdleReason.DONE);
            assertThat(WatchFixture.ids(of(task, events)))
                    .isEqualTo(WatchFixture.ids(test.runtime().history(task)));
        }
    }

    @Test
    void aReaderThatLeavesLeavesTheTask() {
        try (TestRuntime test = runtime(disk(), false).build()) {
            RunId first;
            try (IdleStream stream = test.agent("boss").streamUntilIdle("Research bees", whole())) {
                first = stream.runId();
                for (RunEvent event : stream) {
                    if (event.type().equals("background-task-running")) {
                        break;
                    }
                }
            }
            gate.countDown();
            TaskFixture.until("the task has ended", () -> hasEnded(test, first));
            assertThat(TaskFixture.tasks(test, first)).extracting(Task::status).containsExactly(TaskStatus.COMPLETED);
        }
    }

    /** Each attempt is a run of its own. */
    @Test
    void eachAttemptOfATaskIsRead() {
        AtomicInteger asked = new AtomicInteger();
        Script script = ScriptedModel.script()
                .on("boss")
                .answers(TaskFixture::boss)
                .forever()
                .on("researcher")
                .answers(request -> {
                    if (asked.getAndIncrement() == 0) {
                        throw new ModelException(ModelException.Kind.OVERLOADED, "Busy.", null);
                    }
                    return TaskFixture.says("Found it");
                })
                .forever();
        Agent boss = TaskFixture.supervisor(
                TaskFixture.researcher(builder -> builder.defaultOptions(o -> o.retries(0))),
                b -> b.agents("researcher").retries(1));
        try (TestRuntime test =
                        TaskFixture.runtime(disk(), script).agents(boss).build();
                IdleStream stream = test.agent("boss").streamUntilIdle("Research bees", whole())) {
            List<RunEvent> events = read(stream);
            Set<RunId> finished = new LinkedHashSet<>();
            events.stream().filter(RunEvent.RunFinish.class::isInstance).forEach(event -> finished.add(event.runId()));
            RunId task = taskOf(events);

            assertThat(finished).contains(task, new RunId(task + ".2"));
            assertThat(WatchFixture.ids(events)).doesNotHaveDuplicates();
        }
    }

    @Test
    void aTaskThatIsCancelledEndsTheCall() {
        try (TestRuntime test = runtime(disk(), false).build();
                IdleStream stream = test.agent("boss").streamUntilIdle("Research bees", whole())) {
            List<String> types = new ArrayList<>();
            for (RunEvent event : stream) {
                types.add(event.type());
                if (isOfTheTool(event, stream)) {
                    assertThat(test.runtime().cancel(event.runId())).isTrue();
                }
            }

            assertThat(types).contains("background-task-cancelled").endsWith("idle");
            assertThat(stream.result().reason()).isEqualTo(IdleReason.DONE);
        }
    }

    @Test
    void aCallThatIsCancelledEnds() {
        try (TestRuntime test = runtime(disk(), false).build();
                IdleStream stream = test.agent("boss").streamUntilIdle("Research bees", whole())) {
            for (RunEvent event : stream) {
                if (isOfTheTool(event, stream)) {
                    stream.cancel();
                }
            }

            assertThat(stream.result().reason()).isEqualTo(IdleReason.CANCELLED);
            TaskFixture.until("the task has ended", () -> hasEnded(test, stream.runId()));
            assertThat(test.runtime().tasks(TaskFilter.ALL))
                    .extracting(Task::status)
                    .containsExactly(TaskStatus.CANCELLED);
        }
    }

    @Test
    void aRuntimeThatIsClosedEndsTheStream() {
        TestRuntime test = runtime(disk(), false).build();
        try (IdleStream stream = test.agent("boss").streamUntilIdle("Research bees", whole())) {
            for (RunEvent event : stream) {
                if (isOfTheTool(event, stream)) {
                    Thread ignored = Thread.ofVirtual().start(test::close);
                }
            }

            assertThatThrownBy(stream::result).isInstanceOf(RunReleasedException.class);
        } finally {
            gate.countDown();
            test.close();
        }
    }

    /** The tree of the task cannot be read three times. */
    @Test
    void aStoreThatFailsForAMomentLosesNoEvent() {
        AtomicInteger failures = new AtomicInteger(3);
        Store failing = new ForwardingStore(disk()) {
            @Override
            public List<TreeFact> readTree(RunId root, long after, int limit) {
                boolean isOfTask = find(root).flatMap(run -> run.task()).isPresent();
                if (isOfTask && failures.getAndDecrement() > 0) {
                    throw new StoreException(StoreException.Kind.FAILED, "Planned.", null);
                }
                return super.readTree(root, after, limit);
            }
        };
        try (TestRuntime calling =
                        runtime(failing, false).wakeups(Wakeups.off()).build();
                TestRuntime other =
                        runtime(disk(), false).wakeups(Wakeups.all()).build();
                IdleStream stream = calling.agent("boss").streamUntilIdle("Research bees", whole())) {
            List<RunEvent> events = read(stream);
            RunId task = taskOf(events);

            assertThat(failures).hasNegativeValue();
            assertThat(stream.result().reason()).isEqualTo(IdleReason.DONE);
            assertThat(WatchFixture.ids(of(task, events)))
                    .isEqualTo(WatchFixture.ids(other.runtime().history(task)));
        }
    }
}
