package dev.chargehand.search.internal.text;

import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Keeps Lucene's advice to enable the JDK's incubating vector module off the console.
 *
 * <p>Lucene gives it once per process, as a warning through java.util.logging, when its vector code is first needed.
 * Lexical search over a folder gains nothing from that module, which prints a warning of its own. A level that the
 * application has set for the logger is not changed, and our level is reset.
 */
public final class VectorNotice implements AutoCloseable {

    private final Logger logger = Logger.getLogger("org.apache.lucene.internal.vectorization.VectorizationProvider");
    private final boolean ours = logger.getLevel() == null;

    private VectorNotice() {
        if (ours) {
            logger.setLevel(Level.SEVERE);
        }
    }

    public static VectorNotice silenced() {
        return new VectorNotice();
    }

    @Override
    public void close() {
        if (ours) {
            logger.setLevel(null);
        }
    }
}
