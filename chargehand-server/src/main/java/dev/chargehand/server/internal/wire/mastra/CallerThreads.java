package dev.chargehand.server.internal.wire.mastra;

import dev.chargehand.server.internal.api.Owners;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.thread.ThreadRecord;
import dev.chargehand.thread.Threads;
import java.util.List;
import java.util.Optional;

/**
 * Finds the threads that requests name: by an id and the resource, which is the caller's, or {@code resourceId} of the query. Without
 * either, a thread without a resource is meant, or the one that was shown to the caller under this id. Thread-safe.
 */
final class CallerThreads {

    private final WireRuns runs;
    private final ShownIds shown = new ShownIds();

    CallerThreads(WireRuns runs) {
        this.runs = runs;
    }

    ShownIds shown() {
        return shown;
    }

    Threads of(Call call) {
        return runs.runtime(call.principal()).threads();
    }

    /** Return the resource of a request. Its client writes {@code undefined} for a resource that it was not given. */
    static Optional<String> resource(Call call) {
        return Owners.resource(
                call.principal(),
                call.query("resourceId").filter(id -> !id.equals("undefined")).orElse(null));
    }

    /** Return the thread that the path names. */
    ThreadRecord require(Call call) {
        return find(call, resource(call), call.parameter("id"))
                .orElseThrow(() -> Problem.THREAD_UNKNOWN.of("There is no thread with this id."));
    }

    /** Return the thread that a request names; empty if it is missing. */
    Optional<ThreadRecord> find(Call call, Optional<String> resource, String id) {
        String stored = runs.thread(call.principal(), resource, id);
        Optional<ThreadRecord> found = of(call).find(Owners.owner(resource), stored);
        return found.isPresent() || resource.isPresent()
                ? found
                : shown.thread(call.principal(), id).flatMap(place -> of(call).find(place.owner(), place.threadId()));
    }

    /** Note that a thread was shown to the caller under an id. */
    ThreadRecord note(Call call, String clientId, ThreadRecord thread) {
        shown.noteThread(call.principal(), clientId, thread.owner(), thread.threadId());
        return thread;
    }

    /** Return the messages that a client may see, and note them as shown. */
    List<ThreadMessage> visible(Call call, ThreadRecord thread, List<ThreadMessage> messages) {
        List<ThreadMessage> visible =
                messages.stream().filter(ThreadViews::isShown).toList();
        shown.noteMessages(call.principal(), thread, visible);
        return visible;
    }
}
