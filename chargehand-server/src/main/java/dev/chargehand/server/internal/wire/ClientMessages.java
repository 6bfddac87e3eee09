package dev.chargehand.server.internal.wire;

import dev.chargehand.message.Fence;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import java.util.ArrayList;
import java.util.List;

/**
 * The messages that a client sends as the input of a run. Its instructions are put into the user's message as data, in a fence: the
 * instructions of an agent are its own. With a thread, which has what was said before, only what follows the last answer is input.
 */
public final class ClientMessages {

    /** The rule that a list of messages breaks if its newest input is missing or blank. */
    public static final String END = "must end with a message of the user that has a text or an image in its 'content'";

    private final List<Message> messages = new ArrayList<>();
    private final StringBuilder instructions = new StringBuilder();
    private boolean endsBlank;

    /** Add what the user says; a blank message is no input, and is left out of what was said before. */
    public void user(String text) {
        user(List.of(new Part.Text(text)));
    }

    /** Add what the user says and shows, in texts and images. */
    public void user(List<Part> parts) {
        List<Part> shown = parts.stream()
                .filter(part -> !(part instanceof Part.Text text && text.text().isBlank()))
                .toList();
        endsBlank = shown.isEmpty();
        if (!endsBlank) {
            messages.add(Message.of(Role.USER, withInstructions(shown).toArray(Part[]::new)));
        }
    }

    /** Return parts with the instructions before them, in the first text if the message starts with one. */
    private List<Part> withInstructions(List<Part> shown) {
        String before = takeInstructions();
        List<Part> parts = new ArrayList<>(shown);
        if (shown.getFirst() instanceof Part.Text first) {
            parts.set(0, new Part.Text(before + first.text()));
        } else if (!before.isEmpty()) {
            parts.addFirst(new Part.Text(before));
        }
        return parts;
    }

    /** Add what was answered before. */
    public void assistant(String text) {
        endsBlank = false;
        if (!text.isEmpty()) {
            messages.add(Message.assistant(text));
        }
    }

    /** Add instructions of the client. */
    public void instructions(String text) {
        if (!text.isBlank()) {
            instructions.append(Fence.around("client-instructions", text)).append("\n\n");
        }
    }

    private String takeInstructions() {
        String taken = instructions.toString();
        instructions.setLength(0);
        return taken;
    }

    /**
     * Return the input.
     *
     * @param inThread whether a thread has what was said before
     * @return empty if the user says nothing at the end
     */
    public List<Message> input(boolean inThread) {
        int last = messages.size() - 1;
        while (inThread && last >= 0 && messages.get(last).role() == Role.USER) {
            last--;
        }
        List<Message> input = inThread ? messages.subList(last + 1, messages.size()) : messages;
        boolean asks = !endsBlank && !input.isEmpty() && input.getLast().role() == Role.USER;
        return asks ? List.copyOf(input) : List.of();
    }
}
