package dev.chargehand;

import dev.chargehand.internal.option.OptionValues;

/** Shows the tests of internal packages what options hold. */
public final class ValuesOf {

    private ValuesOf() {}

    @SuppressWarnings("exports") // only tests of this module call it
    public static OptionValues options(RunOptions options) {
        return options.values();
    }
}
