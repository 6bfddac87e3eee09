package dev.chargehand.jdbc.internal.sql;

import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Append;
import dev.chargehand.store.Appended;
import dev.chargehand.store.Delivery.Delivered;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.thread.ThreadOwner;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** The tables as one tenant sees them; payloads are common to all, and so is what is named so. */
public record Tables(
        PayloadTable payloads,
        RunTable runs,
        RunRows rows,
        RunRows allRows,
        FactTable facts,
        InboxTable inboxes,
        WaitingTable waits,
        ThreadTable threads,
        ThreadTaking taking,
        TaskTable tasks,
        IdempotencyTable keys) {

    /**
     * Make those of a tenant.
     *
     * @param leaseTime the clock of the leases
     * @param threadGrace how long a run keeps its thread after its process left it
     */
    public static Tables of(
            Dialect dialect, String tenant, Function<Session, Instant> leaseTime, Duration threadGrace) {
        PayloadTable payloads = new PayloadTable(dialect);
        WaitingTable waits = new WaitingTable(dialect, tenant);
        return new Tables(
                payloads,
                new RunTable(tenant),
                new RunRows(dialect, tenant),
                new RunRows(dialect, null),
                new FactTable(dialect, tenant),
                new InboxTable(dialect, tenant, waits),
                waits,
                new ThreadTable(dialect, tenant, payloads),
                new ThreadTaking(dialect, tenant, leaseTime, threadGrace),
                new TaskTable(dialect, tenant),
                new IdempotencyTable(dialect, tenant));
    }

    /** Store messages of a thread, whose large texts were looked for already. */
    public void append(Session session, ThreadAppend messages, Instant at, LargeTexts large) {
        payloads.insert(session, large);
        threads.append(session, List.of(messages), at, large);
    }

    /** Store facts of runs of one tree and messages of threads, whose large texts were looked for already. */
    public Appended append(Session session, List<Append> appends, LargeTexts large) {
        keys.insert(session, appends);
        RunTable.Advanced advanced = runs.advance(session, appends);
        for (Append append : appends) {
            tasks.start(session, append);
            tasks.read(session, append);
            append.taskEnd().ifPresent(end -> {
                Delivered ignored = inboxes.deliver(session, end.delivery()); // not stored if that run has ended
            });
        }
        payloads.insert(session, large);
        facts.insert(session, appends, advanced, large);
        for (Append append : appends) {
            threads.append(session, threadsOf(session, append), append.at(), large);
            append.taskEnd().ifPresent(end -> tasks.end(session, end));
        }
        for (Append append : appends) {
            if (append.takesThread()) {
                taking.take(session, append);
            }
        }
        Appended appended = inboxes.apply(session, appends, advanced);
        appends.forEach(append -> append.next().ifPresent(next -> submit(session, next)));
        return appended;
    }

    /** Return the messages of an append, with the result of a task, whose thread may be missing or of another owner. */
    private List<ThreadAppend> threadsOf(Session session, Append append) {
        ThreadAppend result = append.taskEnd().map(Append.TaskEnd::message).orElse(null);
        if (result == null
                || threads.find(session, result.threadId())
                        .filter(thread -> thread.owner().equals(result.owner()))
                        .isEmpty()) {
            return append.threads();
        }
        List<ThreadAppend> all = new ArrayList<>(append.threads());
        all.add(result);
        return all;
    }

    /** Store the first facts of another root run, if that is due. */
    private void submit(Session session, Append.Next next) {
        RunId before = next.turnAfter();
        if (before != null) {
            RunRecord run = next.start().newRun().orElseThrow();
            String thread = run.threadId().orElseThrow();
            Optional<Long> ignored = threads.locked(
                    session, thread, ThreadOwner.of(run.resourceId().orElse(null)));
            if (!tasks.isDue(session, thread, before)) {
                return;
            }
        }
        Appended ignored = append(session, List.of(next.start()), LargeTexts.of(List.of(next.start())));
        tasks.defer(session, next.start().runId(), next.notBefore());
    }

    /** Store what is derived from the facts of a run; returns whether it is stored now. */
    public boolean index(Session session, Append derived) {
        runs.index(session, derived).ifPresent(run -> waits.index(session, run, derived.waits()));
        return runs.isIndexed(session, derived.runId());
    }

    /** Claim a run; one that is pending takes its thread. */
    public RunRecord claim(Session session, RunId runId, Supplier<RunRecord> claim) {
        boolean pending = taking.isPending(session, runId);
        RunRecord claimed = claim.get();
        if (pending) {
            taking.take(session, runId);
        }
        return claimed;
    }
}
