package dev.chargehand.server.internal.wire.mastra.thread;

import dev.chargehand.event.BackgroundTaskEvent;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunId;
import dev.chargehand.server.internal.wire.Encoder;
import dev.chargehand.server.internal.wire.Frame;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Writes the runs of a thread, each with an encoder of its own: chunks name their run. It has no end, since another run may follow; so it sends no
 * last frame of a run. The first chunk of a run is sent with its second, when the run is executed. Used by one thread.
 */
public final class ThreadEncoder {

    private final BiFunction<RunId, Boolean, Encoder> encoders;
    private final Map<RunId, Encoder> open = new HashMap<>();
    private final Map<RunId, RunId> roots = new HashMap<>();
    private final Map<RunId, List<Frame>> held = new HashMap<>();

    /**
     * Make it.
     *
     * @param encoders makes the encoder of a root run, of which it knows whether it is a network
     */
    public ThreadEncoder(BiFunction<RunId, Boolean, Encoder> encoders) {
        this.encoders = encoders;
    }

    /** Return what is sent for an event. */
    public List<Frame> encode(RunEvent event) {
        if (event instanceof RunEvent.RunReleased) {
            return List.of(); // another process continues the run, and its events follow
        }
        note(event);
        RunId root = roots.get(event.runId());
        if (root == null) {
            return event instanceof BackgroundTaskEvent
                    ? encoders.apply(event.runId(), false).encode(event)
                    : List.of();
        }
        List<Frame> frames =
                new ArrayList<>(Optional.ofNullable(held.remove(root)).orElse(List.of()));
        frames.addAll(open.computeIfAbsent(
                        root, id -> encoders.apply(id, event.origin().network()))
                .encode(event));
        frames.removeIf(Frame.DONE::equals);
        if (event instanceof RunEvent.RunStart && event.runId().equals(root)) {
            held.put(root, frames); // it is stored at once, also if the run has to wait for its turn
            return List.of();
        }
        if (event instanceof RunEvent.RunFinish && event.runId().equals(root)) {
            open.remove(root);
            roots.values().removeIf(root::equals);
        }
        return frames;
    }

    private void note(RunEvent event) {
        switch (event) {
            case RunEvent.RunStart start -> {
                if (start.parentRunId() == null) {
                    roots.put(start.runId(), start.runId());
                } else {
                    nested(start.parentRunId(), start.runId());
                }
            }
            case RunEvent.DelegationStart start ->
                nested(start.runId(), start.call().childRunId());
            default -> {}
        }
    }

    private void nested(RunId parent, RunId run) {
        RunId root = roots.get(parent);
        if (root != null) {
            roots.put(run, root);
        }
    }
}
