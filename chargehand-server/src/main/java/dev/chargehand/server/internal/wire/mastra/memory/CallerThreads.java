package dev.chargehand.server.internal.wire.mastra.memory;

import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.json.Json;
import dev.chargehand.server.Principal;
import dev.chargehand.server.internal.api.Owners;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.ReservedNames;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.thread.ThreadChange;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import dev.chargehand.thread.Threads;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Finds the threads that requests name: by an id and the resource, which is the caller's, or {@code resourceId} of the query. Without
 * either, a thread without a resource is meant, or the one that was shown to the caller under this id. Thread-safe.
 */
public final class CallerThreads {

    private static final String CLIENT_ID = ReservedNames.START + "client-id";

    private final WireRuns runs;
    private final ShownIds shown = new ShownIds();

    /** Make it. */
    public CallerThreads(WireRuns runs) {
        this.runs = runs;
    }

    /** Return what was shown to callers. */
    ShownIds shown() {
        return shown;
    }

    Threads of(Call call) {
        return runs.runtime(call.principal()).threads();
    }

    /** Return the resource of a request. Its client writes {@code undefined} for a resource that it was not given. */
    public static Optional<String> resource(Call call) {
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
    public Optional<ThreadRecord> find(Call call, Optional<String> resource, String id) {
        if (resource.isPresent()) {
            return named(call, resource, id);
        }
        Optional<ThreadRecord> ofNobody;
        try {
            ofNobody = named(call, resource, id);
        } catch (ThreadOwnershipException e) {
            ofNobody = Optional.empty(); // its stored id is that of a thread with a resource
        }
        return ofNobody.or(() ->
                shown.thread(call.principal(), id).flatMap(place -> of(call).find(place.owner(), place.threadId())));
    }

    /** Return the id under which a thread is stored, or would be. */
    public String storedId(Call call, Optional<String> resource, String id) {
        return find(call, resource, id)
                .map(ThreadRecord::threadId)
                .orElseGet(() -> runs.thread(call.principal(), resource, id));
    }

    private Optional<ThreadRecord> named(Call call, Optional<String> resource, String id) {
        return of(call).find(Owners.owner(resource), runs.thread(call.principal(), resource, id));
    }

    /** Note that a thread was shown to the caller, under its own id and the one that a client has chosen. */
    ThreadRecord note(Call call, ThreadRecord thread) {
        String clientId = clientId(call, thread).orElse(thread.threadId());
        shown.noteThread(call.principal(), clientId, thread.owner(), thread.threadId());
        return thread;
    }

    /** Return the id under which a client knows a thread: the one that it has chosen unless that stands for others too, else the stored one. */
    String idOf(Call call, ThreadRecord thread) {
        Principal principal = call.principal();
        return clientId(call, thread)
                .filter(id -> principal.resourceId().isPresent()
                        || shown.thread(principal, id)
                                .filter(place -> place.threadId().equals(thread.threadId()))
                                .isPresent())
                .orElse(thread.threadId());
    }

    /** Return the id under which a client knows the thread that a thread was copied from, if the caller may act for its resource. */
    Optional<String> sourceIdOf(Call call, ThreadRecord thread) {
        return thread.source()
                .filter(from ->
                        from.owner().equals(thread.owner()) || call.principal().actsForAnyResource())
                .flatMap(from -> of(call).find(from.owner(), from.threadId()))
                .map(source -> idOf(call, note(call, source)));
    }

    /** Return the id under which a client knows the thread of a resource that is stored under an id. */
    public String idOf(Call call, Optional<String> resource, String threadId) {
        return of(call).find(Owners.owner(resource), threadId)
                .map(thread -> idOf(call, note(call, thread)))
                .orElse(threadId);
    }

    /** Return the id that a client has chosen for a thread; a copy has that of another. */
    private static Optional<String> clientId(Call call, ThreadRecord thread) {
        Optional<String> resource = Optional.ofNullable(thread.owner().resourceId());
        return thread.metadata().at("/" + CLIENT_ID).flatMap(Json::string).filter(id -> Owners.mapped(
                        call.principal(), resource, id)
                .equals(thread.threadId()));
    }

    /** Return a change that keeps the id which a client has chosen for a thread; callers do not see it as metadata. */
    static Consumer<ThreadChange> named(String clientId) {
        return change -> change.addMetadata(CLIENT_ID, clientId);
    }

    /**
     * Keep the id that a client has chosen for the thread of a run that has started.
     *
     * @param values what it says about the thread, if that is new
     */
    public void keep(
            Call call, Optional<String> resource, String clientId, String threadId, Consumer<ThreadChange> values) {
        Threads stored = of(call);
        ThreadOwner owner = Owners.owner(Owners.resource(call.principal(), resource.orElse(null)));
        shown.noteThread(call.principal(), clientId, owner, threadId);
        Optional<ThreadRecord> thread = clientId.equals(threadId) ? Optional.empty() : stored.find(owner, threadId);
        if (thread.filter(each -> clientId(call, each).isEmpty()).isPresent()) {
            var unused = stored.change(owner, threadId, values.andThen(named(clientId)));
        }
    }

    /** Return the messages that a client may see, and note them as shown. */
    List<ThreadMessage> visible(Call call, ThreadRecord thread, List<ThreadMessage> messages) {
        List<ThreadMessage> visible =
                messages.stream().filter(ThreadViews::isShown).toList();
        shown.noteMessages(call.principal(), thread, visible);
        return visible;
    }
}
