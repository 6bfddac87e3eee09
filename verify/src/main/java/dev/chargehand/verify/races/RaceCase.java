package dev.chargehand.verify.races;

import dev.chargehand.verify.races.Contender.Deed;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A waiting run, and concurrent answers to it.
 *
 * @param name of its task, unlike that of any other
 * @param shape what it waits for
 * @param trouble what else happens at the same time
 * @param inThread whether the run has a thread
 * @param contenders who does what
 */
record RaceCase(String name, Shape shape, Trouble trouble, boolean inThread, List<Contender> contenders) {

    /** What else happens. */
    enum Trouble {
        /** Nothing. */
        NONE,
        /** A caller cancels the run. */
        CANCEL,
        /** Another runtime recovers. */
        RECOVER,
        /** The approvals expire, and a process recovers. */
        EXPIRY
    }

    private static final int FEWEST = 2;
    private static final int MOST = 8;

    RaceCase {
        contenders = List.copyOf(contenders);
    }

    /**
     * Make a case.
     *
     * @param places how many runtimes there are
     */
    static RaceCase next(String name, SplittableRandom random, int places) {
        Shape shape = Shape.any(random);
        Trouble trouble = trouble(random);
        List<Contender> contenders = new ArrayList<>();
        int answers = random.nextInt(FEWEST, MOST + 1);
        int onlyIn = random.nextInt(places * 2); // half of the cases are all in one runtime
        for (int i = 0; i < answers; i++) {
            Deed deed = random.nextBoolean() ? Deed.APPROVE : Deed.DECLINE;
            int slot = random.nextInt(shape.slots().size());
            contenders.add(contender(deed, slot, random, places, onlyIn, trouble));
        }
        int troublemakers = trouble == Trouble.NONE ? 0 : random.nextInt(1, 3);
        for (int i = 0; i < troublemakers; i++) {
            contenders.add(contender(
                    trouble == Trouble.CANCEL ? Deed.CANCEL : Deed.RECOVER, 0, random, places, onlyIn, trouble));
        }
        int wakers = shape.sleeps() ? random.nextInt(1, 4) : 0;
        for (int i = 0; i < wakers; i++) {
            contenders.add(contender(Deed.WAKE, 0, random, places, onlyIn, trouble));
        }
        return new RaceCase(name, shape, trouble, random.nextBoolean(), contenders);
    }

    private static Trouble trouble(SplittableRandom random) {
        int dice = random.nextInt(100);
        if (dice < 55) {
            return Trouble.NONE;
        }
        return dice < 70 ? Trouble.CANCEL : dice < 85 ? Trouble.RECOVER : Trouble.EXPIRY;
    }

    private static Contender contender(
            Deed deed, int slot, SplittableRandom random, int places, int onlyIn, Trouble trouble) {
        int place = onlyIn < places ? onlyIn : random.nextInt(places);
        int spread = trouble == Trouble.EXPIRY ? 4_000 : random.nextBoolean() ? 1 : 400;
        return new Contender(deed, slot, place, random.nextInt(spread), random.nextBoolean() ? "ann" : "bob");
    }

    /** Return what the run is called for. */
    String task() {
        return name + " " + String.join(" ", shape.effects());
    }
}
