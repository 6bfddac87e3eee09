package dev.chargehand.server.internal.route;

import dev.chargehand.RunHandle;
import dev.chargehand.event.RunWatch;
import dev.chargehand.run.RunId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A run that a request reads because it has started or continued it. Its handle knows a run before it is stored, which is when its input has
 * passed the input processors. Used by the thread of the request.
 */
public final class ReadRun implements Held.Releasable {

    private final RunHandle handle;
    private @Nullable RunWatch watch;

    private ReadRun(RunHandle handle) {
        this.handle = handle;
    }

    /** Note which run a request has started, or an earlier request with its key; returns its handle. */
    public static RunHandle started(Call call, RunHandle handle) {
        call.held().add(new ReadRun(handle));
        return handle;
    }

    /** Return whether a request names a run that an earlier request with its key has started. */
    public static boolean isRepeated(Call call) {
        return call.held()
                .find(ReadRun.class)
                .filter(read -> read.handle.isRepeated())
                .isPresent();
    }

    /** Open the reader of a run that a request is about to continue: it may end, and be forgotten by its store, before its events are asked for. */
    public static void continued(Call call, RunHandle handle) {
        ReadRun run = new ReadRun(handle);
        call.held().add(run);
        var unused = run.events();
    }

    /** Return a reader of the events of a run from the first one on; empty if the request has not started or continued it. The caller closes it. */
    public static Optional<RunWatch> events(Call call, RunId run) {
        return call.held()
                .find(ReadRun.class)
                .filter(read -> read.handle.runId().equals(run))
                .map(ReadRun::events);
    }

    private RunWatch events() {
        RunWatch events = watch == null ? handle.events() : watch;
        watch = events;
        return events;
    }

    @Override
    public void release() {
        if (watch != null) {
            watch.close();
        }
    }
}
