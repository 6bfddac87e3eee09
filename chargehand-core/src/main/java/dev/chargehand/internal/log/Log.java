package dev.chargehand.internal.log;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LocationAwareLogger;

/** A logger that breaks nothing: what the one behind it throws is dropped with the line. Thread-safe. */
public final class Log {

    private static final String CALLED = Log.class.getName();

    private final Logger logger;

    private Log(Logger logger) {
        this.logger = logger;
    }

    /** Return the log of a class. */
    public static Log of(Class<?> type) {
        return new Log(LoggerFactory.getLogger(type));
    }

    /** Log what only a developer needs. */
    public void debug(String message, @Nullable Object... values) {
        log(Level.DEBUG, message, values);
    }

    /** Log what an operator may want to know. */
    public void info(String message, @Nullable Object... values) {
        log(Level.INFO, message, values);
    }

    /** Log a message that needs attention. */
    public void warn(String message, @Nullable Object... values) {
        log(Level.WARN, message, values);
    }

    /** Log what went wrong. */
    public void error(String message, @Nullable Object... values) {
        log(Level.ERROR, message, values);
    }

    @SuppressWarnings("CatchingUnchecked") // a line that cannot be written must not end a run
    private void log(Level level, String message, @Nullable Object... values) {
        try {
            if (!logger.isEnabledForLevel(level)) {
                return;
            }
            int last = values.length - 1;
            if (last >= 0 && values[last] instanceof Throwable thrown) {
                values[last] = Thrown.loggable(thrown);
            }
            if (logger instanceof LocationAwareLogger aware) {
                aware.log(null, CALLED, level.toInt(), message, values, null);
            } else {
                logger.atLevel(level).log(message, values);
            }
        } catch (Throwable t) {
            // there is nowhere left to say it
        }
    }
}
