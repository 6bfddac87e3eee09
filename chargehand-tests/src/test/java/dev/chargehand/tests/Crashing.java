package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunResult;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.run.RunId;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.TestRuntime;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * A run whose process is gone between any two of its facts, and that is resumed by another process.
 *
 * <p>The process is gone when its store takes nothing any more.
 *
 * @param <E> what is compared of how the run ended
 */
interface Crashing<E> {

    /** More appends than any of these runs makes. */
    int MANY = 200;

    /** Returns a runtime of a process. */
    TestRuntime runtime(Store store);

    /** Begins the run and waits for its end. */
    RunResult begin(TestRuntime test);

    /** Resumes the run in another process and waits for its end. */
    default RunResult resume(TestRuntime test, RunId run) {
        return test.runtime().resume(run, o -> {}).result();
    }

    /** Returns how a run ended, which may be by a failure. */
    E ending(TestRuntime test, Supplier<RunResult> run);

    /** Holds the run, gone before each append but the first, against the undisturbed one. */
    default void assertEndsAsTheUndisturbedOne() {
        FaultyStore counted = FaultyStore.over(InMemoryStore.keepingEndedRuns());
        E undisturbed;
        try (TestRuntime test = runtime(counted)) {
            undisturbed = ending(test, () -> begin(test));
        }
        int appends = counted.count(FaultyStore.Operation.APPEND);
        assertThat(appends).isGreaterThan(4);
        for (int append = 2; append <= appends; append++) {
            assertThat(interruptedAt(append))
                    .as("gone before append %s", append)
                    .isEqualTo(undisturbed);
        }
    }

    private E interruptedAt(int append) {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        try (TestRuntime test = runtime(goneBefore(append, store))) {
            begin(test);
        } catch (ChargehandException e) { // the run failed, or it could not be woken any more
            assertThat(e.code()).startsWith("store");
        }
        try (TestRuntime test = runtime(store)) {
            RunId run = store.list(RunFilter.ROOTS).getFirst().runId();
            E ending = ending(test, () -> resume(test, run));
            assertThat(store.list(RunFilter.ALL)).allMatch(each -> each.status().isEnded());
            return ending;
        }
    }

    /** Returns a store that takes nothing any more from an append on. */
    static FaultyStore goneBefore(int append, Store store) {
        return goneBefore(append, FaultyStore.over(store));
    }

    /** Has a store take nothing any more from an append on. */
    static FaultyStore goneBefore(int append, FaultyStore dying) {
        IntStream.range(append, append + MANY).forEach(nth -> dying.failOn(FaultyStore.Operation.APPEND, nth));
        return dying;
    }
}
