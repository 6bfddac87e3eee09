package dev.chargehand.internal.journal;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.task.Background;
import dev.chargehand.internal.fact.task.TaskOrigin;
import dev.chargehand.internal.fact.task.TaskResult;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.thread.ThreadOwner;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
            true,
            List.of(new TaskResult(new RunId("other"), 4)));

    static final Fact EXECUTION_STARTED = new Fact.ExecutionStarted(
            7,
            3L,
            "owner",
            2,
            List.of(new TaskResult(new RunId("task"), 5)),
            Instant.parse("2026-01-01T00:00:00.123456789Z"));

    private TaskSamples() {}

    /** Return the first fact of a run, without whatever may be missing apart from its resource. */
    static Fact.Started bareStarted(@Nullable String resourceId) {
        return new Fact.Started(
                "agent",
                null,
                AgentPath.parse("agent"),
                new RunId("run"),
                null,
                null,
                null,
                resourceId,
                List.of(),
                List.of(),
                null,
                OptionValues.DEFAULT,
                List.of(),
                Map.of(),
                null,
                null,
                true,
                false,
                null,
                Background.NONE,
                Instant.parse("2026-01-01T00:00:00.123456789Z"));
    }
}
