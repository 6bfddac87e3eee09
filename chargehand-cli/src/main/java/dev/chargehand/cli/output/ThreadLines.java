package dev.chargehand.cli.output;

import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.thread.ThreadRecord;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Shows conversations. */
public final class ThreadLines {

    private static final int BRIEF = 200;

    private ThreadLines() {}

    /** Return a line for each conversation: its id, its length, its start, its owner and its title. */
    public static List<String> of(List<ThreadRecord> threads) {
        return Table.lines(threads.stream()
                .map(thread -> List.of(
                        Visible.line(thread.threadId(), 80),
                        Amounts.count((int) Math.min(Integer.MAX_VALUE, thread.length()), "message"),
                        thread.createdAt().truncatedTo(ChronoUnit.SECONDS).toString(),
                        thread.owner().resourceId() == null
                                ? ""
                                : "resource " + Visible.line(thread.owner().resourceId(), 60),
                        title(thread)))
                .toList());
    }

    /** Return the title of a conversation, cut to a line; empty if it has none. */
    public static String title(ThreadRecord thread) {
        return thread.title().map(title -> Visible.line(title, 60)).orElse("");
    }

    /** Return a conversation as one JSON object, without its messages. */
    public static Json json(ThreadRecord thread) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("threadId", thread.threadId());
        String resource = thread.owner().resourceId();
        if (resource != null) {
            fields.put("resourceId", resource);
        }
        thread.title().ifPresent(title -> fields.put("title", title));
        thread.titleSource()
                .map(source -> source.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .ifPresent(source -> fields.put("titleSource", source));
        if (!thread.metadata().fields().isEmpty()) {
            fields.put("metadata", thread.metadata());
        }
        fields.put("createdAt", thread.createdAt().toString());
        fields.put("updatedAt", thread.updatedAt().toString());
        fields.put("length", thread.length());
        return Json.of(fields);
    }

    /** Return a conversation with its messages as one JSON object. */
    public static Json whole(ThreadRecord thread, List<Message> messages) {
        Map<String, Object> fields = new LinkedHashMap<>(json(thread).fields());
        fields.put("messages", messages.stream().map(Message::toJson).toList());
        return Json.of(fields);
    }

    /** Return whether a message belongs to the conversation, and is not only work or guidance. */
    public static boolean isSaid(Message message) {
        return !message.internal()
                && (message.role() == Role.USER || message.role() == Role.ASSISTANT)
                && !message.text().isBlank();
    }

    /** Return a message in one line: who speaks, and the start of what is said. */
    public static String brief(Message message, int most) {
        return who(message) + ": " + Visible.line(said(message).replaceAll("\\s+", " "), most);
    }

    /** Return what a message says, or the results of tools that it holds. */
    static String said(Message message) {
        return message.text().isEmpty()
                ? message.toolResults().stream()
                        .map(result -> result.toolName() + " answered " + result.output())
                        .collect(Collectors.joining("; "))
                : message.text();
    }

    private static String who(Message message) {
        return message.role().name().toLowerCase(Locale.ROOT);
    }

    /** Return the lines of a message: who speaks, what is said, and in short what was called and what came back. */
    public static List<String> of(Message message) {
        List<String> lines = new ArrayList<>();
        String who = who(message);
        for (Part part : message.parts()) {
            switch (part) {
                case Part.Text text -> {
                    lines.add(who + (message.internal() ? " (guidance)" : "") + ":");
                    Visible.text(text.text().strip()).lines().forEach(line -> lines.add("  " + line));
                }
                case Part.ToolCall call ->
                    lines.add(who + " calls " + Visible.line(call.name(), 80) + " "
                            + Visible.line(call.arguments(), BRIEF));
                case Part.ToolResult result ->
                    lines.add(Visible.line(result.toolName(), 80)
                            + (result.error() ? " failed: " : " answered: ")
                            + Visible.line(result.output(), BRIEF));
                case Part.Reasoning ignored -> lines.add(who + " thinks");
                case Part.Image image -> lines.add(who + " shows an image, " + Visible.line(image.mediaType(), 80));
            }
        }
        return lines;
    }
}
