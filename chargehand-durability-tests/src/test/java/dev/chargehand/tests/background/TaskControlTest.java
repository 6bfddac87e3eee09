package dev.chargehand.tests.background;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.background.BackgroundOptions;
import dev.chargehand.background.Task;
import dev.chargehand.background.TaskEndContext;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.background.TaskStatus;
import dev.chargehand.error.ModelException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunsWatch;
import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Limit;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a task gives to a run that has not ended, and what bounds, repeats and interrupts tasks. */
@Timeout(120)
class TaskControlTest {

    record Nothing() {}

    @TempDir
    Path folder;

    private Store store() {
        return JdbcStore.sqlite(folder.resolve("tasks.db"));
    }

    private TestRuntime runtime(
            Agent researcher,
            Consumer<BackgroundOptions.Builder> background,
            Function<ModelRequest, ModelResponse> boss,
            Function<ModelRequest, ModelResponse> research) {
        Script script = ScriptedModel.script()
                .on("boss")
                .answers(boss)
                .forever()
                .on("researcher")
                .answers(research)
                .forever();
        return TaskFixture.runtime(store(), script)
                .agents(TaskFixture.supervisor(researcher, background))
                .build();
    }

    private static ModelResponse found(ModelRequest request) {
        return TaskFixture.says("Found " + request.messages().getLast().text());
    }

    /** Waits until the result of the task is delivered, before the run asks again. */
    @Test
    void aRunThatHasNotEndedReadsTheResultBeforeItsNextAnswer() {
        CountDownLatch ended = new CountDownLatch(1);
        Tool pause = Tool.of("pause", "Waits.", Nothing.class, (input, context) -> {
            ended.await();
            return "waited";
        });
        Agent boss = Agent.builder("boss")
                .model("scripted/boss")
                .agents(TaskFixture.researcher())
                .tools(pause)
                .background(b -> b.agents("researcher").onTaskEnd(end -> ended.countDown()))
                .build();
        Script script = ScriptedModel.script()
                .on("boss")
                .calls("agent-researcher", "{\"prompt\":\"bees\",\"background\":true}")
                .then()
                .calls("pause", "{}")
                .then()
                .answers(request -> TaskFixture.says("Seen: " + TaskFixture.results(request)))
                .forever()
                .on("researcher")
                .answers(TaskControlTest::found)
                .forever();
        try (TestRuntime test =
                TaskFixture.runtime(store(), script).agents(boss).build()) {
            RunResult run = test.agent("boss").generate("Go", TaskFixture.onThread());

            assertThat(run.text()).isEqualTo("Seen: [Found bees]");
            assertThat(test.runtime().tasks(TaskFilter.ALL).getFirst().readBy()).contains(run.runId());
            assertThat(test.agent("boss")
                            .generate("And?", TaskFixture.onThread())
                            .text())
                    .isEqualTo("Seen: [Found bees]"); // once, as part of the history
        }
    }

    @Test
    void aFailedTaskIsTriedAgainAndItsOriginReceivesOnlyTheLastEnd() {
        AtomicInteger asked = new AtomicInteger();
        Queue<TaskEndContext> ends = new ConcurrentLinkedQueue<>();
        Agent researcher = TaskFixture.researcher(builder -> builder.defaultOptions(o -> o.retries(0)));
        try (TestRuntime test = runtime(
                researcher, b -> b.agents("researcher").retries(2).onTaskEnd(ends::add), TaskFixture::boss, request -> {
                    if (asked.incrementAndGet() < 3) {
                        throw new ModelException(ModelException.Kind.OVERLOADED, "Busy.", null);
                    }
                    return found(request);
                })) {
            RunResult run = test.agent("boss").generate("Research bees", TaskFixture.onThread());
            RunId task = TaskFixture.tasks(test, run.runId()).getFirst().id();
            TaskFixture.until("the task has ended", () -> !ends.isEmpty());

            Task last = TaskFixture.tasks(test, run.runId()).getFirst();
            assertThat(last.id()).isEqualTo(task);
            assertThat(last.attempt()).isEqualTo(3);
            assertThat(last.status()).isEqualTo(TaskStatus.COMPLETED);
            assertThat(ends).extracting(TaskEndContext::attempt).containsExactly(3);
            assertThat(test.agent("boss")
                            .generate("And?", TaskFixture.onThread())
                            .text())
                    .isEqualTo("Seen: [Found bees]");
            assertThat(test.runtime().history(task)).extracting(RunEvent::type).contains("background-task-failed");
            assertThat(endsOfAttempts(test, task))
                    .containsExactly(RunStatus.FAILED, RunStatus.FAILED, RunStatus.COMPLETED);
        }
    }

    /** The limit is two: a task that was tried twice leaves room for another one, and for no third one. */
    @Test
    void aTaskCountsOnceHoweverOftenItIsTried() {
        CountDownLatch ended = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        Tool pause = Tool.of("pause", "Waits.", Nothing.class, (input, context) -> {
            ended.await();
            return "waited";
        });
        Agent researcher = TaskFixture.researcher(builder -> builder.defaultOptions(o -> o.retries(0)));
        Agent boss = Agent.builder("boss")
                .model("scripted/boss")
                .agents(researcher)
                .tools(pause)
                .background(b -> b.agents("researcher").retries(1).onTaskEnd(end -> ended.countDown()))
                .build();
        Script script = ScriptedModel.script()
                .on("boss")
                .calls("agent-researcher", "{\"prompt\":\"bees\",\"background\":true}")
                .then()
                .calls("pause", "{}")
                .then()
                .calls("agent-researcher", "{\"prompt\":\"ants\",\"background\":true}")
                .then()
                .calls("agent-researcher", "{\"prompt\":\"wasps\",\"background\":true}")
                .then()
                .says("Started")
                .on("researcher")
                .answers(request -> {
                    if (asked.incrementAndGet() == 1) {
                        throw new ModelException(ModelException.Kind.OVERLOADED, "Busy.", null);
                    }
                    return found(request);
                })
                .forever();
        try (TestRuntime test =
                TaskFixture.runtime(store(), script).agents(boss).build()) {
            RunResult run = test.agent("boss")
                    .generate("Go", o -> o.thread("t").resource("ann").limit(Limit.TASKS, 2));

            assertThat(TaskFixture.tasks(test, run.runId()))
                    .extracting(Task::attempt)
                    .containsExactly(1, 2);
            assertThat(run.toolResults().stream().flatMap(result -> result.error().stream()))
                    .singleElement(InstanceOfAssertFactories.STRING)
                    .startsWith("All 2 background tasks of the run were used");
        }
    }

    /** Calls of one step are decided about before a task of them is stored; with a hook at the same time. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void callsOfOneStepStartNoMoreTasksThanMayBe(boolean hook) {
        Agent boss = TaskFixture.supervisor();
        Script script = ScriptedModel.script()
                .on("boss")
                .calls("agent-researcher", "{\"prompt\":\"bees\",\"background\":true}")
                .and()
                .calls("agent-researcher", "{\"prompt\":\"ants\",\"background\":true}")
                .and()
                .calls("agent-researcher", "{\"prompt\":\"wasps\",\"background\":true}")
                .then()
                .says("Started")
                .on("researcher")
                .says("found")
                .forever();
        try (TestRuntime test =
                TaskFixture.runtime(store(), script).agents(boss).build()) {
            RunResult run = test.agent("boss").generate("Go", o -> {
                o.thread("t").resource("ann").limit(Limit.TASKS, 2);
                if (hook) {
                    o.onDelegationStart(start -> DelegationDecision.proceed());
                }
            });

            assertThat(TaskFixture.tasks(test, run.runId())).hasSize(2);
            assertThat(run.toolResults().stream().flatMap(result -> result.error().stream()))
                    .singleElement(InstanceOfAssertFactories.STRING)
                    .startsWith("All 2 background tasks of the run were used");
        }
    }

    private static List<RunStatus> endsOfAttempts(TestRuntime test, RunId task) {
        List<RunStatus> ends = new ArrayList<>();
        try (RunsWatch watch = test.runtime().watchTasks(TaskFilter.attemptsOf(task), null)) {
            for (RunEvent event : watch) {
                if (event instanceof RunEvent.RunFinish end) {
                    ends.add(end.status());
                    if (end.status() == RunStatus.COMPLETED) {
                        break;
                    }
                }
            }
        }
        return ends;
    }

    @Test
    void aTaskThatIgnoresItsTimeoutIsStopped() {
        CountDownLatch never = new CountDownLatch(1);
        try (TestRuntime test = runtime(
                TaskFixture.researcher(),
                b -> b.agents("researcher").timeout(Duration.ofMillis(200)),
                TaskFixture::boss,
                request -> {
                    while (never.getCount() > 0) {
                        try {
                            never.await();
                        } catch (InterruptedException e) {
                            // it ignores that it is to end
                        }
                    }
                    return found(request);
                })) {
            RunResult run = test.agent("boss").generate("Research bees", TaskFixture.onThread());
            TaskFixture.until(
                    "the task has timed out",
                    () -> TaskFixture.tasks(test, run.runId()).getFirst().status() == TaskStatus.TIMED_OUT);
            never.countDown();
            assertThat(test.agent("boss")
                            .generate("And?", TaskFixture.onThread())
                            .text())
                    .contains("took longer than its time limit and was stopped.");
        }
    }

    @Test
    void anApprovalInATaskIsAnsweredAfterARestart() {
        Tool publish = Tool.builder("publish", "Publishes.")
                .input(Nothing.class)
                .handler((input, context) -> "published")
                .requiresApproval()
                .build();
        Agent researcher = TaskFixture.researcher(builder -> builder.tools(publish));
        Function<ModelRequest, ModelResponse> research =
                request -> request.messages().getLast().toolResults().isEmpty()
                        ? TaskFixture.calls("publish", "{}")
                        : TaskFixture.says("Found it");
        RunId task;
        try (TestRuntime test = runtime(researcher, b -> b.agents("researcher"), TaskFixture::boss, research)) {
            RunResult run = test.agent("boss").generate("Research bees", TaskFixture.onThread());
            task = TaskFixture.tasks(test, run.runId()).getFirst().id();
            TaskFixture.until(
                    "the task waits",
                    () -> TaskFixture.tasks(test, run.runId()).getFirst().status() == TaskStatus.SUSPENDED);
        }
        try (TestRuntime test = runtime(researcher, b -> b.agents("researcher"), TaskFixture::boss, research)) {
            RunHandle handle = test.runtime().task(task);
            PendingApproval waiting = handle.pendingApprovals().getFirst();
            RunResult ended =
                    test.runtime().approve(waiting, Approver.of("ann")).result();

            assertThat(ended.text()).isEqualTo("Found it");
            assertThat(test.agent("boss")
                            .generate("And?", TaskFixture.onThread())
                            .text())
                    .isEqualTo("Seen: [Found it]");
        }
    }

    /** The one that cancels such a task ends it in the store, unless the run that starts to wait is still about to let go of itself. */
    @ParameterizedTest
    @EnumSource(names = {"PENDING", "SUSPENDED"})
    void theEndOfATaskThatIsCancelledWhileItWaitsIsObserved(TaskStatus waiting) {
        Tool publish = Tool.builder("publish", "Publishes.")
                .input(Nothing.class)
                .handler((input, context) -> "published")
                .requiresApproval()
                .build();
        Queue<TaskEndContext> ends = new ConcurrentLinkedQueue<>();
        Agent boss = TaskFixture.supervisor(
                TaskFixture.researcher(builder -> builder.tools(publish)),
                b -> b.agents("researcher").onTaskEnd(ends::add));
        Script script = ScriptedModel.script()
                .on("boss")
                .answers(TaskFixture::boss)
                .forever()
                .on("researcher")
                .calls("publish", "{}");
        try (TestRuntime test = TaskFixture.runtime(store(), script)
                .agents(boss)
                .wakeups(waiting == TaskStatus.PENDING ? Wakeups.off() : Wakeups.own())
                .build()) {
            RunResult run = test.agent("boss").generate("Research bees", TaskFixture.onThread());
            TaskFixture.until(
                    "the task waits",
                    () -> TaskFixture.tasks(test, run.runId()).getFirst().status() == waiting);
            RunId task = TaskFixture.tasks(test, run.runId()).getFirst().id();

            assertThat(test.runtime().task(task).cancel()).isTrue();
            TaskFixture.until(
                    "the end was observed", () -> !ends.isEmpty()); // a run that just starts to wait ends itself
            assertThat(ends).hasSize(1).allSatisfy(end -> {
                assertThat(end.taskId()).isEqualTo(task);
                assertThat(end.originRunId()).isEqualTo(run.runId());
                assertThat(end.stopReason()).isEqualTo(new StopReason.Cancelled("caller"));
            });
        }
    }

    @Test
    void tasksShareTheBudgetOfTheirRun() {
        try (TestRuntime test = runtime(
                TaskFixture.researcher(), b -> b.agents("researcher"), TaskFixture::boss, TaskControlTest::found)) {
            RunResult run = test.agent("boss")
                    .generate(
                            "Research bees", o -> o.thread("t").resource("ann").budget(b -> b.tokens(115)));
            RunId task = TaskFixture.tasks(test, run.runId()).getFirst().id();
            assertThat(run.status()).isEqualTo(RunStatus.COMPLETED);
            TaskFixture.until(
                    "the task has ended",
                    () -> test.runtime().task(task).status().isEnded());
        }
    }
}
