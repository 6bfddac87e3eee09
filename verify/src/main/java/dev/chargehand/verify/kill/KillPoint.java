package dev.chargehand.verify.kill;

/**
 * When something happens to a process: it is killed, asked to terminate or stopped, its store fails, or its clock is set.
 *
 * @param place where, or at what time
 * @param nth the how manieth time the process exists, from 1; or how many microseconds after it started
 * @param whileAnswering whether it counts only from when it has been given an answer to what its run waits for
 * @param signal what it gets there
 */
record KillPoint(Place place, int nth, boolean whileAnswering, Signal signal) {

    /** Never. */
    static final KillPoint NEVER = living(Place.NEVER, 0);

    /** What a process gets. */
    enum Signal {
        /** SIGKILL: it goes no further. */
        KILL,
        /** SIGTERM: it continues until it notices. */
        TERMINATE,
        /** SIGSTOP, until its run was taken over, and then SIGCONT: it stays where it is until then. */
        STOP,
        /** None: it continues. */
        NONE
    }

    /** Where a process may be. */
    enum Place {
        /** About to store facts. */
        BEFORE_APPEND,
        /** The facts are stored, but not acknowledged. */
        AFTER_APPEND,
        /** About to take a run over. */
        BEFORE_CLAIM,
        /** The run is taken over, but this is not acknowledged. */
        AFTER_CLAIM,
        /** In a tool that has not had its effect. */
        BEFORE_EFFECT,
        /** In a tool that has had its effect. */
        AFTER_EFFECT,
        /** An event has been emitted. */
        EVENT,
        /** The process lives, and its store fails for a while, start with an append of which nothing is stored. */
        OUTAGE,
        /** The same, start with an append that is stored but not acknowledged. */
        OUTAGE_UNKNOWN,
        /** The process lives, and nothing can be written for a while. */
        DISK_FULL,
        /** The process lives, and its clock is set forward by an hour. */
        CLOCK_FORWARD,
        /** The process lives, and its clock is set back by an hour. */
        CLOCK_BACK,
        /** Anywhere: the clock says when. */
        TIME,
        /** Nowhere. */
        NEVER
    }

    /** Create the point of a process that lives in any case. */
    static KillPoint living(Place place, int nth) {
        return new KillPoint(place, nth, false, Signal.NONE);
    }

    /** Return the place that is counted: a clock is set before an append. */
    Place counted() {
        return setsClock() ? Place.BEFORE_APPEND : place;
    }

    /** Return whether the process continues, and its clock is set. */
    boolean setsClock() {
        return place == Place.CLOCK_FORWARD || place == Place.CLOCK_BACK;
    }

    /** Return whether the process continues, and its store is what fails. */
    boolean isOutage() {
        return switch (place) {
            case OUTAGE, OUTAGE_UNKNOWN, DISK_FULL -> true;
            default -> false;
        };
    }

    /** Write it as an argument of a process. */
    String text() {
        return place + "," + nth + "," + whileAnswering + "," + signal;
    }

    static KillPoint parse(String text) {
        String[] parts = text.split(",", -1);
        return new KillPoint(
                Place.valueOf(parts[0]),
                Integer.parseInt(parts[1]),
                Boolean.parseBoolean(parts[2]),
                Signal.valueOf(parts[3]));
    }
}
