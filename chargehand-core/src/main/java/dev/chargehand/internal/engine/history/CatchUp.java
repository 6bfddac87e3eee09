package dev.chargehand.internal.engine.history;

import dev.chargehand.event.Origin;
import dev.chargehand.event.RunEvent;
import dev.chargehand.internal.event.EventSink;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.store.Store;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Continues the events of a live tree with what another process stores, from the last one on. Used by one thread. */
public final class CatchUp {

    private final Store store;
    private final String tenantId;
    private final RunId root;
    private final AgentPath path;
    private final EventSink sink;
    private final TimeSource time;
    private @Nullable TreeNarrator narrator;

    /** Make it for the readers of a tree; nothing is read yet. */
    public CatchUp(Store store, String tenantId, RunId root, AgentPath path, EventSink sink, TimeSource time) {
        this.tenantId = tenantId;
        this.store = store;
        this.root = root;
        this.path = path;
        this.sink = sink;
        this.time = time;
    }

    /**
     * Emit what is stored by now.
     *
     * @throws dev.chargehand.error.StoreException if it cannot be read
     */
    public void narrate() {
        if (!sink.hasReaders()) {
            return;
        }
        TreeNarrator stored = narrator;
        if (stored == null) {
            stored = new TreeNarrator(
                    store,
                    tenantId,
                    root,
                    unknown -> Optional.empty(),
                    sink.settled().orElse(null));
            narrator = stored;
            Origin origin = new Origin(Optional.empty(), root, path, 0, time.now(), false, tenantId);
            sink.put(0, new RunEvent.StreamResumed(origin, false));
        }
        boolean more = true;
        while (more) {
            more = stored.read(narrated -> sink.put(narrated.position(), narrated.event()));
        }
    }
}
