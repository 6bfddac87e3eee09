package dev.chargehand.internal.agent.delegation;

import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.run.StopReason;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * The arbitration of bails, under every interleaving that the hardware and the compilers come up with. No test has more
 * than two actors: jcstress leaves out those for which a machine has not enough processors.
 */
final class BailArbiterStress {

    private BailArbiterStress() {}

    private static BailArbiter siblings(boolean cancelsOthers, boolean firstWins) {
        return new BailArbiter(new Cancellation(), 0, cancelsOthers, firstWins);
    }

    /** Counts how often a call that has begun is cancelled. */
    private static AtomicInteger countCancellations(Cancellation call) {
        AtomicInteger count = new AtomicInteger();
        call.onCancel(count::incrementAndGet);
        return count;
    }

    /** Three bails, two of them at once: places are unique and dense. */
    @JCStressTest
    @Outcome(id = "1, 2, 3", expect = Expect.ACCEPTABLE, desc = "a, b, c")
    @Outcome(id = "1, 3, 2", expect = Expect.ACCEPTABLE, desc = "a, c, b")
    @Outcome(id = "2, 1, 3", expect = Expect.ACCEPTABLE, desc = "b, a, c")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a place twice, or missing")
    @State
    public static class Places {
        private final BailArbiter siblings = siblings(false, true);

        @Actor
        public void two(III_Result r) {
            r.r1 = siblings.bail("a");
            r.r3 = siblings.bail("c");
        }

        @Actor
        public void one(III_Result r) {
            r.r2 = siblings.bail("b");
        }
    }

    /** Two of three bail at once: the winner is never cancelled, each of the others exactly once. */
    @JCStressTest
    @Outcome(id = "0, 1, 1", expect = Expect.ACCEPTABLE, desc = "a wins")
    @Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "b wins")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the winner was cancelled, or another was not, or twice")
    @State
    public static class OthersAreCancelled {
        private final BailArbiter siblings = siblings(true, true);
        private final AtomicInteger a = countCancellations(siblings.begin("a"));
        private final AtomicInteger b = countCancellations(siblings.begin("b"));
        private final AtomicInteger c = countCancellations(siblings.begin("c"));

        @Actor
        public void aBails() {
            siblings.bail("a");
        }

        @Actor
        public void bBails() {
            siblings.bail("b");
        }

        @Arbiter
        public void count(III_Result r) {
            r.r1 = a.get();
            r.r2 = b.get();
            r.r3 = c.get();
        }
    }

    /** A call begins while another bails: it is cancelled, once, by one of both; the one that bails is not. */
    @JCStressTest
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "whoever was first, it has ended")
    @Outcome(expect = Expect.FORBIDDEN, desc = "went on, or ended more than once, or the winner was cancelled")
    @State
    public static class OneBeginsMeanwhile {
        private final BailArbiter siblings = siblings(true, true);
        private final AtomicInteger winner = countCancellations(siblings.begin("a"));
        private AtomicInteger late = new AtomicInteger();

        @Actor
        public void bails() {
            siblings.bail("a");
        }

        @Actor
        public void begins() {
            late = countCancellations(siblings.begin("b"));
        }

        @Arbiter
        public void count(II_Result r) {
            r.r1 = winner.get();
            r.r2 = late.get();
        }
    }

    /** The run is cancelled while one call begins and another bails: each has ended, once, for whatever reason. */
    @JCStressTest
    @Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "all have ended")
    @Outcome(expect = Expect.FORBIDDEN, desc = "one goes on, or ended twice")
    @State
    public static class TheRunEndsMeanwhile {
        private final Cancellation run = new Cancellation();
        private final BailArbiter siblings = new BailArbiter(run, 0, true, true);
        private final AtomicInteger a = countCancellations(siblings.begin("a"));
        private final AtomicInteger b = countCancellations(siblings.begin("b"));
        private AtomicInteger late = new AtomicInteger();

        @Actor
        public void goesOn() {
            late = countCancellations(siblings.begin("c"));
            siblings.bail("a");
        }

        @Actor
        public void ends() {
            run.cancel(new StopReason.Cancelled("caller"));
        }

        @Arbiter
        public void count(III_Result r) {
            r.r1 = a.get();
            r.r2 = b.get();
            r.r3 = late.get();
        }
    }

    /** Where siblings are left to finish, nobody is cancelled. */
    @JCStressTest
    @Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "all are left to finish")
    @Outcome(expect = Expect.FORBIDDEN, desc = "somebody was stopped")
    @State
    public static class AllAreLeftToFinish {
        private final BailArbiter siblings = siblings(false, false);

        @Actor
        public void aBails(ZZ_Result r) {
            Cancellation a = siblings.begin("a");
            siblings.bail("a");
            r.r1 = a.isCancelled();
        }

        @Actor
        public void bBails(ZZ_Result r) {
            Cancellation b = siblings.begin("b");
            siblings.bail("b");
            r.r2 = b.isCancelled();
        }
    }
}
