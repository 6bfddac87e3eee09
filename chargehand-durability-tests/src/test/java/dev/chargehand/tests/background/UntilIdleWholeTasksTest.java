package dev.chargehand.tests.background;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.IdleStream;
import dev.chargehand.Wakeups;
import dev.chargehand.background.IdleReason;
import dev.chargehand.error.ModelException;
import dev.chargehand.error.StoreException;
import dev.chargehand.event.BackgroundTaskEvent.BackgroundTaskSuspended;
import dev.chargehand.event.Idle;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunId;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.store.TreeFact;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An until-idle stream that has all events of its tasks. */
@Timeout(60)
class UntilIdleWholeTasksTest extends WholeTasksFixture {

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
            assertThat(ofTask)
                    .extracting(RunEvent::type)
                    .contains("run-start", "text-delta", "background-task-running");
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
        try (TestRuntime calling = runtime(disk(), false).wakeups(Wakeups.off()).build();
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
        try (TestRuntime test = TaskFixture.runtime(disk(), script).agents(boss).build();
                IdleStream stream = test.agent("boss").streamUntilIdle("Research bees", whole())) {
            List<RunEvent> events = read(stream);
            Set<RunId> finished = new LinkedHashSet<>();
            events.stream().filter(RunEvent.RunFinish.class::isInstance).forEach(event -> finished.add(event.runId()));
            RunId task = taskOf(events);

            assertThat(finished).contains(task, new RunId(task + ".2"));
            assertThat(WatchFixture.ids(events)).doesNotHaveDuplicates();
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
