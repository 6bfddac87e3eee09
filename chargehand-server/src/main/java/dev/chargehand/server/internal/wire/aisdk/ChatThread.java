package dev.chargehand.server.internal.wire.aisdk;

import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.server.Principal;
import dev.chargehand.server.internal.api.Owners;
import dev.chargehand.server.internal.route.ReservedNames;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.server.internal.wire.branch.Branches;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import dev.chargehand.thread.Threads;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The thread of a chat. An answer that is made again is a fork, and a fork has a thread of its own, as has a message that replaces an earlier
 * one; the thread that it continues names it, so that the chat continues there.
 */
final class ChatThread {

    private static final String CONTINUED_IN = ReservedNames.START + "continuedIn";
    private static final int MOST = 1_000;

    private final WireRuns runs;

    ChatThread(WireRuns runs) {
        this.runs = runs;
    }

    /** Return the id of the thread in which a chat is now. */
    String of(Principal principal, String chatId) {
        Optional<String> resource = Owners.resource(principal, null);
        ThreadOwner owner = Owners.owner(resource);
        Threads threads = runs.runtime(principal).threads();
        String id = runs.thread(principal, Optional.empty(), chatId);
        for (int i = 0; i < MOST; i++) {
            Optional<String> next = threads.find(owner, id).flatMap(ChatThread::continuedIn);
            if (next.isEmpty()) {
                break;
            }
            id = next.get();
        }
        return id;
    }

    private static Optional<String> continuedIn(ThreadRecord thread) {
        return Optional.ofNullable(Json.of(thread.metadata()).fields().get(CONTINUED_IN))
                .flatMap(Json::string);
    }

    /** Note that a thread is continued in another one. */
    void continueIn(Principal principal, String threadId, String next) {
        runs.runtime(principal)
                .threads()
                .change(
                        Owners.owner(Owners.resource(principal, null)),
                        threadId,
                        change -> change.addMetadata(CONTINUED_IN, next));
    }

    /** Return what copies threads of the caller. */
    Branches branches(Principal principal) {
        return new Branches(runs.runtime(principal).threads(), Owners.owner(Owners.resource(principal, null)));
    }

    /**
     * Find the run of one of the messages that follow an answer.
     *
     * @param answer the run whose answer is the last one before the message; empty if there is none
     * @param number how many messages of the user follow the answer until the message, from 1
     */
    Optional<RunId> after(Principal principal, String threadId, Optional<RunId> answer, int number) {
        ThreadOwner owner = Owners.owner(Owners.resource(principal, null));
        Threads threads = runs.runtime(principal).threads();
        OptionalLong last = branches(principal).last(threadId, answer);
        return last.isEmpty()
                ? Optional.empty()
                : threads.messagesFrom(owner, threadId, last.getAsLong() + 1, MOST).stream()
                        .flatMap(each -> each.runId().stream())
                        .distinct()
                        .skip(number - 1L)
                        .findFirst();
    }

    /** Return the newest run of a thread. */
    Optional<RunRecord> newest(Principal principal, String threadId) {
        List<RunRecord> found =
                runs.runtime(principal).runs(RunFilter.ROOTS.thread(threadId).limit(1));
        return found.stream().filter(run -> runs.owners().owns(principal, run)).findFirst();
    }
}
