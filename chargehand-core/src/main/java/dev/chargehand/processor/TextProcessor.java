package dev.chargehand.processor;

/**
 * Looks at one text while it arrives. Used by one thread at a time.
 *
 * <p>How a text is cut into deltas is up to the provider: what comes out of a processor should not depend on it.
 */
public interface TextProcessor {

    /**
     * Decide about the next piece; {@code Processed.rewritten("")} holds it back.
     *
     * @throws Exception if it cannot; the run then fails
     */
    Processed<String> next(String delta) throws Exception;

    /**
     * Return what was withheld and may pass, or aborts, when the text is complete; unchanged is nothing.
     *
     * @throws Exception if it cannot; the run then fails
     */
    default Processed<String> end() throws Exception {
        return Processed.unchanged();
    }
}
