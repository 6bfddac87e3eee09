package dev.chargehand.langchain4j.internal;

import dev.chargehand.error.ModelException;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.provider.fault.ProviderFaults;
import dev.chargehand.provider.stream.SystemNotes;
import dev.chargehand.provider.stream.WireIds;
import dev.chargehand.provider.stream.WireJson;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a request in the library's form, without parts that its providers would reject or misplace.
 *
 * @param messages the messages
 * @param said what is in {@code messages} of the model itself, in order
 */
public record Conversation(List<ChatMessage> messages, List<Said> said) {

    private static final String NO_TEXT = "(no text)";
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    /**
     * What a provider's protocol demands.
     *
     * @param systemFirst whether the provider, or the library for it, would move later system messages to the front:
     *     then they go as marked user messages
     * @param userFirst whether the first message must be the user's
     * @param imageUrls whether it fetches pictures itself; without that only {@code data:} URLs can be sent
     */
    public record Rules(boolean systemFirst, boolean userFirst, boolean imageUrls) {}

    /**
     * A message of the model.
     *
     * @param reasoning the reasoning text that the provider exposes
     * @param providerState the state that its provider requires with it; null if none
     * @param calls the names of the tools it calls, as they are sent
     */
    public record Said(String reasoning, @Nullable String providerState, List<String> calls) {}

    /**
     * Put messages into the library's form.
     *
     * @param words additional instructions for the model; empty if none
     * @throws ModelException if there is a picture that cannot be sent
     */
    public static Conversation of(List<Message> messages, String words, Rules rules, ProviderFaults faults) {
        Mapping mapping = new Mapping(rules, new WireIds(messages), faults);
        messages.forEach(mapping::add);
        return mapping.conversation(words);
    }

    private static final class Mapping {

        private final Rules rules;
        private final WireIds ids;
        private final ProviderFaults faults;
        private final List<ChatMessage> instructions = new ArrayList<>(1);
        private final List<ChatMessage> mapped = new ArrayList<>();
        private final List<Said> said = new ArrayList<>();

        Mapping(Rules rules, WireIds ids, ProviderFaults faults) {
            this.rules = rules;
            this.ids = ids;
            this.faults = faults;
        }

        Conversation conversation(String words) {
            List<ChatMessage> all = new ArrayList<>(instructions);
            if (!words.isEmpty()) {
                all.add(SystemMessage.from(words));
            }
            if (mapped.isEmpty() || (rules.userFirst() && !(mapped.getFirst() instanceof UserMessage))) {
                all.add(UserMessage.from(SystemNotes.NOT_SHOWN));
            }
            all.addAll(mapped);
            return new Conversation(List.copyOf(all), List.copyOf(said));
        }

        void add(Message message) {
            switch (message.role()) {
                case SYSTEM -> system(message);
                case USER -> mapped.add(UserMessage.from(contents(message)));
                case ASSISTANT -> assistant(message);
                case TOOL -> message.toolResults().forEach(this::result);
            }
        }

        private void system(Message message) {
            if (message.text().isBlank()) {
                return;
            }
            if (mapped.isEmpty() && !message.internal()) {
                instructions.add(SystemMessage.from(message.text()));
            } else if (rules.systemFirst()) {
                mapped.add(UserMessage.from(SystemNotes.note(message.text())));
            } else {
                mapped.add(SystemMessage.from(message.text()));
            }
        }

        private List<Content> contents(Message message) {
            List<Content> contents = new ArrayList<>();
            for (Part part : message.parts()) {
                if (part instanceof Part.Text text && !text.text().isBlank()) {
                    contents.add(TextContent.from(text.text()));
                } else if (part instanceof Part.Image image) {
                    contents.add(image(image));
                }
            }
            return contents.isEmpty() ? List.of(TextContent.from(NO_TEXT)) : contents;
        }

        /**
         * The library would fetch a picture for providers that do not, from anywhere and without a limit: not with us.
         */
        private ImageContent image(Part.Image image) {
            String url = image.url();
            if (!url.startsWith("data:")) {
                if (rules.imageUrls()) {
                    return ImageContent.from(url);
                }
                throw faults.invalidRequest(
                        "this provider fetches no pictures; give the picture as a data: URL with its bytes in it");
            }
            int comma = url.indexOf(',');
            if (comma < 0 || !url.substring(0, comma).toLowerCase(Locale.ROOT).endsWith(";base64")) {
                throw faults.invalidRequest("a picture's data: URL must be in base64");
            }
            return ImageContent.from(url.substring(comma + 1), image.mediaType());
        }

        private void assistant(Message message) {
            String text = message.text();
            List<Part.ToolCall> calls = message.toolCalls();
            if (text.isBlank() && calls.isEmpty()) {
                return;
            }
            List<ToolExecutionRequest> requests = calls.stream()
                    .map(call -> ToolExecutionRequest.builder()
                            .id(id(call.callId()))
                            .name(WireIds.validName(call.name()))
                            // What was wrong with broken arguments stands in the result.
                            .arguments(WireJson.isObject(call.arguments()) ? call.arguments() : "{}")
                            .build())
                    .toList();
            mapped.add(AiMessage.builder()
                    .text(text.isBlank() ? null : text)
                    .toolExecutionRequests(requests)
                    .build());
            said.add(said(message, requests));
        }

        private static Said said(Message message, List<ToolExecutionRequest> requests) {
            List<Part.Reasoning> reasoning = message.partsOf(Part.Reasoning.class);
            return new Said(
                    reasoning.isEmpty() ? "" : reasoning.getFirst().text(),
                    reasoning.isEmpty() ? null : reasoning.getFirst().providerState(),
                    requests.stream().map(ToolExecutionRequest::name).toList());
        }

        private void result(Part.ToolResult result) {
            mapped.add(ToolExecutionResultMessage.builder()
                    .id(id(result.callId()))
                    .toolName(WireIds.validName(result.toolName()))
                    .text(result.output())
                    .isError(result.error())
                    .build());
        }

        /** Ids of another provider may have characters that this one rejects. */
        private String id(String callId) {
            String onWire = ids.of(callId);
            return ID.matcher(onWire).matches() ? onWire : callId;
        }
    }

    /** Return what the model said after the user, or a note of ours, spoke last. */
    public List<Said> sinceTheUserSpoke() {
        int after = 0;
        int calls = 0;
        for (ChatMessage message : messages) {
            if (message instanceof AiMessage) {
                calls++;
            } else if (message instanceof UserMessage) {
                after = calls;
            }
        }
        return said.subList(after, said.size());
    }
}
