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
 * @param leadMillis how long before the end of the sleep the contenders start, if that is the trouble
 * @param contenders who does what
 */
record RaceCase(
        String name, Shape shape, Trouble trouble, boolean inThread, int leadMillis, List<Contender> contenders) {

    /** What else happens. */
    enum Trouble {
        /** Nothing. */
        NONE,
        /** A caller cancels the run. */
        CANCEL,
        /** Another runtime recovers. */
        RECOVER,
        /** The approvals expire, and a process recovers. */
        EXPIRY,
        /** The time of a sleep comes by itself, and perhaps a caller cancels the run or another runtime recovers. */
        DUE
    }

    private static final int FEWEST = 2;
    private static final int MOST = 8;
    private static final int MOST_DATA = 3;
    private static final int LONGEST_LEAD_MILLIS = 60;

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
        Trouble trouble = trouble(shape, random);
        List<Contender> contenders = new ArrayList<>();
        int answers = random.nextInt(FEWEST, MOST + 1);
        int onlyIn = random.nextInt(places * 2); // half of the cases are all in one runtime
        for (int i = 0; i < answers; i++) {
            int slot = random.nextInt(shape.slots().size());
            Deed yes = Shape.wantsData(shape.slots().get(slot)) ? Deed.GIVE : Deed.APPROVE;
            Deed deed = random.nextBoolean() ? yes : Deed.DECLINE;
            contenders.add(contender(deed, slot, random, places, onlyIn, trouble));
        }
        int troublemakers = trouble == Trouble.NONE ? 0 : random.nextInt(trouble == Trouble.DUE ? 0 : 1, 3);
        boolean cancels = trouble == Trouble.CANCEL || (trouble == Trouble.DUE && random.nextBoolean());
        for (int i = 0; i < troublemakers; i++) {
            contenders.add(contender(cancels ? Deed.CANCEL : Deed.RECOVER, 0, random, places, onlyIn, trouble));
        }
        int wakers = shape.sleeps() ? random.nextInt(1, 4) : 0;
        for (int i = 0; i < wakers; i++) {
            contenders.add(contender(Deed.WAKE, 0, random, places, onlyIn, trouble));
        }
        int leadMillis = random.nextInt(1, LONGEST_LEAD_MILLIS + 1);
        return new RaceCase(name, shape, trouble, random.nextBoolean(), leadMillis, contenders);
    }

    private static Trouble trouble(Shape shape, SplittableRandom random) {
        if (shape.sleeps() && random.nextInt(3) > 0) {
            return Trouble.DUE;
        }
        int dice = random.nextInt(100);
        if (dice < 55) {
            return Trouble.NONE;
        }
        return dice < 70 ? Trouble.CANCEL : dice < 85 ? Trouble.RECOVER : Trouble.EXPIRY;
    }

    private static Contender contender(
            Deed deed, int slot, SplittableRandom random, int places, int onlyIn, Trouble trouble) {
        int place = onlyIn < places ? onlyIn : random.nextInt(places);
        int spread =
                switch (trouble) {
                    case EXPIRY -> 4_000;
                    case DUE -> 20_000;
                    default -> random.nextBoolean() ? 1 : 400;
                };
        String approver = random.nextBoolean() ? "ann" : "bob";
        return new Contender(deed, slot, place, random.nextInt(spread), approver, random.nextInt(1, MOST_DATA + 1));
    }

    /** Return what the run is called for. */
    String task() {
        return name + " " + String.join(" ", shape.effects());
    }
}
