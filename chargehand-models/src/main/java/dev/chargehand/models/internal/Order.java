package dev.chargehand.models.internal;

import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.provider.stream.SystemNotes;
import java.util.ArrayList;
import java.util.List;

/** The order of messages that a server accepts. */
enum Order {

    /** Any, as OpenAI. */
    ANY,

    /**
     * One system message at the start, then the user's, and no two of the user or of the model in a row: what
     * Perplexity and the chat templates of many models demand.
     */
    STRICT,

    /** Also no message of the user after the results of tools: what Mistral demands. */
    MISTRAL;

    /** What the model says between the results of tools and the user's next words, where it said nothing. */
    private static final String BRIDGE = "OK.";

    private static final String BETWEEN = "\n\n";

    /** Return messages in this order; without answers that are empty, which several servers reject. */
    List<Message> of(List<Message> messages) {
        Ordered ordered = new Ordered(this);
        messages.forEach(ordered::add);
        return ordered.all();
    }

    private static final class Ordered {

        private final Order order;
        private final List<Message> start = new ArrayList<>(1);
        private final List<Message> conversation = new ArrayList<>();

        Ordered(Order order) {
            this.order = order;
        }

        List<Message> all() {
            List<Message> all = new ArrayList<>(start);
            if (order != ANY
                    && (conversation.isEmpty() || conversation.getFirst().role() != Role.USER)) {
                all.add(Message.user(SystemNotes.NOT_SHOWN));
            }
            all.addAll(conversation);
            return all;
        }

        void add(Message message) {
            switch (message.role()) {
                case SYSTEM -> system(message);
                case USER -> user(message);
                case ASSISTANT -> {
                    if (!message.text().isBlank() || !message.toolCalls().isEmpty()) {
                        answer(message);
                    }
                }
                case TOOL -> conversation.add(message);
            }
        }

        private void system(Message message) {
            if (order == ANY) {
                conversation.add(message);
            } else if (message.text().isBlank()) {
                return;
            } else if (!conversation.isEmpty() || message.internal()) {
                user(Message.user(SystemNotes.note(message.text())));
            } else if (start.isEmpty()) {
                start.add(message);
            } else {
                start.set(0, Message.system(start.getFirst().text() + BETWEEN + message.text()));
            }
        }

        /** Join an answer to one without calls before it, of which nothing but the text counts. */
        private void answer(Message message) {
            Message last = conversation.isEmpty() ? null : conversation.getLast();
            if (order == ANY
                    || last == null
                    || last.role() != Role.ASSISTANT
                    || !last.toolCalls().isEmpty()) {
                conversation.add(message);
                return;
            }
            List<Part> parts = new ArrayList<>();
            parts.add(new Part.Text(message.text().isBlank() ? last.text() : last.text() + BETWEEN));
            parts.addAll(message.parts());
            conversation.set(conversation.size() - 1, new Message("", Role.ASSISTANT, parts, false));
        }

        private void user(Message message) {
            Message last = conversation.isEmpty() ? null : conversation.getLast();
            if (order == ANY || last == null) {
                conversation.add(message);
            } else if (last.role() == Role.USER) {
                List<Part> parts = new ArrayList<>(last.parts());
                parts.add(new Part.Text(BETWEEN));
                parts.addAll(message.parts());
                conversation.set(conversation.size() - 1, new Message("", Role.USER, parts, false));
            } else {
                if (order == MISTRAL && last.role() == Role.TOOL) {
                    conversation.add(Message.assistant(BRIDGE));
                }
                conversation.add(message);
            }
        }
    }
}
