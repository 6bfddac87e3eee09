package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;

/** What is logged while something is done, at every level. */
public final class Logged {

    private Logged() {}

    /** Returns the lines of the log with their stack traces; there is at least one. */
    public static String during(Runnable action) {
        String lines = ifAny(action);
        assertThat(lines).as("lines of the log").isNotEmpty();
        return lines;
    }

    /** Returns the lines of the log with their stack traces; empty if there is none. */
    public static String ifAny(Runnable action) {
        Logger logger = (Logger) LoggerFactory.getLogger("dev.chargehand");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.setLevel(Level.TRACE);
        logger.addAppender(lines);
        try {
            action.run();
        } finally {
            logger.detachAppender(lines);
            logger.setLevel(null);
        }
        return List.copyOf(lines.list).stream().map(Logged::text).collect(Collectors.joining("\n"));
    }

    private static String text(ILoggingEvent line) {
        return line.getLevel() + " " + line.getFormattedMessage() + "\n"
                + ThrowableProxyUtil.asString(line.getThrowableProxy());
    }
}
