package dev.chargehand.internal.memory.observation;

import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.internal.journal.MessageCodec;
import dev.chargehand.internal.text.Excerpt;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.memory.Scope;
import dev.chargehand.message.Fence;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.ToolContext;
import dev.chargehand.tool.ToolFailureException;
import java.util.List;
import java.util.Locale;

/** The tool that reads the messages behind observations: those of the run's thread, or of its resource. */
public final class RecallTool {

    /** Its name. */
    public static final String NAME = "recall";

    /** How many messages are looked at by one call. */
    private static final int MOST_MESSAGES = 200;

    /** How many characters are returned, and how many bytes of one message. */
    private static final int MOST = 30_000;

    private static final int MOST_OF_A_MESSAGE = 10_000;

    private static final JsonSchema PLACES = JsonSchema.of(Json.parse("""
            {"type": "object", "additionalProperties": false, "required": ["from", "to"], "properties": {
              "from": {"type": "integer", "minimum": 0, "description": "The number of the first message"},
              "to": {"type": "integer", "minimum": 0, "description": "The number of the last message"}}}"""));

    private static final JsonSchema PLACES_IN_ANY_CONVERSATION = JsonSchema.of(Json.parse("""
            {"type": "object", "additionalProperties": false, "required": ["from", "to"], "properties": {
              "from": {"type": "integer", "minimum": 0, "description": "The number of the first message"},
              "to": {"type": "integer", "minimum": 0, "description": "The number of the last message"},
              "conversation": {"type": "string", "description": "Another conversation; left out for this one"}}}"""));

    private final Store store;
    private final ThreadLink thread;
    private final boolean readsOthers;

    /**
     * Make it for a run.
     *
     * @param scope whose messages it reads
     */
    public RecallTool(Store store, ThreadLink thread, Scope scope) {
        this.store = store;
        this.thread = thread;
        this.readsOthers = scope == Scope.RESOURCE;
    }

    /** Make the tool. */
    public Tool tool() {
        return Tool.builder(NAME, "Read the messages behind what you have observed, by the numbers that stand with it.")
                .input(readsOthers ? PLACES_IN_ANY_CONVERSATION : PLACES)
                .repeatable()
                .handler(this::read)
                .build();
    }

    private String read(Json arguments, ToolContext context) {
        long from = number(arguments, "/from");
        long to = number(arguments, "/to");
        if (to < from) {
            throw new ToolFailureException("Nothing was read: 'to' must be at least 'from'.");
        }
        String id = arguments.at("/conversation").flatMap(Json::string).orElse(thread.id());
        List<ThreadEntry> entries;
        try {
            entries = store.readThreadFrom(id, thread.owner(), from, (int) Math.min(MOST_MESSAGES, to - from + 1));
        } catch (ThreadOwnershipException e) { // like one that does not exist
            entries = List.of();
        }
        return shown(entries, to);
    }

    private static long number(Json arguments, String pointer) {
        return Long.parseLong(arguments.at(pointer).orElseThrow().text());
    }

    private static String shown(List<ThreadEntry> entries, long to) {
        StringBuilder text = new StringBuilder();
        for (ThreadEntry entry : entries) {
            String message = text(entry);
            if (entry.position() > to || message.isEmpty()) {
                continue;
            }
            if (text.length() + message.length() > MOST) {
                return fenced(text) + "\nThere was no room for message " + entry.position()
                        + " and later ones: ask for them again.";
            }
            text.append(message);
        }
        boolean isCut = entries.size() == MOST_MESSAGES && entries.getLast().position() < to;
        return text.isEmpty()
                ? "There are no such messages, or they were deleted."
                : fenced(text)
                        + (isCut
                                ? "\nAsk again for the messages after "
                                        + entries.getLast().position() + "."
                                : "");
    }

    private static String fenced(StringBuilder text) {
        return Fence.around("recalled", text.toString().stripTrailing());
    }

    private static String text(ThreadEntry entry) {
        Message message = MessageCodec.read(entry.text());
        if (message.internal()) {
            return "";
        }
        StringBuilder text = new StringBuilder(message.text());
        for (Part.ToolResult result : message.toolResults()) {
            text.append(result.toolName()).append(" returned ").append(result.output());
        }
        return text.isEmpty()
                ? ""
                : "[" + entry.position() + ", " + message.role().name().toLowerCase(Locale.ROOT) + "] "
                        + Excerpt.within(text.toString(), MOST_OF_A_MESSAGE) + "\n";
    }
}
