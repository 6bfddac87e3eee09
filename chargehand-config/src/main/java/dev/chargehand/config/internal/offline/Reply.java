package dev.chargehand.config.internal.offline;

/** What the stand-in does next. */
sealed interface Reply {

    /** Ends the run with an answer. */
    record Say(String text) implements Reply {}

    /** Calls a tool with one text. */
    record Call(TextTool tool, String text) implements Reply {}
}
