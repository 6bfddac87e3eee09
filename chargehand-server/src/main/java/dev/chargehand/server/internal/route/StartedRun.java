package dev.chargehand.server.internal.route;

import dev.chargehand.RunHandle;
import dev.chargehand.event.RunWatch;
import dev.chargehand.run.RunId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A run that a request has started to read it. Its handle knows it before it is stored, which is when its input has passed the input processors.
 * Used by the thread of the request.
 */
public final class StartedRun implements Held.Releasable {

    private final RunHandle handle;
    private @Nullable RunWatch watch;

    private StartedRun(RunHandle handle) {
        this.handle = handle;
    }

    /** Note which run a request has started. */
    public static void note(Call call, RunHandle handle) {
        call.held().add(new StartedRun(handle));
    }

    /** Return a reader of the events of a run from the first one on; empty if the request has not started it. The caller closes it. */
    public static Optional<RunWatch> events(Call call, RunId run) {
        return call.held()
                .find(StartedRun.class)
                .filter(started -> started.handle.runId().equals(run))
                .map(StartedRun::events);
    }

    private RunWatch events() {
        watch = handle.events();
        return watch;
    }

    @Override
    public void release() {
        if (watch != null) {
            watch.close();
        }
    }
}
