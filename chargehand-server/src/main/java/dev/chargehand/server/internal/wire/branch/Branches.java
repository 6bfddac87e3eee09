package dev.chargehand.server.internal.wire.branch;

import dev.chargehand.run.RunId;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.Threads;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** Copies threads without what follows an answer. Immutable. */
public final class Branches {

    private static final int MOST = 1_000;

    private final Threads threads;
    private final ThreadOwner owner;

    /** Make it for the threads of an owner. */
    public Branches(Threads threads, ThreadOwner owner) {
        this.threads = threads;
        this.owner = owner;
    }

    /**
     * Copy a thread without what follows an answer.
     *
     * @param answer the run whose answer is the last that stays; empty if none stays
     * @return the new thread; empty if nothing follows, or the thread does not have the answer
     */
    public Optional<String> after(String threadId, Optional<RunId> answer) {
        if (threads.find(owner, threadId).isEmpty()) {
            return Optional.empty();
        }
        long newest = threads.lastMessages(owner, threadId, 1).stream()
                .mapToLong(ThreadMessage::position)
                .findFirst()
                .orElse(-1);
        return last(threadId, answer).stream()
                .filter(last -> last < newest)
                .mapToObj(last ->
                        threads.copy(owner, threadId, last + 1, change -> {}).threadId())
                .findFirst();
    }

    /** Return the position of the last message of a run, or the one before the first message if there is no run; empty if there is none. */
    public OptionalLong last(String threadId, Optional<RunId> run) {
        return run.map(each -> last(threadId, each)).orElse(OptionalLong.of(-1));
    }

    private OptionalLong last(String threadId, RunId run) {
        long before = Long.MAX_VALUE;
        while (true) {
            List<ThreadMessage> page = threads.messagesBefore(owner, threadId, before, MOST);
            OptionalLong found = page.stream()
                    .filter(each -> each.runId().equals(Optional.of(run)))
                    .mapToLong(ThreadMessage::position)
                    .max();
            if (found.isPresent() || page.isEmpty()) {
                return found;
            }
            before = page.getFirst().position();
        }
    }

    /** Start something in a copy, which is deleted if that fails. */
    public <T> T started(String copy, Supplier<T> start) {
        try {
            return start.get();
        } catch (RuntimeException e) {
            try {
                var unused = threads.delete(owner, copy);
            } catch (RuntimeException other) {
                e.addSuppressed(other);
            }
            throw e;
        }
    }
}
