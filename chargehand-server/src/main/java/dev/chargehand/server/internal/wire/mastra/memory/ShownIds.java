package dev.chargehand.server.internal.wire.mastra.memory;

import dev.chargehand.server.Principal;
import dev.chargehand.server.internal.limit.CallerLimits;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Where the threads and messages are that this process has shown to a caller. Its client names a message without its thread, and a thread
 * without its resource; a caller that acts for no resource of its own is understood by what it was shown last. An id that stands for several
 * threads is not known. Thread-safe.
 */
final class ShownIds {

    private static final int MOST = 10_000;

    /** A thread and whom it belongs to. */
    record Place(ThreadOwner owner, String threadId) {}

    private record Id(String caller, boolean message, String text) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Id, Optional<Place>> places = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Id, Optional<Place>> eldest) {
            return size() > MOST;
        }
    };

    /** Note a thread under the id that the client uses, and under its own. */
    void noteThread(Principal principal, String clientId, ThreadOwner owner, String threadId) {
        Place place = new Place(owner, threadId);
        note(new Id(CallerLimits.key(principal), false, clientId), place);
        note(new Id(CallerLimits.key(principal), false, threadId), place);
    }

    /** Note messages of a thread. */
    void noteMessages(Principal principal, ThreadRecord thread, List<ThreadMessage> messages) {
        Place place = new Place(thread.owner(), thread.threadId());
        messages.forEach(each ->
                note(new Id(CallerLimits.key(principal), true, each.message().id()), place));
    }

    /** Return the thread of an id; empty if it was not shown, or stands for several. */
    Optional<Place> thread(Principal principal, String id) {
        return find(new Id(CallerLimits.key(principal), false, id));
    }

    /** Return the thread of a message; empty if it was not shown, or is in several. */
    Optional<Place> message(Principal principal, String id) {
        return find(new Id(CallerLimits.key(principal), true, id));
    }

    private void note(Id id, Place place) {
        lock.lock();
        try {
            Optional<Place> before = places.getOrDefault(id, Optional.of(place));
            places.put(id, before.filter(place::equals));
        } finally {
            lock.unlock();
        }
    }

    private Optional<Place> find(Id id) {
        lock.lock();
        try {
            return places.getOrDefault(id, Optional.empty());
        } finally {
            lock.unlock();
        }
    }
}
