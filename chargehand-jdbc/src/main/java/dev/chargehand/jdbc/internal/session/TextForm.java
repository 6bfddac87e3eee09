package dev.chargehand.jdbc.internal.session;

/** How a database keeps texts that it cannot keep as they are. Thread-safe. */
public interface TextForm {

    /** Return a text as the database can keep it. */
    String written(String text);

    /** Return a text as it was given. */
    String read(String stored);
}
