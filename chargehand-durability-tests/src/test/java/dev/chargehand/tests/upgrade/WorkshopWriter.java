package dev.chargehand.tests.upgrade;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.background.Task;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.version.Version;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/** Writes a store with workflows, background tasks, saved versions and memory, all by runs; started by {@link StoreWriter}. */
final class WorkshopWriter {

    static final Instant THEN = Instant.parse("2026-01-05T09:00:00Z");

    private WorkshopWriter() {}

    static void write(Supplier<Store> opening) {
        try (AgentRuntime runtime = Workshop.open(opening.get(), "old", new ManualClock(THEN))) {
            require(runtime.start(Workshop.ASKING, "tea", o -> {}).result(), RunStatus.SUSPENDED);
            require(runtime.start(Workshop.SLEEPING, "tea", o -> {}).result(), RunStatus.SUSPENDED);
            require(runtime.start(Workshop.NESTING, "tea", o -> {}).result(), RunStatus.COMPLETED);
            task(runtime, "helped", "@helper:bees", RunStatus.COMPLETED);
            task(runtime, "removed", "@remover:bees", RunStatus.SUSPENDED);
            versions(runtime);
            memory(runtime);
        }
    }

    private static void task(AgentRuntime runtime, String thread, String asked, RunStatus status) {
        RunResult first =
                runtime.agent("lead").generate(asked, o -> o.thread(thread).resource("ann"));
        Task task = runtime.tasks(TaskFilter.of(first.runId())).getFirst();
        require(runtime.resume(task.runId(), o -> {}).result(), status);
    }

    /** Two versions, of which the first is published; an ended run of it, and one that waits. */
    private static void versions(AgentRuntime runtime) {
        String first = runtime.versions().save("writer", "verse").id();
        String ignored = runtime.versions().publish("writer", first).id();
        String second = runtime.versions().save("writer", "rhyme").id();
        require(
                runtime.agent("writer").generate("write", o -> o.version("writer", Version.published())),
                RunStatus.COMPLETED);
        require(
                runtime.agent("writer").generate("print", o -> o.version("writer", Version.id(second))),
                RunStatus.SUSPENDED);
    }

    private static void memory(AgentRuntime runtime) {
        for (String said : new String[] {"Note: Ann keeps bees", "The honey is in the cellar", "Good day", "Well"}) {
            require(
                    runtime.agent("scholar")
                            .generate(said, o -> o.thread("study").resource("ann")),
                    RunStatus.COMPLETED);
        }
        if (!runtime.memory().settled(Duration.ofMinutes(1))) {
            throw new IllegalStateException("The memory has work left.");
        }
    }

    private static void require(RunResult result, RunStatus status) {
        if (result.status() != status) {
            throw new IllegalStateException(result.status() + " and not " + status + ": " + result);
        }
    }
}
