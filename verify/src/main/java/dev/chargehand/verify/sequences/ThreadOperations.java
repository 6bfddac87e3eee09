package dev.chargehand.verify.sequences;

import dev.chargehand.message.Message;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import dev.chargehand.thread.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Makes, changes, copies, reads and deletes threads and their messages. */
final class ThreadOperations {

    private static final int PAGE = 2;

    private final Turn turn;
    private final Choice choice;
    private final Threads threads;
    private final String id;
    private final ThreadOwner owner;
    private final String words;

    ThreadOperations(Turn turn) {
        this.turn = turn;
        choice = turn.choice();
        threads = turn.tenant().threads();
        id = turn.thread();
        owner = turn.owner(id);
        words = choice.words();
    }

    Operation next() {
        int how = choice.below(8);
        return switch (choice.below(12)) {
            case 0 ->
                new Operation(
                        "create thread",
                        () -> how < 3
                                ? threads.create(owner, values -> values.title(words))
                                : threads.create(owner, id, values -> values.metadata(Map.of("w", words))));
            case 1 -> new Operation("append", () -> threads.append(owner, id, messages(how)));
            case 2 ->
                new Operation(
                        "change thread",
                        () -> threads.change(owner, id, values -> {
                            if (how < 4) {
                                values.title(how == 0 ? null : words);
                            } else {
                                values.addMetadata("w" + how, words);
                            }
                        }));
            case 3, 4 -> copy(how);
            case 5 ->
                new Operation(
                        "copies",
                        () -> List.of(threads.copies(owner, id, how % 2, PAGE + 1), threads.lineage(owner, id)));
            case 6 -> delete(how);
            case 7, 8 -> deleteMessages(how, choice.below(100));
            case 9 ->
                new Operation(
                        "messages",
                        () -> List.of(
                                threads.messagesFrom(owner, id, how, PAGE + 1),
                                threads.messagesBefore(owner, id, how + 2, PAGE),
                                threads.lastMessages(owner, id, 4)));
            case 10 -> new Operation("pages of threads", this::pages);
            default -> new Operation("find thread", () -> threads.find(owner, id));
        };
    }

    private List<Message> messages(int how) {
        return List.of(Message.user(words), Message.assistant("re " + words).withId(how < 3 ? "fixed" + how : ""));
    }

    private Operation copy(int how) {
        return new Operation(
                "copy thread",
                () -> threads.copy(owner, id, copy -> switch (how) {
                    case 0, 1, 2 -> copy.before(how);
                    case 3 -> copy.toOwner(ThreadOwner.of("bob"));
                    case 4 -> copy.threadId("t3");
                    case 5 -> copy;
                    default -> copy.changes(values -> values.title(words));
                }));
    }

    private Operation delete(int how) {
        return new Operation(
                "delete thread",
                () -> threads.delete(owner, id, deletion -> {
                    var cancelling = how % 2 == 0 ? deletion.cancelRuns() : deletion;
                    return how % 4 < 2 ? cancelling.withRuns() : cancelling;
                }));
    }

    private Operation deleteMessages(int how, int number) {
        return new Operation("delete messages", () -> {
            List<ThreadMessage> messages = threads.messagesBefore(owner, id, Long.MAX_VALUE, Turn.ALL);
            if (messages.isEmpty()) {
                return "empty";
            }
            List<String> ids = new ArrayList<>();
            ids.add(messages.get(number % messages.size()).message().id());
            if (how > 4) {
                ids.add(messages.get(number * 7 % messages.size()).message().id());
            }
            if (how == 3) {
                ids.add("missing");
            }
            return ids
                    + " "
                    + Shown.of(threads.deleteMessages(
                            owner, id, ids, deletion -> how % 2 == 0 ? deletion.cancelRuns() : deletion));
        });
    }

    private List<String> pages() {
        String resource = Objects.requireNonNull(owner.resourceId());
        List<String> whole = ids(threads.list(resource, 0, Turn.ALL));
        List<String> paged = new ArrayList<>();
        for (int from = 0; from <= whole.size(); from += PAGE) {
            paged.addAll(ids(threads.list(resource, from, PAGE)));
        }
        if (!whole.equals(paged)) {
            turn.faults().accept("pages of threads have " + paged + " instead of " + whole);
        }
        return whole;
    }

    private static List<String> ids(List<ThreadRecord> records) {
        return records.stream().map(ThreadRecord::threadId).toList();
    }
}
