package dev.chargehand.cli.shell;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.json.Json;

/** Reads JSON that a user typed. */
public final class GivenJson {

    private GivenJson() {}

    /** Read it; {@code from} says where it stands. */
    public static Json of(String from, String text) {
        try {
            return Json.parse(text);
        } catch (InvalidJsonException e) {
            String fault = String.valueOf(e.getMessage());
            throw new ConfigurationException(
                    from + ": " + fault + (fault.endsWith(".") ? "" : ".")
                            + " A text needs its own quotes: '\"hello\"'.",
                    e);
        }
    }
}
