package dev.chargehand.search.internal.document;

import java.io.IOException;

/** Reads documents, one after the other. Used by one thread. */
public interface DocumentReader extends AutoCloseable {

    /**
     * Read a document.
     *
     * @param end the end of its name, in lower case
     * @throws UnreadableDocumentException if it is left out
     */
    DocumentText read(String end, byte[] bytes) throws IOException, InterruptedException;

    @Override
    default void close() {}
}
