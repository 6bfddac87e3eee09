package dev.chargehand.verify.cancel;

/** What else is registered to close a model's connection, before what does. */
enum Closer {
    /** Nothing. */
    NONE,
    /** Code that ignores the interrupt until it is let go. */
    HANGS,
    /** Code that throws an exception. */
    THROWS,
    /** Code that throws an error. */
    BREAKS;

    /** Close in this way. */
    void close(DeafCode deaf) {
        switch (this) {
            case NONE -> {}
            case HANGS -> deaf.hang();
            case THROWS -> throw new IllegalStateException("A closer throws.");
            case BREAKS -> throw new NoClassDefFoundError("A closer breaks.");
        }
    }
}
