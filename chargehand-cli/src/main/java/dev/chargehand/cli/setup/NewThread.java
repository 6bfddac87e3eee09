package dev.chargehand.cli.setup;

import dev.chargehand.spi.IdSource;
import dev.chargehand.store.Store;

/** Makes ids of conversations. */
public final class NewThread {

    private static final String PREFIX = "chat_";
    private static final int LENGTH = PREFIX.length() + 8;

    private NewThread() {}

    /** Return an unused id for a thread; short, because people type it. */
    public static String in(Store store) {
        IdSource ids = IdSource.secure();
        String id;
        do {
            id = ids.next(PREFIX).substring(0, LENGTH);
        } while (store.findThread(id).isPresent());
        return id;
    }
}
