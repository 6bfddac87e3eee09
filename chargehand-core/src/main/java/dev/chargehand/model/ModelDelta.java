package dev.chargehand.model;

/** A piece of an answer that is still arriving. */
public sealed interface ModelDelta {

    /** More of the text. */
    record Text(String text) implements ModelDelta {}

    /** More of the reasoning. */
    record Reasoning(String text) implements ModelDelta {}

    /**
     * A tool call has started.
     *
     * @param index the call's place in the answer, from 0
     * @param toolName the tool's name
     */
    record ToolCallStart(int index, String toolName) implements ModelDelta {}

    /**
     * More of a call's arguments.
     *
     * @param index the call's place in the answer, from 0
     * @param fragment a piece of JSON text
     */
    record ToolCallArguments(int index, String fragment) implements ModelDelta {}

    /**
     * A call's arguments are complete.
     *
     * @param index the call's place in the answer, from 0
     */
    record ToolCallEnd(int index) implements ModelDelta {}
}
