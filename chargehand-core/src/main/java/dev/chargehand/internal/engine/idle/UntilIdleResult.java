package dev.chargehand.internal.engine.idle;

import dev.chargehand.IdleStream.IdleResult;
import dev.chargehand.RunResult;
import dev.chargehand.background.IdleReason;
import dev.chargehand.background.Task;
import dev.chargehand.run.ObjectResult;
import dev.chargehand.run.Usage;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The result of an until-idle call.
 *
 * @param usageOfTasks what all attempts of the tasks have used, by agent id
 */
record UntilIdleResult(IdleReason reason, List<RunResult> turns, List<Task> tasks, Map<String, Usage> usageOfTasks)
        implements IdleResult {

    UntilIdleResult {
        turns = List.copyOf(turns);
        tasks = List.copyOf(tasks);
        usageOfTasks = Map.copyOf(usageOfTasks);
    }

    @Override
    public String text() {
        return turns.getLast().text();
    }

    @Override
    public Optional<ObjectResult> structured() {
        return turns.getLast().structured();
    }

    @Override
    public Usage totalUsage() {
        return usageByAgent().values().stream().reduce(Usage.NONE, Usage::plus);
    }

    @Override
    public Map<String, Usage> usageByAgent() {
        Map<String, Usage> usage = new LinkedHashMap<>();
        turns.forEach(turn -> turn.usageByAgent().forEach((agent, used) -> usage.merge(agent, used, Usage::plus)));
        usageOfTasks.forEach((agent, used) -> usage.merge(agent, used, Usage::plus));
        return Collections.unmodifiableMap(usage);
    }
}
