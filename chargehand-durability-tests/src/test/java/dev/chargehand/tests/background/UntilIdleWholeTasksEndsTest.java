package dev.chargehand.tests.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.IdleStream;
import dev.chargehand.RunReleasedException;
import dev.chargehand.Wakeups;
import dev.chargehand.background.Disposition;
import dev.chargehand.background.IdleReason;
import dev.chargehand.background.Task;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.background.TaskStatus;
import dev.chargehand.event.Idle;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The ends of an until-idle stream that has all events of its tasks. */
@Timeout(60)
class UntilIdleWholeTasksEndsTest extends WholeTasksFixture {

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
        try (TestRuntime calling = runtime(looking, true).wakeups(Wakeups.off()).build();
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

    /** One task is never silent until the turn has started that the end of the other one starts. */
    @Test
    void aTaskThatIsNeverSilentKeepsNoTurnFromTheReader() {
        AtomicInteger emitted = new AtomicInteger();
        AtomicInteger received = new AtomicInteger();
        Tool talk = Tool.builder("search", "Talks.")
                .input(Nothing.class)
                .handler((input, context) -> {
                    while (gate.getCount() > 0) {
                        if (emitted.get() - received.get() < 100) {
                            context.emit("tick", emitted.get());
                            emitted.incrementAndGet();
                        } else {
                            Thread.yield();
                        }
                    }
                    return "found";
                })
                .build();
        Agent researcher = TaskFixture.researcher(builder -> builder.tools(talk));
        Agent writer = Agent.builder("writer")
                .description("Writes.")
                .model("scripted/writer")
                .build();
        Agent boss = Agent.builder("boss")
                .model("scripted/boss")
                .agents(researcher, writer)
                .background(b -> b.agent("researcher", Disposition.ALWAYS).agent("writer", Disposition.ALWAYS))
                .build();
        Script script = ScriptedModel.script()
                .on("boss")
                .calls("agent-researcher", "{\"prompt\":\"bees\"}")
                .then()
                .calls("agent-writer", "{\"prompt\":\"bees\"}")
                .then()
                .says("Started.")
                .then()
                .says("Read.")
                .forever()
                .on("researcher")
                .calls("search", "{}")
                .then()
                .says("Found it")
                .on("writer")
                .says("Written");
        try (TestRuntime test = TaskFixture.runtime(disk(), script).agents(boss).build();
                IdleStream stream = test.agent("boss").streamUntilIdle("Go", whole())) {
            for (RunEvent event : stream) {
                if (event instanceof RunEvent.Data tick) {
                    received.set(Integer.parseInt(tick.value().toString()) + 1);
                    TaskFixture.until("there is another", () -> emitted.get() > received.get() || gate.getCount() == 0);
                }
                boolean isOfTurn = event.path().segments().equals(List.of("boss"));
                if (event instanceof RunEvent.RunFinish
                        && isOfTurn
                        && !event.runId().equals(stream.runId())) {
                    gate.countDown();
                }
            }

            assertThat(stream.result().reason()).isEqualTo(IdleReason.DONE);
            assertThat(stream.result().text()).isEqualTo("Read.");
        }
    }
}
