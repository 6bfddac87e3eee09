package dev.chargehand.testkit;

import dev.chargehand.internal.text.Counted;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ToolDefinition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The turns of every agent, and what was called of them. Thread-safe. */
final class Casting {

    private static final int SHOWN = 300;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, List<Turn>> turns = new LinkedHashMap<>();

    /** The ids of agents that are tested without turns. */
    private final Set<String> unscripted = new LinkedHashSet<>();

    private final List<Asked> asked = new ArrayList<>();
    private final List<ScriptMismatchException> mismatches = new ArrayList<>();

    /** A request, and whose model was called. */
    record Asked(String agentId, ModelRequest request) {}

    void cast(String agentId) {
        locked(() -> turns.computeIfAbsent(agentId, id -> new ArrayList<>()));
    }

    void add(String agentId, Turn turn) {
        locked(() -> turns.getOrDefault(agentId, List.of()).add(turn));
    }

    boolean knows(String agentId) {
        return locked(() -> turns.containsKey(agentId));
    }

    boolean knowsOrNotes(String agentId) {
        return locked(() -> {
            if (!turns.containsKey(agentId)) {
                unscripted.add(agentId);
            }
            return turns.containsKey(agentId);
        });
    }

    /** Return what to add for a model of an agent without turns, and which names may be those of another agent by mistake. */
    String whatToAdd() {
        return locked(() -> {
            String agents = unscripted.isEmpty()
                    ? ".on(\"<agent id>\")"
                    : unscripted.stream().map(id -> ".on(\"" + id + "\")").collect(Collectors.joining(" or "));
            String unused = turns.keySet().stream()
                    .filter(id ->
                            asked.stream().noneMatch(each -> each.agentId().equals(id)))
                    .map(id -> ".on(\"" + id + "\")")
                    .collect(Collectors.joining(", "));
            return "add " + agents + " for the agent that uses it."
                    + (unused.isEmpty() ? "" : " Not asked so far: " + unused + ".");
        });
    }

    List<Asked> asked() {
        return locked(() -> List.copyOf(asked));
    }

    Turn take(String agentId, ModelRequest request) {
        return locked(() -> {
            asked.add(new Asked(agentId, request));
            List<Turn> own = turns.getOrDefault(agentId, List.of());
            for (Turn turn : own) {
                if ((!turn.used || turn.forever) && turn.condition.test(request)) {
                    turn.used = true;
                    return turn;
                }
            }
            throw mismatch(whyNone(agentId, own) + " " + describe(request));
        });
    }

    ScriptMismatchException mismatch(String message) {
        return locked(() -> {
            ScriptMismatchException mismatch = new ScriptMismatchException(message);
            mismatches.add(mismatch);
            return mismatch;
        });
    }

    void assertMatched() {
        List<ScriptMismatchException> found = locked(() -> List.copyOf(mismatches));
        if (!found.isEmpty()) {
            throw found.getFirst();
        }
    }

    void assertPlayed() {
        String left = locked(() -> turns.entrySet().stream()
                .filter(entry -> entry.getValue().stream().anyMatch(turn -> !turn.used))
                .map(entry -> "agent '" + entry.getKey() + "': "
                        + entry.getValue().stream().filter(turn -> !turn.used).count() + " of "
                        + entry.getValue().size())
                .collect(Collectors.joining("; ")));
        if (!left.isEmpty()) {
            throw new AssertionError("Turns of the script that were not used: " + left + ".");
        }
    }

    private String whyNone(String agentId, List<Turn> own) {
        long call = asked.stream().filter(a -> a.agentId().equals(agentId)).count();
        String who = "Call " + call + " of the model of agent '" + agentId + "' has no turn in the script: ";
        if (own.isEmpty()) {
            return who + "add .on(\"" + agentId + "\") with what it says.";
        }
        List<String> waiting = own.stream()
                .filter(turn -> !turn.used)
                .map(turn -> turn.conditionText)
                .toList();
        return waiting.isEmpty()
                ? who
                        + (own.size() == 1
                                ? "its only turn is played."
                                : "all of its " + own.size() + " turns are played.")
                        + " Add another with .then(), or repeat the last one with .forever()."
                : who + "what is left waits until " + String.join(", or until ", waiting) + ".";
    }

    /** Return the text of the latest user message. */
    static String asked(ModelRequest request) {
        return request.messages().reversed().stream()
                .filter(message -> message.role() == Role.USER)
                .map(Message::text)
                .findFirst()
                .orElse("");
    }

    static String describe(ModelRequest request) {
        String tools = request.tools().stream().map(ToolDefinition::name).collect(Collectors.joining(", "));
        String last = request.messages().isEmpty()
                ? "nothing"
                : describe(request.messages().getLast());
        return "It was asked: " + last + " (" + Counted.of(request.messages().size(), "message") + "; tools: "
                + (tools.isEmpty() ? "none" : tools) + ").";
    }

    private static String describe(Message message) {
        String results =
                message.toolResults().stream().map(Part.ToolResult::output).collect(Collectors.joining(" | "));
        String said = message.text() + results;
        return message.role() + " \"" + (said.length() > SHOWN ? said.substring(0, SHOWN) + "…" : said) + "\"";
    }

    private <T> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }
}
