package dev.chargehand.tests.background;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.background.TaskStatus;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** Tasks that take a place until they are let go, and tasks that ask before they publish or end at once. */
final class PublishingTasks {

    record Nothing() {}

    final CountDownLatch open = new CountDownLatch(1);
    final CountDownLatch held = new CountDownLatch(1);
    final AtomicInteger blocked = new AtomicInteger();
    final AtomicInteger published = new AtomicInteger();

    /** Makes a runtime with a number of places. */
    TestRuntime.Builder runtime(Store store, Wakeups wakeups, int places, UnaryOperator<AgentBuilder> changes) {
        Tool publish = Tool.builder("publish", "Publishes.")
                .input(Nothing.class)
                .handler((input, context) -> "published " + published.incrementAndGet())
                .requiresApproval()
                .build();
        Agent researcher = TaskFixture.researcher(builder -> changes.apply(builder.tools(publish)));
        Script script = ScriptedModel.script()
                .on("boss")
                .answers(TaskFixture::boss)
                .forever()
                .on("researcher")
                .answers(this::research)
                .forever();
        return TaskFixture.runtime(store, script)
                .agents(TaskFixture.supervisor(researcher, b -> b.agents("researcher")))
                .wakeups(wakeups)
                .background(b -> b.concurrency(places));
    }

    TestRuntime runtime(Store store, Wakeups wakeups) {
        return runtime(store, wakeups, 1, builder -> builder).build();
    }

    private ModelResponse research(ModelRequest request) {
        String last = request.messages().getLast().text();
        if (last.startsWith("block") || last.startsWith("hold")) {
            block(last.startsWith("block") ? open : held);
            return TaskFixture.says("Found nothing");
        }
        return last.startsWith("bees")
                        && request.messages().getLast().toolResults().isEmpty()
                ? TaskFixture.calls("publish", "{}")
                : TaskFixture.says("Found bees");
    }

    void block(CountDownLatch gate) {
        blocked.incrementAndGet();
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Starts a task. */
    static RunId started(TestRuntime test, String topic) {
        return started(test, topic, "t");
    }

    static RunId started(TestRuntime test, String topic, String thread) {
        RunResult run = test.agent("boss")
                .generate("Research " + topic, o -> o.thread(thread).resource("ann"));
        return TaskFixture.tasks(test, run.runId()).getFirst().id();
    }

    /** Starts a task that asks. */
    static RunId waiting(TestRuntime test) {
        RunId asking = started(test, "bees");
        TaskFixture.until("the task waits", () -> statusOf(test, asking) == TaskStatus.SUSPENDED);
        return asking;
    }

    /** Starts a task that has a place until the gate is open. */
    void takeThePlace(TestRuntime test) {
        RunId ignored = started(test, "block");
        TaskFixture.until("the other task has the place", () -> blocked.get() == 1);
    }

    static TaskStatus statusOf(TestRuntime test, RunId task) {
        return test.runtime().tasks(TaskFilter.attemptsOf(task)).getFirst().status();
    }

    static PendingApproval question(TestRuntime test, RunId task) {
        return test.runtime().task(task).pendingApprovals().getFirst();
    }
}
