package dev.chargehand.internal.log;

/** Stands for an exception that cannot be printed: reading its message, its causes or its stack trace threw. */
final class UnprintableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnprintableException(Class<? extends Throwable> type) {
        super(type.getName() + " (its message, causes or stack trace cannot be read)");
    }
}
