package dev.chargehand.cli.shell;

/** Sets up what the libraries and core log: warnings in one line each; more only of our own code, when asked for. */
public final class Logging {

    private static final String PREFIX = "org.slf4j.simpleLogger.";

    private Logging() {}

    /** Must be called before anything logs: the logging back end reads its settings once. */
    public static void configure(boolean verbose) {
        System.setProperty(PREFIX + "logFile", "System.err");
        System.setProperty(PREFIX + "showDateTime", "false");
        System.setProperty(PREFIX + "showThreadName", "false");
        System.setProperty(PREFIX + "showShortLogName", "true");
        System.setProperty(PREFIX + "defaultLogLevel", "warn");
        System.setProperty(PREFIX + "log.com.networknt", "off"); // what is wrong with a schema is said in our own words
        // Not of the libraries: an HTTP client that debugs writes out headers, and keys with them.
        System.setProperty(PREFIX + "log.dev.chargehand", verbose ? "debug" : "warn");
    }
}
