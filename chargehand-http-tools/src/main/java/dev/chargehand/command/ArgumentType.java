package dev.chargehand.command;

/** The type of an argument of a program. */
public enum ArgumentType {
    /** Any text without a zero character. */
    TEXT("string"),
    /** A whole number. */
    INTEGER("integer"),
    /** A number. */
    NUMBER("number"),
    /** Yes or no. */
    BOOLEAN("boolean");

    private final String schema;

    ArgumentType(String schema) {
        this.schema = schema;
    }

    /** Return its name in JSON Schema. */
    String schema() {
        return schema;
    }
}
