package dev.chargehand.tests.kill;

import java.util.concurrent.CountDownLatch;

/** The moment at which a process waits to be killed, and the places that may be it. */
final class Moment {

    /** What the moments after an event was seen begin with. */
    static final String SEEN = "seen-";

    private final String name;

    Moment(String name) {
        this.name = name;
    }

    /** Tells whether the process is killed because of an event, so that there must be one. */
    boolean isAfterAnEvent() {
        return name.startsWith(SEEN);
    }

    /** Says that a place is reached; if it is the moment, nothing goes on from here. */
    void reach(String place) {
        if (place.equals(name)) {
            System.out.println(KilledProcess.HOLDING);
            System.out.flush();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                reach(place); // whoever gives up on this call must still not get past it
            }
        }
    }
}
