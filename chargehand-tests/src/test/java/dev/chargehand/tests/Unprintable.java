package dev.chargehand.tests;

import org.jspecify.annotations.Nullable;

/** Exceptions that nobody can print. */
enum Unprintable {
    MESSAGE_THROWS,
    MESSAGE_THROWS_AN_ERROR,
    MESSAGE_RECURSES,
    MESSAGE_IS_NULL,
    MESSAGE_IS_HUGE,
    TEXT_THROWS,
    CAUSE_THROWS,
    CAUSES_NEVER_END,
    CAUSES_ARE_A_CIRCLE,
    STACK_TRACE_THROWS,
    STACK_TRACE_IS_NULL;

    RuntimeException make() {
        NastyException nasty = new NastyException(this);
        if (this == CAUSES_ARE_A_CIRCLE) {
            nasty.initCause(new IllegalStateException("circle", nasty));
        }
        return nasty;
    }

    private static final class NastyException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final Unprintable kind;

        private NastyException(Unprintable kind) {
            super("nasty");
            this.kind = kind;
        }

        @Override
        @SuppressWarnings("InfiniteRecursion") // that is what it is for
        public @Nullable String getMessage() {
            return switch (kind) {
                case MESSAGE_THROWS -> throw new IllegalStateException("no message");
                case MESSAGE_THROWS_AN_ERROR -> throw new NoClassDefFoundError("no message");
                case MESSAGE_RECURSES -> getMessage();
                case MESSAGE_IS_NULL -> null;
                case MESSAGE_IS_HUGE -> "x".repeat(5_000_000);
                default -> super.getMessage();
            };
        }

        @Override
        public String toString() {
            if (kind == TEXT_THROWS) {
                throw new IllegalStateException("no text");
            }
            return super.toString();
        }

        @Override
        public synchronized @Nullable Throwable getCause() {
            return switch (kind) {
                case CAUSE_THROWS -> throw new IllegalStateException("no cause");
                case CAUSES_NEVER_END -> new NastyException(kind);
                default -> super.getCause();
            };
        }

        @Override
        @SuppressWarnings("NullAway") // it is nasty
        public StackTraceElement[] getStackTrace() {
            return switch (kind) {
                case STACK_TRACE_THROWS -> throw new IllegalStateException("no stack trace");
                case STACK_TRACE_IS_NULL -> null;
                default -> super.getStackTrace();
            };
        }
    }
}
