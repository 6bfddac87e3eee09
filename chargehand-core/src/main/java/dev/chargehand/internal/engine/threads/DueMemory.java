package dev.chargehand.internal.engine.threads;

import dev.chargehand.error.VersionUnknownException;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.engine.Engine;
import dev.chargehand.internal.memory.MemoryWork;
import dev.chargehand.run.AgentPath;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunSummary;
import dev.chargehand.store.memory.DueThread;
import dev.chargehand.store.memory.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Finds work on the memory of threads that other processes have left, or that failed and is to be tried again. Used by one
 * thread at a time.
 */
public final class DueMemory {

    private static final int PAGE = 100;

    /** The time between two looks; no caller waits for one. */
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final Engine engine;
    private long last;
    private Instant notBefore = Instant.MIN;

    /** Make it for a runtime. */
    public DueMemory(Engine engine) {
        this.engine = engine;
    }

    /** Look at some of the due threads, if the last look is long enough ago and those of it are done. */
    public void look(Instant now) {
        if (!now.isBefore(notBefore) || notBefore.isAfter(now.plus(PAUSE))) {
            notBefore = now.plus(PAUSE);
            last = work().waiting() < PAGE ? page(last, work()::addDue) : last;
        }
    }

    /** Look at all due threads. */
    public void lookAtAll() {
        long after = page(0, work()::add);
        while (after > 0) {
            after = page(after, work()::add);
        }
    }

    private MemoryWork work() {
        return engine.environment().memories().work();
    }

    /** Hand a page of due threads to the work; returns the last id of the page, 0 after the last page. */
    private long page(long after, Consumer<MemoryWork.Task> work) {
        Optional<MemoryStore> memory = engine.store().memory();
        List<DueThread> due = memory.map(store -> store.due(after, PAGE)).orElse(List.of());
        due.forEach(thread -> hand(thread, work));
        return due.size() < PAGE ? 0 : due.getLast().id();
    }

    /** Return the version of an agent that the last run on a thread has, or the agent in code if that is not here. */
    private RunDefinition ofLastRun(RunDefinition code, DueThread due) {
        return engine
                .store()
                .forTenant(due.tenantId())
                .list(RunFilter.ALL.thread(due.threadId()).limit(1))
                .stream()
                .filter(run -> run.agentId().equals(code.id()))
                .flatMap(run -> run.summary().flatMap(RunSummary::version).stream())
                .flatMap(version -> version(code, due.tenantId(), version).stream())
                .findFirst()
                .orElse(code);
    }

    private Optional<RunDefinition> version(RunDefinition code, String tenantId, String version) {
        try {
            return engine.definitions().forTenant(tenantId).find(code.id(), version);
        } catch (VersionUnknownException e) {
            return Optional.empty();
        }
    }

    /** A thread of an agent that is not here, or that has no such memory any more, is left to others. */
    private void hand(DueThread due, Consumer<MemoryWork.Task> work) {
        engine.definitions()
                .find(AgentPath.parse(due.agentPath()))
                .map(code -> ofLastRun(code, due))
                .map(agent -> MemoryWork.Task.of(
                        due.tenantId(), due.threadId(), due.owner(), agent.memory(), true, true, title -> {}))
                .filter(task -> !task.isEmpty())
                .ifPresent(work);
    }
}
