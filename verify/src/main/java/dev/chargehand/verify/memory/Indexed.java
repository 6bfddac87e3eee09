package dev.chargehand.verify.memory;

import dev.chargehand.TenantRuntime;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.verify.harness.Tally;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The vectors of a store, compared with the messages that must have some. Used by one thread. */
final class Indexed {

    private static final int PAGE = 1_000;

    /** How many characters a passage has; a message of the harness has two at most. */
    private static final int PASSAGE = 2_000;

    private final Map<Rows.Place, Integer> vectors;
    private final Tally tally;
    private final Set<Rows.Place> checked = new HashSet<>();

    Indexed(Map<Rows.Place, Integer> vectors, Tally tally) {
        this.vectors = vectors;
        this.tally = tally;
    }

    /** Return all messages of a thread. */
    static List<ThreadMessage> messages(TenantRuntime runtime, ThreadOwner owner, String threadId) {
        List<ThreadMessage> messages = new ArrayList<>();
        List<ThreadMessage> page;
        do {
            page = runtime.threads().messagesFrom(owner, threadId, messages.size(), PAGE);
            messages.addAll(page);
        } while (page.size() == PAGE);
        return messages;
    }

    /** Look at the vectors of a thread. */
    void check(String tenant, String threadId, List<ThreadMessage> messages) {
        for (ThreadMessage message : messages) {
            Rows.Place place = new Rows.Place(tenant, threadId, message.position());
            int expected = passages(message.message());
            int stored = vectors.getOrDefault(place, 0);
            checked.add(place);
            if (stored != expected) {
                tally.addFault(
                        stored < expected ? "lost" : "doubled",
                        place + " has " + stored + " vectors instead of " + expected);
            }
        }
    }

    /** Look whether there are vectors of messages that were not checked. */
    void checkNothingElse() {
        vectors.keySet().stream()
                .filter(place -> !checked.contains(place))
                .forEach(place -> tally.addFault("orphans", place + " has vectors"));
    }

    private static int passages(Message message) {
        boolean said = message.role() == Role.USER
                || (message.role() == Role.ASSISTANT && message.toolCalls().isEmpty());
        return !said || message.internal() ? 0 : message.text().length() > PASSAGE ? 2 : 1;
    }
}
