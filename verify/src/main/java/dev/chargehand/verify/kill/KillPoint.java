package dev.chargehand.verify.kill;

/**
 * When a process is killed, or asked to terminate.
 *
 * @param place where, or at what time
 * @param nth the how manieth time the process is there, from 1; or how many microseconds after it began
 * @param whileAnswering whether it counts only from when it has been given an answer to what its run waits for
 * @param terminates whether it is asked to terminate (SIGTERM), and goes on until it is, and not killed (SIGKILL)
 */
record KillPoint(Place place, int nth, boolean whileAnswering, boolean terminates) {

    /** Never. */
    static final KillPoint NEVER = new KillPoint(Place.NEVER, 0, false, false);

    /** Where a process may be. */
    enum Place {
        /** About to store facts. */
        BEFORE_APPEND,
        /** The facts are stored, and nobody knows. */
        AFTER_APPEND,
        /** About to take a run over. */
        BEFORE_CLAIM,
        /** The run is taken over, and nobody knows. */
        AFTER_CLAIM,
        /** In a tool that has not had its effect. */
        BEFORE_EFFECT,
        /** In a tool that has had its effect. */
        AFTER_EFFECT,
        /** An event has been told. */
        EVENT,
        /** The process lives, and its store fails for a while, beginning with an append of which nothing is stored. */
        OUTAGE,
        /** The same, beginning with an append that is stored but not acknowledged. */
        OUTAGE_UNKNOWN,
        /** The process lives, and nothing can be written for a while. */
        DISK_FULL,
        /** Anywhere: the clock says when. */
        TIME,
        /** Nowhere. */
        NEVER
    }

    /** Tells whether the process goes on, and its store is what fails. */
    boolean isOutage() {
        return switch (place) {
            case OUTAGE, OUTAGE_UNKNOWN, DISK_FULL -> true;
            default -> false;
        };
    }

    /** Writes it as an argument of a process. */
    String text() {
        return place + "," + nth + "," + whileAnswering + "," + terminates;
    }

    static KillPoint parse(String text) {
        String[] parts = text.split(",", -1);
        return new KillPoint(
                Place.valueOf(parts[0]),
                Integer.parseInt(parts[1]),
                Boolean.parseBoolean(parts[2]),
                Boolean.parseBoolean(parts[3]));
    }
}
