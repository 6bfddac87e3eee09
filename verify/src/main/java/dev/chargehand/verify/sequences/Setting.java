package dev.chargehand.verify.sequences;

/** The ways in which a sequence is executed. */
enum Setting {
    /** A store in memory, with which all others are compared. */
    IN_MEMORY(1, false),
    /** A database. */
    ONE_RUNTIME(1, false),
    /** A database that two runtimes use in turn, one operation each. */
    TWO_RUNTIMES(2, false),
    /** A database whose runtime is closed and opened again at times. */
    OPENED_AGAIN(1, true);

    private final int runtimes;
    private final boolean openedAgain;

    Setting(int runtimes, boolean openedAgain) {
        this.runtimes = runtimes;
        this.openedAgain = openedAgain;
    }

    int runtimes() {
        return runtimes;
    }

    boolean isOpenedAgain() {
        return openedAgain;
    }

    @Override
    public String toString() {
        return name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
    }
}
