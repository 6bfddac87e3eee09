package dev.chargehand.search;

import java.io.IOException;

/** Reads documents, one after the other. Used by one thread. */
interface DocumentReader extends AutoCloseable {

    /**
     * Reads a document.
     *
     * @param end the end of its name, in lower case
     * @throws UnreadableDocument if it is left out
     */
    DocumentText read(String end, byte[] bytes) throws IOException, InterruptedException;

    @Override
    default void close() {}
}
