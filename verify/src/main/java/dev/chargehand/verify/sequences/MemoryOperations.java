package dev.chargehand.verify.sequences;

import dev.chargehand.memory.MemoryApi;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.thread.ThreadOwner;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Searches, edits and forgets what is remembered. */
final class MemoryOperations {

    private static final int LONG = 300;

    private final Turn turn;
    private final Choice choice;
    private final MemoryApi memory;

    MemoryOperations(Turn turn) {
        this.turn = turn;
        choice = turn.choice();
        memory = turn.tenant().memory();
    }

    Operation next() {
        String id = turn.thread();
        ThreadOwner owner = turn.owner(id);
        String resource = Objects.requireNonNull(owner.resourceId()); // each thread of a sequence has one
        String words = choice.words();
        int how = choice.below(8);
        ScopeRef scope = scope(id, owner);
        String agent = choice.of("top", "top", "profiler", "leaf");
        return switch (choice.below(11)) {
            case 0, 1 -> new Operation("search", () -> memory.search(agent, scope, words, 1 + how));
            case 2 -> new Operation("working memory", () -> memory.workingMemory(scope));
            case 3, 4 ->
                new Operation(
                        "edit",
                        () -> memory.editWorkingMemory(
                                scope,
                                text -> edited(text, words, how),
                                "edit" + (how < 3 ? String.valueOf(how) : "-of-" + turn.number())));
            case 5 -> new Operation("undo", () -> memory.undo(scope, how));
            case 6, 7 -> new Operation("reindex", () -> memory.reindex(agent, scope));
            case 8 -> new Operation("usage", () -> memory.usage(resource));
            case 9 ->
                choice.oneIn(3)
                        ? new Operation(
                                "forget",
                                () -> memory.forget(resource, deletion -> how > 1 ? deletion.cancelRuns() : deletion))
                        : new Operation("usage", () -> memory.usage(resource));
            default -> new Operation("observations", () -> memory.observations(owner, id));
        };
    }

    private static String edited(@Nullable String text, String words, int how) {
        if (text == null || text.length() > LONG) {
            return words;
        }
        return how == 5 ? "" : text + "\n" + words;
    }

    private ScopeRef scope(String id, ThreadOwner owner) {
        return switch (choice.below(4)) {
            case 0 -> ScopeRef.thread(owner, id);
            case 1 -> ScopeRef.resource(choice.of(Choice.RESOURCES));
            default -> ScopeRef.resource(Objects.requireNonNull(owner.resourceId()));
        };
    }
}
