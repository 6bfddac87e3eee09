package dev.chargehand.config;

import dev.chargehand.config.internal.key.KeyTable;

/** The JSON Schema of {@code chargehand.yaml}, with which editors complete and check the file. */
public final class AgentsFileSchema {

    /** The usual name of its file, next to the agents' file. */
    public static final String NAME = "chargehand.schema.json";

    private AgentsFileSchema() {}

    /** Return the JSON Schema of draft 7, as text that ends with a line break. */
    public static String text() {
        return KeyTable.schema();
    }
}
