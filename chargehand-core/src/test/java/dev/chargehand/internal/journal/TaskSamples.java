package dev.chargehand.internal.journal;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.task.Background;
import dev.chargehand.internal.fact.task.TaskOrigin;
import dev.chargehand.internal.fact.task.TaskResult;
import dev.chargehand.run.RunId;
import dev.chargehand.thread.ThreadOwner;
import java.time.Instant;
import java.util.List;

/** What facts say about background tasks, with a value in every field. */
final class TaskSamples {

    static final Background BACKGROUND = new Background(
            new TaskOrigin(
                    new RunId("task"),
                    2,
                    3,
                    new RunId("origin"),
                    "call",
                    "thread",
                    new ThreadOwner("resource", "boss"),
                    List.of("boss"),
                    true,
                    new RunId("first")),
            new RunId("first"),
            List.of(new TaskResult(new RunId("other"), 4)));

    static final Fact EXECUTION_STARTED = new Fact.ExecutionStarted(
            7,
            3L,
            "owner",
            2,
            List.of(new TaskResult(new RunId("task"), 5)),
            Instant.parse("2026-01-01T00:00:00.123456789Z"));

    private TaskSamples() {}
}
