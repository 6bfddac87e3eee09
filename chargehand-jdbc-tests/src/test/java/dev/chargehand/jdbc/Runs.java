package dev.chargehand.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.StoreException;
import dev.chargehand.error.StoreException.Kind;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Append;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.thread.ThreadOwner;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Appends to write in tests. */
final class Runs {

    static final Instant START = Instant.parse("2026-01-02T03:04:05.006Z");
    static final ThreadOwner ANN = new ThreadOwner("ann", null);

    private Runs() {}

    static Append start(String run, String text) {
        RunId id = new RunId(run);
        RunRecord record = RunRecord.builder(id, "boss", "process-1", START).build();
        return Append.start(record, facts(text));
    }

    static Append more(String run, long length, String text) {
        return Append.to(new RunId(run), 1, length, facts(text), RunStatus.RUNNING, START);
    }

    static Append epoch(Append append, long epoch) {
        return Append.to(append.runId(), epoch, append.expectedLength(), append.facts(), append.status(), append.at())
                .threads(append.threads());
    }

    static Append saying(Append append, String thread, String messageId) {
        ThreadEntry message = new ThreadEntry(messageId, "{}");
        return append.threads(List.of(new ThreadAppend(thread, ANN, null, null, List.of(message))));
    }

    static List<String> texts(JdbcStore store, String run) {
        return store.read(new RunId(run), 0).stream().map(FactEntry::text).toList();
    }

    /** Does something many times at once. */
    static List<CompletableFuture<Void>> onVirtualThreads(int times, IntConsumer task) {
        return IntStream.range(0, times)
                .mapToObj(i -> CompletableFuture.runAsync(
                        () -> task.accept(i), each -> Thread.ofVirtual().start(each)))
                .toList();
    }

    /** Calls until the answer comes in time. */
    static void untilInTime(Runnable call) {
        while (true) {
            try {
                call.run();
                return;
            } catch (StoreException e) {
                assertThat(e.kind()).isEqualTo(Kind.TIMEOUT);
            }
        }
    }

    static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static AbstractThrowableAssert<?, ? extends Throwable> assertFails(Kind kind, ThrowingCallable call) {
        return assertThatThrownBy(call).isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.kind())
                .isEqualTo(kind));
    }

    private static List<FactEntry> facts(String text) {
        return List.of(FactEntry.of("Answered", 1, text));
    }
}
