package dev.chargehand.tests.background;

import dev.chargehand.Agent;
import dev.chargehand.IdleStream;
import dev.chargehand.RunOptions;
import dev.chargehand.approval.Approver;
import dev.chargehand.background.Tasks;
import dev.chargehand.event.BackgroundTaskEvent.BackgroundTaskStarted;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunId;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.io.TempDir;

/** A supervisor whose researcher calls a tool in the background, and a reader of all that happens. */
abstract class WholeTasksFixture {

    @TempDir
    Path folder;

    /** Opened by the reader of the call; the tool of the task waits for it. */
    final CountDownLatch gate = new CountDownLatch(1);

    enum Kept {
        ON_DISK,
        IN_MEMORY,
        FORGOTTEN
    }

    record Nothing() {}

    Store store(Kept kept) {
        return switch (kept) {
            case ON_DISK -> disk();
            case IN_MEMORY -> InMemoryStore.keepingEndedRuns();
            case FORGOTTEN -> InMemoryStore.create();
        };
    }

    Store disk() {
        return JdbcStore.sqlite(folder.resolve("idle.db"));
    }

    static Consumer<RunOptions.Builder> whole() {
        return TaskFixture.onThread().andThen(o -> o.events(Tasks.ALL));
    }

    /** A researcher that searches with a tool before it answers. */
    TestRuntime.Builder runtime(Store store, boolean approval) {
        return runtime(store, searching(), approval);
    }

    TestRuntime.Builder runtime(Store store, Script script, boolean approval) {
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

    static Script searching() {
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
    Script silent() {
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
    List<RunEvent> read(IdleStream stream) {
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
    static boolean isOfTheTool(RunEvent event, IdleStream stream) {
        return event.type().equals("tool-call") && !event.runId().equals(stream.runId());
    }

    static List<RunEvent> of(RunId run, List<RunEvent> events) {
        return events.stream().filter(event -> event.runId().equals(run)).toList();
    }

    static RunId taskOf(List<RunEvent> events) {
        return events.stream()
                .filter(BackgroundTaskStarted.class::isInstance)
                .map(event -> ((BackgroundTaskStarted) event).taskId())
                .findFirst()
                .orElseThrow();
    }

    static boolean hasEnded(TestRuntime test, RunId origin) {
        return TaskFixture.tasks(test, origin).stream()
                .allMatch(task -> task.status().isEnded());
    }

    static void approve(TestRuntime test, RunId task) {
        test.runtime().approve(test.runtime().task(task).pendingApprovals().getFirst(), Approver.of("ann"));
    }
}
