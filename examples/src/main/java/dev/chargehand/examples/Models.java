package dev.chargehand.examples;

import java.util.Map;

/** Which model an example uses when it is run by hand. */
final class Models {

    private static final String USUAL = "openai/gpt-5-mini";

    private Models() {}

    /** Return the model named by the first argument, else by the variable {@code MODEL}, else a usual one. */
    static String named(String[] arguments, Map<String, String> environment) {
        return arguments.length > 0 ? arguments[0] : environment.getOrDefault("MODEL", USUAL);
    }

    static String named(String[] arguments) {
        return named(arguments, System.getenv());
    }
}
