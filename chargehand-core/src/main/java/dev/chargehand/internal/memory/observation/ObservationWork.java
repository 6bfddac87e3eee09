package dev.chargehand.internal.memory.observation;

import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.memory.history.Recent;
import dev.chargehand.internal.memory.side.FailedTries;
import dev.chargehand.internal.memory.side.SideCalls;
import dev.chargehand.internal.memory.side.SideModelFailedException;
import dev.chargehand.internal.memory.side.WorkMeter;
import dev.chargehand.memory.Observations;
import dev.chargehand.run.Usage;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.store.Store;
import dev.chargehand.store.memory.MemoryUsage;
import dev.chargehand.thread.ThreadOwner;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Has the messages of threads observed in the work after runs. Thread-safe. */
public final class ObservationWork {

    private static final Log LOG = Log.of(ObservationWork.class);

    /** Longer than any call may take. */
    private static final Duration NO_LIMIT = Duration.ofDays(1);

    /** How much of one thread is observed before other threads have their turn. */
    private static final int MOST_BATCHES = 10;

    private final SideCalls models;
    private final TimeSource time;
    private final FailedTries failures;

    /**
     * Make it for a runtime.
     *
     * @param waits how long to wait after the first failure, the second one, and so on
     */
    public ObservationWork(SideCalls models, TimeSource time, List<Duration> waits) {
        this.models = models;
        this.time = time;
        this.failures = new FailedTries(waits);
    }

    /**
     * Whose messages are observed.
     *
     * @param store the store of the tenant
     * @param meter counts what the models use
     */
    public record Task(
            Store store, String tenantId, ThreadOwner owner, String threadId, Observations settings, WorkMeter meter) {

        private ObservedThread thread() {
            return new ObservedThread(store, owner, threadId, settings);
        }
    }

    /**
     * Observe the messages of a thread before a position, if there are too many.
     *
     * @param goesOn returns whether this process may continue with it
     * @return how long to wait for the next try, after a failure; zero if more is to be done, but other threads have their turn before
     */
    public Optional<Duration> work(Task task, long length, BooleanSupplier goesOn) {
        ObservedThread thread = task.thread();
        Observer observer = new Observer(models.metered(task.meter().of(MemoryUsage.Part.OBSERVATIONS)), time);
        try {
            Recent recent = thread.unobserved(thread.log(), length);
            int most = task.settings().messageTokens();
            if (recent.tokens(most) > most) {
                long until = recent.startOfLast(thread.tokensLeft());
                if (!observer.observe(thread, until, MOST_BATCHES, () -> NO_LIMIT, new Quiet(goesOn))) {
                    return Optional.of(Duration.ZERO);
                }
            }
            if (goesOn.getAsBoolean()) {
                observer.reflect(thread);
            }
            failures.succeeded(task.tenantId(), task.threadId());
            return Optional.empty();
        } catch (SideModelFailedException e) {
            Duration wait = failures.failed(task.tenantId(), task.threadId());
            LOG.warn(
                    "thread {}: not all that is to be observed has been: {} It is tried again after the next run, or in {} min.",
                    task.threadId(),
                    e.problem(),
                    wait.toMinutes());
            return Optional.of(wait);
        }
    }

    /** Reports nothing. */
    private record Quiet(BooleanSupplier continues) implements Observer.Progress {

        @Override
        public boolean goesOn() {
            return continues.getAsBoolean();
        }

        @Override
        public void starts(Batch batch) {}

        @Override
        public void observed(Batch batch, Usage usage, Duration duration) {}

        @Override
        public void failed(Batch batch, String problem) {}
    }
}
