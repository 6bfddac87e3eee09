package dev.chargehand.internal.agent.delegation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.fact.ChildVerdict;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.json.Json;
import dev.chargehand.run.StopReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Bails at the same moment, on real threads; what interleavings they miss, the profile {@code concurrency} looks for.
 */
class BailArbiterTest {

    private static final int ROUNDS = 1_500;
    private static final int EARLY = 3;
    private static final int LATE = 2;

    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void oneBailIsTheFirstAndAllOthersEndAsTheSettingsSay(boolean cancelsOthers, boolean firstWins) throws Exception {
        int threads = EARLY + LATE;
        CyclicBarrier start = new CyclicBarrier(threads);
        List<Round> rounds = IntStream.range(0, ROUNDS)
                .mapToObj(i -> new Round(cancelsOthers, firstWins))
                .toList();
        List<Thread> running = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int self = t;
            running.add(Thread.ofPlatform().start(() -> rounds.forEach(round -> round.play(self, start))));
        }
        for (Thread thread : running) {
            thread.join();
        }
        rounds.forEach(Round::check);
    }

    @Test
    void bailsBeforeACrashCount() {
        BailArbiter siblings = new BailArbiter(new Cancellation(), 2, true, true);
        assertThat(siblings.areDecided()).isTrue();
        assertThat(siblings.bail("c")).isEqualTo(3);
        assertThat(siblings.begin("d").isCancelled()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void aBailThatTheRunHasHeardOfMakesTheRestPointlessUnlessALaterOneMayWin(boolean cancelsOthers, boolean firstWins) {
        BailArbiter siblings = new BailArbiter(new Cancellation(), 0, cancelsOthers, firstWins);
        siblings.over(closed(null));
        siblings.over(closed(new ChildVerdict(null, "feedback", null)));
        assertThat(siblings.areDecided()).isFalse();
        siblings.over(closed(new ChildVerdict(siblings.bail("a"), null, null)));
        assertThat(siblings.areDecided()).isEqualTo(cancelsOthers || firstWins);
    }

    private static Fact.CallClosed closed(ChildVerdict verdict) {
        return new Fact.CallClosed("a", Json.of("text"), null, null, null, null, null, verdict, null, Instant.EPOCH);
    }

    @Test
    void theEndOfTheRunEndsEveryCallUntilTheTiesAreCut() {
        Cancellation run = new Cancellation();
        BailArbiter siblings = new BailArbiter(run, 0, true, true);
        Cancellation before = siblings.begin("a");
        run.cancel(new StopReason.Cancelled("caller"));
        assertThat(before.isCancelled()).isTrue();
        assertThat(siblings.begin("b").isCancelled()).isTrue();
    }

    /** Three calls that are under way bail at the same moment at which two others begin. */
    private static final class Round {

        private final boolean cancelsOthers;
        private final BailArbiter siblings;
        private final Map<String, AtomicInteger> ended = new ConcurrentHashMap<>();
        private final Map<String, Integer> places = new ConcurrentHashMap<>();

        private Round(boolean cancelsOthers, boolean firstWins) {
            this.cancelsOthers = cancelsOthers;
            this.siblings = new BailArbiter(new Cancellation(), 0, cancelsOthers, firstWins);
            IntStream.range(0, EARLY).forEach(i -> begin("early" + i));
        }

        private void begin(String call) {
            AtomicInteger count = new AtomicInteger();
            ended.put(call, count);
            siblings.begin(call).onCancel(count::incrementAndGet);
        }

        private void play(int self, CyclicBarrier start) {
            try {
                start.await();
            } catch (InterruptedException | BrokenBarrierException e) {
                throw new AssertionError(e);
            }
            if (self < EARLY) {
                places.put("early" + self, siblings.bail("early" + self));
            } else {
                begin("late" + self);
            }
        }

        private void check() {
            List<Integer> dense = IntStream.rangeClosed(1, EARLY).boxed().toList();
            assertThat(places.values()).containsExactlyInAnyOrderElementsOf(dense);
            String winner = Collections.min(places.entrySet(), Map.Entry.comparingByValue())
                    .getKey();
            ended.forEach((call, count) -> assertThat(count)
                    .as("%s, where %s won", call, winner)
                    .hasValue(cancelsOthers && !call.equals(winner) ? 1 : 0));
        }
    }
}
