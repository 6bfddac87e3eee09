package dev.chargehand.config.internal.offline;

import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import java.util.List;

/**
 * A request's messages as the stand-in reads them.
 *
 * @param prompt the last message that asks for something
 * @param earlier what was said before it, instructions apart
 * @param calls the calls made for it so far
 * @param results what they gave
 * @param arrived the results of background tasks that arrived for it, each as the text of its message
 */
record Conversation(
        String prompt,
        List<Message> earlier,
        List<Part.ToolCall> calls,
        List<Part.ToolResult> results,
        List<String> arrived) {

    /** How the id of a message with the result of a background task starts. */
    private static final String TASK = "task-";

    static Conversation of(List<Message> messages) {
        List<Message> spoken = messages.stream()
                .filter(message -> message.role() != Role.SYSTEM)
                .toList();
        int asked = -1;
        for (int i = 0; i < spoken.size(); i++) {
            // Guidance from hooks and scorers is internal: it says how to answer, not what is asked.
            if (spoken.get(i).role() == Role.USER && !spoken.get(i).internal()) {
                asked = i;
            }
        }
        List<Message> since = spoken.subList(asked + 1, spoken.size());
        return new Conversation(
                asked < 0 ? "" : spoken.get(asked).text(),
                spoken.subList(0, Math.max(asked, 0)),
                since.stream().flatMap(message -> message.toolCalls().stream()).toList(),
                since.stream()
                        .flatMap(message -> message.toolResults().stream())
                        .toList(),
                since.stream()
                        .filter(message -> message.internal() && message.id().startsWith(TASK))
                        .map(Message::text)
                        .toList());
    }

    /** The question, without the findings that came with it. */
    String question() {
        return Findings.withoutFindings(prompt).strip();
    }

    /** The findings in the prompt; if it has none, those in what was said before. */
    List<Finding> findings() {
        List<Finding> here = Findings.in(prompt);
        return here.isEmpty()
                ? Findings.distinct(earlier.stream()
                        .flatMap(message -> Findings.in(message.text()).stream())
                        .toList())
                : here;
    }
}
