package dev.chargehand.verify.sequences;

import dev.chargehand.AgentRuntime;
import dev.chargehand.TenantRuntime;
import dev.chargehand.run.RunId;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import java.util.List;
import java.util.function.Consumer;

/**
 * Where an operation happens: which one it is, the runtime that executes it, and the tenant.
 *
 * @param faults receives what is wrong in this setting alone
 */
record Turn(
        int number, Stage stage, AgentRuntime runtime, TenantRuntime tenant, Choice choice, Consumer<String> faults) {

    /** More than a sequence has of anything, so that a list is whole. */
    static final int ALL = 1_000;

    static final RunId MISSING = new RunId("run_missing");

    /** All runs of the tenant. */
    List<RunRecord> runs() {
        return tenant.runs(RunFilter.ALL.limit(ALL));
    }

    /** Find a run by a number, mostly one that has not ended. */
    RunRecord run(int number, RunFilter filter) {
        List<RunRecord> all = tenant.runs(filter.limit(ALL));
        List<RunRecord> open =
                all.stream().filter(run -> !run.status().isEnded()).toList();
        List<RunRecord> chosen = number % 3 == 0 || open.isEmpty() ? all : open;
        return chosen.get(number % chosen.size());
    }

    /** The id of a run by a number; of a missing one at times. */
    RunId id(int number, RunFilter filter) {
        boolean isMissing = number == 7 || tenant.runs(filter.limit(1)).isEmpty();
        return isMissing ? MISSING : run(number, filter).runId();
    }

    /** Choose a thread: one of the usual ids, or one that there is. */
    String thread() {
        if (choice.oneIn(4)) {
            List<ThreadRecord> threads = tenant.threads().list(choice.of(Choice.RESOURCES), 0, ALL);
            if (!threads.isEmpty()) {
                return choice.of(threads).threadId();
            }
        }
        return choice.of(Choice.THREADS);
    }

    /** Return who owns a thread, also one that is missing. */
    ThreadOwner owner(String thread) {
        if (Choice.THREADS.contains(thread)) {
            return Choice.owner(thread);
        }
        return Choice.RESOURCES.stream()
                .flatMap(resource -> tenant.threads().list(resource, 0, ALL).stream())
                .filter(record -> record.threadId().equals(thread))
                .map(ThreadRecord::owner)
                .findFirst()
                .orElseGet(() -> ThreadOwner.of(Choice.RESOURCES.getFirst()));
    }
}
