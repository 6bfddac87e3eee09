package dev.chargehand.internal.journal.stored;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.task.Background;
import dev.chargehand.internal.fact.task.TaskOrigin;
import dev.chargehand.internal.fact.task.TaskResult;
import dev.chargehand.run.RunId;
import dev.chargehand.thread.ThreadOwner;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The stored forms of the facts that say when, and by whom, a run is executed. */
final class StoredExecution {

    private StoredExecution() {}

    /** The stored form of {@link Fact.ExecutionStarted}, whose name in a store is {@code begun}. */
    record ExecutionStarted(
            @JsonProperty("position") long position,
            @JsonProperty("historyFrom") @Nullable Long historyFrom,
            @JsonProperty("owner") String owner,
            @JsonProperty("epoch") long epoch,
            @JsonProperty("results") @Nullable List<Tasks.Result> results,
            @JsonProperty("at") Instant at)
            implements StoredFact {

        static ExecutionStarted of(Fact.ExecutionStarted fact) {
            return new ExecutionStarted(
                    fact.position(),
                    fact.historyFrom(),
                    fact.owner(),
                    fact.epoch(),
                    Tasks.Result.all(fact.results()),
                    fact.at());
        }

        @Override
        public Fact toFact() {
            return new Fact.ExecutionStarted(position, historyFrom, owner, epoch, Tasks.Result.toResults(results), at);
        }
    }

    /** The stored form of {@link Fact.Suspended}. */
    record Suspended(
            @JsonProperty("expiresAt") Instant expiresAt,
            @JsonProperty("at") Instant at) implements StoredFact {

        static Suspended of(Fact.Suspended fact) {
            return new Suspended(fact.expiresAt(), fact.at());
        }

        @Override
        public Fact toFact() {
            return new Fact.Suspended(expiresAt, at);
        }
    }

    /** The stored form of {@link Fact.Resumed}. */
    record Resumed(
            @JsonProperty("owner") String owner,
            @JsonProperty("epoch") @Nullable Long epoch,
            @JsonProperty("at") Instant at)
            implements StoredFact {

        static Resumed of(Fact.Resumed fact) {
            return new Resumed(fact.owner(), fact.epoch() == 0 ? null : fact.epoch(), fact.at());
        }

        @Override
        public Fact toFact() {
            return new Fact.Resumed(owner, epoch == null ? 0 : epoch, at);
        }
    }

    /** The stored form of {@link Background}. */
    record Tasks(
            @JsonProperty("origin") @Nullable Origin origin,
            @JsonProperty("untilIdle") @Nullable String untilIdle,
            @JsonProperty("anyProcess") @Nullable Boolean anyProcess,
            @JsonProperty("results") @Nullable List<Result> results) {

        record Origin(
                @JsonProperty("taskId") String taskId,
                @JsonProperty("attempt") int attempt,
                @JsonProperty("retries") int retries,
                @JsonProperty("runId") String runId,
                @JsonProperty("callId") String callId,
                @JsonProperty("threadId") String threadId,
                @JsonProperty("resourceId") @Nullable String resourceId,
                @JsonProperty("agentPath") @Nullable String agentPath,
                @JsonProperty("agentIds") List<String> agentIds,
                @JsonProperty("ownThread") boolean ownThread,
                @JsonProperty("untilIdle") @Nullable String untilIdle) {

            static Origin of(TaskOrigin origin) {
                return new Origin(
                        origin.taskId().value(),
                        origin.attempt(),
                        origin.retries(),
                        origin.runId().value(),
                        origin.callId(),
                        origin.threadId(),
                        origin.owner().resourceId(),
                        origin.owner().agentPath(),
                        origin.agentIds(),
                        origin.ownThread(),
                        valueOf(origin.untilIdle()));
            }

            TaskOrigin toOrigin() {
                return new TaskOrigin(
                        new RunId(taskId),
                        attempt,
                        retries,
                        new RunId(runId),
                        callId,
                        threadId,
                        new ThreadOwner(resourceId, agentPath),
                        agentIds,
                        ownThread,
                        runOf(untilIdle));
            }
        }

        /** The stored form of {@link TaskResult}. */
        record Result(
                @JsonProperty("taskId") String taskId,
                @JsonProperty("position") long position) {

            static @Nullable List<Result> all(List<TaskResult> results) {
                return results.isEmpty()
                        ? null
                        : results.stream()
                                .map(each -> new Result(each.taskId().value(), each.position()))
                                .toList();
            }

            static List<TaskResult> toResults(@Nullable List<Result> results) {
                return results == null
                        ? List.of()
                        : results.stream()
                                .map(each -> new TaskResult(new RunId(each.taskId), each.position))
                                .toList();
            }
        }

        static @Nullable Tasks of(Background background) {
            TaskOrigin origin = background.origin();
            return background.equals(Background.NONE)
                    ? null
                    : new Tasks(
                            origin == null ? null : Origin.of(origin),
                            valueOf(background.untilIdle()),
                            background.anyProcess() ? true : null,
                            Result.all(background.results()));
        }

        Background toBackground() {
            return new Background(
                    origin == null ? null : origin.toOrigin(),
                    runOf(untilIdle),
                    Boolean.TRUE.equals(anyProcess),
                    Result.toResults(results));
        }

        private static @Nullable String valueOf(@Nullable RunId run) {
            return run == null ? null : run.value();
        }

        private static @Nullable RunId runOf(@Nullable String run) {
            return run == null ? null : new RunId(run);
        }
    }
}
