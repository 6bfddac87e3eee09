package dev.chargehand.jdbc;

import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Append;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.ThreadOwner;
import java.time.Instant;
import java.util.List;

/** Appends to write in tests. */
final class Runs {

    static final Instant START = Instant.parse("2026-01-02T03:04:05.006Z");
    static final ThreadOwner ANN = new ThreadOwner("ann", null);

    private Runs() {}

    static Append start(String run, String text) {
        RunId id = new RunId(run);
        RunRecord record = new RunRecord(
                id, id, null, null, "boss", "boss", null, null, RunStatus.RUNNING, "process-1", 1, 0, START, START);
        return new Append(id, 1, 0, facts(text), RunStatus.RUNNING, START, record, List.of());
    }

    static Append more(String run, long length, String text) {
        return new Append(new RunId(run), 1, length, facts(text), RunStatus.RUNNING, START, null, List.of());
    }

    static Append saying(Append append, String thread, String messageId) {
        ThreadEntry message = new ThreadEntry(messageId, "{}");
        return new Append(
                append.runId(),
                append.epoch(),
                append.expectedLength(),
                append.facts(),
                append.status(),
                append.at(),
                append.newRun(),
                List.of(new ThreadAppend(thread, ANN, null, null, List.of(message))));
    }

    static List<String> texts(JdbcStore store, String run) {
        return store.read(new RunId(run), 0).stream().map(FactEntry::text).toList();
    }

    private static List<FactEntry> facts(String text) {
        return List.of(FactEntry.of("Answered", 1, text));
    }
}
