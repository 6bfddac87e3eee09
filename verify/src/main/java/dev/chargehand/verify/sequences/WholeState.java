package dev.chargehand.verify.sequences;

import dev.chargehand.TenantRuntime;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.event.RunEvent;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.run.Usage;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.WaitingCall.WaitingFilter;
import dev.chargehand.thread.ThreadRecord;
import dev.chargehand.version.VersionUsage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads all that a store has of a tenant, and looks whether its parts fit together. */
final class WholeState {

    private final Turn turn;
    private final TenantRuntime tenant;

    WholeState(Turn turn) {
        this.turn = turn;
        tenant = turn.tenant();
    }

    List<Operation> operations() {
        return List.of(
                new Operation("all runs", turn::runs),
                new Operation("all waiting calls", () -> tenant.pendingApprovals(WaitingFilter.ALL.limit(Turn.ALL))),
                new Operation("all tasks", () -> tenant.tasks(TaskFilter.ALL)),
                new Operation("all threads", this::threads),
                new Operation("all working memory", this::memory),
                new Operation("all facts", this::facts),
                new Operation("all events", this::events),
                new Operation("all in order", () -> {
                    check();
                    return "checked";
                }));
    }

    private List<Object> threads() {
        List<Object> all = new ArrayList<>();
        for (String resource : Choice.RESOURCES) {
            for (ThreadRecord thread : tenant.threads().list(resource, 0, Turn.ALL)) {
                all.add(thread);
                all.add(tenant.threads().lastMessages(thread.owner(), thread.threadId(), Turn.ALL));
                all.add(tenant.memory().observations(thread.owner(), thread.threadId()));
            }
        }
        return all;
    }

    private List<Object> memory() {
        List<Object> all = new ArrayList<>();
        for (String resource : Choice.RESOURCES) {
            all.add(tenant.memory().workingMemory(ScopeRef.resource(resource)));
            all.add(tenant.memory().usage(resource));
        }
        return all;
    }

    private List<Object> facts() {
        List<Object> all = new ArrayList<>();
        for (RunRecord run : turn.runs()) {
            all.add(run.runId());
            tenant.facts(run.runId(), 0)
                    .forEach(fact -> all.add(fact.type() + " " + fact.version() + " " + fact.text()));
        }
        return all;
    }

    private List<Object> events() {
        List<Object> all = new ArrayList<>();
        for (RunRecord run : tenant.runs(RunFilter.ROOTS.limit(Turn.ALL))) {
            all.add(run.runId());
            all.add(tenant.metadata(run.runId()));
            all.add(tenant.usageByVersion(run.runId()));
            all.add(tenant.history(run.runId()));
        }
        return all;
    }

    private void check() {
        Set<String> ids = new HashSet<>();
        List<String> waiting = new ArrayList<>();
        List<RunRecord> runs = turn.runs();
        for (RunRecord run : runs) {
            if (!ids.add(run.runId().value())) {
                fault(run, "is listed twice");
            }
        }
        for (RunRecord root : runs) {
            if (root.rootRunId().equals(root.runId())) {
                tenant.handle(root.runId()).pendingApprovals().forEach(call -> waiting.add(ListOperations.call(call)));
                checkEvents(root, runs);
            }
        }
        List<String> listed = tenant.pendingApprovals(WaitingFilter.ALL.limit(Turn.ALL)).stream()
                .map(ListOperations::call)
                .sorted()
                .toList();
        if (!listed.equals(waiting.stream().sorted().toList())) {
            turn.faults().accept("the waiting calls are " + listed + ", those of the runs " + waiting);
        }
    }

    private void checkEvents(RunRecord root, List<RunRecord> runs) {
        List<RunEvent> events = tenant.history(root.runId());
        List<RunEvent.RunFinish> ends = events.stream()
                .filter(RunEvent.RunFinish.class::isInstance)
                .map(RunEvent.RunFinish.class::cast)
                .filter(end -> end.runId().equals(root.runId()))
                .toList();
        if (ends.size() != (root.status().isEnded() ? 1 : 0)) {
            fault(root, "has " + ends.size() + " ends");
        }
        Set<String> seen = new HashSet<>();
        for (RunEvent event : events) {
            if (!seen.add(event.origin() + Shown.of(event))) {
                fault(root, "has this event twice: " + Shown.of(event));
            }
        }
        if (ends.size() == 1) {
            Usage sum = tenant.usageByVersion(root.runId()).stream()
                    .map(VersionUsage::usage)
                    .reduce(Usage.NONE, Usage::plus);
            if (!sum.equals(ends.getFirst().totalUsage())) {
                fault(root, "has the usage " + ends.getFirst().totalUsage() + ", its versions have " + sum);
            }
            runs.stream()
                    .filter(run -> run.rootRunId().equals(root.runId())
                            && !run.status().isEnded())
                    .forEach(run -> fault(run, "has not ended, and its root has"));
        }
    }

    private void fault(RunRecord run, String what) {
        turn.faults().accept(run.runId() + " (" + run.agentId() + ", " + run.status() + ") " + what);
    }
}
