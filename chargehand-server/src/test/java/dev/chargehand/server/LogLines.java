package dev.chargehand.server;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What is logged until this is closed, at the level INFO and above: by the servers of HTTP to the log of Java, and by our own server to the error output. */
final class LogLines implements AutoCloseable {

    private static final Logger ROOT = Logger.getLogger("");

    private final List<String> ofJava = new CopyOnWriteArrayList<>();
    private final ByteArrayOutputStream ofSimple = new ByteArrayOutputStream();
    private final PrintStream before;
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            if (line.getLevel().intValue() >= Level.INFO.intValue()) {
                ofJava.add(line.getLevel() + " " + line.getLoggerName() + " " + line.getMessage());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    /** Start to collect lines. */
    LogLines() {
        ROOT.addHandler(handler); // and so its own handler has the error output of before
        before = System.err;
        System.setErr(new PrintStream(ofSimple, true, StandardCharsets.UTF_8));
    }

    /** Return the lines so far. */
    List<String> all() {
        List<String> all = new ArrayList<>(ofJava);
        ofSimple.toString(StandardCharsets.UTF_8).lines().forEach(all::add);
        return all;
    }

    @Override
    public void close() {
        System.setErr(before);
        ROOT.removeHandler(handler);
    }
}
