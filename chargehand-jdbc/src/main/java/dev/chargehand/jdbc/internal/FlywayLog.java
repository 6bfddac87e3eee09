package dev.chargehand.jdbc.internal;

import org.flywaydb.core.api.logging.Log;
import org.flywaydb.core.api.logging.LogCreator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes on what Flyway warns of, and keeps its eight lines per start for debugging.
 *
 * <p>Public only because Flyway makes it by its name.
 */
public final class FlywayLog implements LogCreator {

    @Override
    public Log createLogger(Class<?> source) {
        return new Quiet(LoggerFactory.getLogger(source));
    }

    private record Quiet(Logger logger) implements Log {

        @Override
        public void debug(String message) {
            logger.trace(message);
        }

        @Override
        public void info(String message) {
            logger.debug(message);
        }

        @Override
        public void notice(String message) {
            logger.debug(message);
        }

        @Override
        public void warn(String message) {
            logger.warn(message);
        }

        /** An error is thrown as well, and the code that catches it reports it once. */
        @Override
        public void error(String message) {
            logger.debug(message);
        }

        @Override
        public void error(String message, Exception e) {
            logger.debug(message, e);
        }
    }
}
