package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ToolDefinition;
import dev.chargehand.testkit.TestRuntime;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Shows requests in a form that fits a line, and holds them to what every provider demands. */
public final class Wire {

    private Wire() {}

    /** Shows every message, words of sub-agents without their fences, as a line such as {@code assistant: I ask. agent-writer{"prompt":"P"}}. */
    static List<String> lines(ModelRequest request) {
        return request.messages().stream()
                .map(message -> message.role() == Role.TOOL ? Fences.without(line(message)) : line(message))
                .toList();
    }

    /** Shows the thread {@code t} of {@code u}. */
    static List<String> thread(TestRuntime test) {
        return test.thread("t", "u").stream().map(Wire::line).toList();
    }

    static List<String> tools(ModelRequest request) {
        return request.tools().stream().map(ToolDefinition::name).toList();
    }

    /** Shows a message as a line. */
    public static String line(Message message) {
        return message.role().name().toLowerCase(Locale.ROOT) + ": "
                + message.parts().stream().map(Wire::part).collect(Collectors.joining(" "));
    }

    private static String part(Part part) {
        return switch (part) {
            case Part.Text p -> p.text();
            case Part.Reasoning p -> "(" + p.text() + ")";
            case Part.Image p -> "<" + p.url() + ">";
            case Part.ToolCall p -> p.name() + p.arguments();
            case Part.ToolResult p -> p.toolName() + (p.error() ? " error: " : " = ") + p.output();
        };
    }

    /** Instructions only at the beginning, feedback aside, and every call followed by its results, all and in order. */
    static void assertWellFormed(ModelRequest request) {
        Set<String> ids = new HashSet<>();
        List<Message> messages = request.messages();
        assertThat(messages).isNotEmpty();
        for (int i = 0; i < messages.size(); i++) {
            Message message = messages.get(i);
            assertThat(message.role() == Role.SYSTEM && i > 0 && !message.internal())
                    .as("a system message at %s of %s", i, lines(request))
                    .isFalse();
            List<String> calls =
                    message.toolCalls().stream().map(Part.ToolCall::callId).toList();
            assertThat(calls).as("ids of calls").allMatch(ids::add);
            List<String> results = i + 1 < messages.size()
                    ? messages.get(i + 1).toolResults().stream()
                            .map(Part.ToolResult::callId)
                            .toList()
                    : List.of();
            assertThat(results).as("results in %s", lines(request)).isEqualTo(calls);
        }
    }
}
