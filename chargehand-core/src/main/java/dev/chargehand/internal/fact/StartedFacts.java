package dev.chargehand.internal.fact;

import dev.chargehand.internal.fact.task.Background;
import dev.chargehand.internal.fact.task.TaskOrigin;
import dev.chargehand.internal.fact.task.TaskResult;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Changed copies of the first fact of a run. */
public final class StartedFacts {

    private StartedFacts() {}

    /** Return the fact with another input. */
    public static Fact.Started withInput(Fact.Started started, List<Message> input) {
        return copy(started, started.thread(), input, started.submitted(), started.background());
    }

    /** Return the fact of a submitted run whose execution has started. */
    public static Fact.Started executing(Fact.Started started, Fact.ExecutionStarted execution) {
        return executing(started, execution.position(), execution.historyFrom(), execution.results());
    }

    /**
     * Return the fact of a submitted run whose execution has started, at a position of its thread.
     *
     * @param historyFrom the position of the first message that it may see, or null if no bound of tokens decided it
     * @param results the results of background tasks that it gives to its model first
     */
    public static Fact.Started executing(
            Fact.Started started, long position, @Nullable Long historyFrom, List<TaskResult> results) {
        ThreadLink thread = started.thread();
        ThreadLink link = thread == null ? null : new ThreadLink(thread.id(), thread.owner(), position, historyFrom);
        return copy(started, link, started.input(), false, started.background().with(results));
    }

    /** Return the fact of a run on another thread. */
    public static Fact.Started onThread(Fact.Started started, @Nullable ThreadLink thread) {
        return copy(started, thread, started.input(), started.submitted(), started.background());
    }

    /**
     * Return the first fact of a background task.
     *
     * @param delegated what a nested run that does the work would start with
     * @param hooks what the task needs that is not stored
     */
    public static Fact.Started asTask(
            Fact.Started delegated, RunId runId, OptionValues settings, List<String> hooks, Background background) {
        ThreadLink thread = delegated.thread();
        return new Fact.Started(
                delegated.agentId(),
                delegated.agentName(),
                delegated.path(),
                runId,
                null,
                null,
                thread == null ? null : new ThreadLink(thread.id(), thread.owner(), 0),
                delegated.resourceId(),
                delegated.context(),
                delegated.input(),
                delegated.instructions(),
                settings,
                hooks,
                delegated.requestContext(),
                null,
                null,
                delegated.iterations(),
                true,
                delegated.definition(),
                background,
                delegated.at());
    }

    /** Return the first fact of the next attempt of a task, whose thread holds nothing of the attempt before if it is its own. */
    public static Fact.Started nextAttempt(Fact.Started before, TaskOrigin origin, Instant at) {
        TaskOrigin next = origin.next();
        RunId runId = origin.nextRunId();
        ThreadLink thread = before.thread();
        String suffix = origin.ownThread() ? "." + next.attempt() : "";
        List<Message> input = new ArrayList<>();
        for (Message message : before.input()) {
            input.add(message.withId(runId + ".input." + input.size()));
        }
        ThreadLink link = thread == null ? null : new ThreadLink(thread.id() + suffix, thread.owner(), 0);
        return following(before, runId, link, before.context(), input, Background.of(next), at);
    }

    /** Return the first fact of the next turn of an until-idle call: a run without an input on the same thread, with the same options. */
    public static Fact.Started nextTurn(Fact.Started before, RunId runId, Instant at) {
        ThreadLink thread = before.thread();
        ThreadLink link = thread == null ? null : new ThreadLink(thread.id(), thread.owner(), 0);
        return following(
                before, runId, link, List.of(), List.of(), before.background().ofNextTurn(), at);
    }

    /** Return the first fact of a root run that is submitted after another, with the agent and the settings of that. */
    private static Fact.Started following(
            Fact.Started before,
            RunId runId,
            @Nullable ThreadLink thread,
            List<Message> context,
            List<Message> input,
            Background background,
            Instant at) {
        return new Fact.Started(
                before.agentId(),
                before.agentName(),
                before.path(),
                runId,
                null,
                null,
                thread,
                before.resourceId(),
                context,
                input,
                before.instructions(),
                before.settings(),
                before.hooks(),
                before.requestContext(),
                before.models(),
                null,
                before.iterations(),
                true,
                before.definition(),
                background,
                at);
    }

    /** Return the fact of a run with other results of background tasks. */
    public static Fact.Started withResults(Fact.Started started, List<TaskResult> results) {
        return copy(
                started,
                started.thread(),
                started.input(),
                started.submitted(),
                started.background().with(results));
    }

    private static Fact.Started copy(
            Fact.Started from,
            @Nullable ThreadLink thread,
            List<Message> input,
            boolean submitted,
            Background background) {
        return new Fact.Started(
                from.agentId(),
                from.agentName(),
                from.path(),
                from.rootRunId(),
                from.parentRunId(),
                from.parentCallId(),
                thread,
                from.resourceId(),
                from.context(),
                input,
                from.instructions(),
                from.settings(),
                from.hooks(),
                from.requestContext(),
                from.models(),
                from.fork(),
                from.iterations(),
                submitted,
                from.definition(),
                background,
                from.at());
    }
}
