package dev.chargehand.internal.event;

import dev.chargehand.event.Origin;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What one run reports, under its own path, straight into the root's sink.
 *
 * <p>Events of stored facts are emitted by the run's own thread, provisional ones by any.
 */
public final class RunEvents {

    private final @Nullable EventTarget target;
    private final RunId runId;
    private final AgentPath path;

    /** The last fact whose events were put, or are being put: what the run emits follows them. */
    private volatile long position;

    private final OpenStep open = new OpenStep();

    /** The fact that is being reported; 0 if it is not stored. */
    private long fact;

    /** The time of the fact that is being reported. */
    private Instant at = Instant.EPOCH;

    /**
     * Make it for a run.
     *
     * @param target where to, or null if there are never readers
     */
    public RunEvents(@Nullable EventTarget target, RunId runId, AgentPath path) {
        this.target = target;
        this.runId = runId;
        this.path = path;
    }

    public RunId runId() {
        return runId;
    }

    public AgentPath path() {
        return path;
    }

    /** Return whether there are readers. */
    public boolean hasReaders() {
        return target != null && target.hasReaders();
    }

    /** Return the tree position of the last reported fact; 0 if none has one. */
    long position() {
        return position;
    }

    /** Return the tree position of the fact that is being reported; 0 if it is not stored. */
    long fact() {
        return fact;
    }

    /** Return the time of the fact that is being reported. */
    Instant at() {
        return at;
    }

    /** Return what was emitted of the step that is not answered yet. */
    OpenStep open() {
        return open;
    }

    /** Start a step, of which nothing was emitted. */
    public void beginStep() {
        if (target != null) {
            target.forgetStep(this);
        }
    }

    /**
     * Start to report a fact.
     *
     * @param stored its tree position; 0 if it is not stored
     * @param when its time
     */
    void begin(long stored, Instant when) {
        beginStep();
        fact = stored;
        at = when;
        if (stored > 0) {
            position = stored;
        }
    }

    /** Say that all events of the fact were emitted. */
    void passed() {
        if (target != null) {
            target.passed(fact);
        }
    }

    /** Emit a provisional event of a step, if there are readers. */
    public void emit(int step, Function<Origin, RunEvent> event) {
        emit(step, null, 0, event);
    }

    /** Return whether there are readers, or may be some later. */
    boolean mayHaveReaders() {
        return target != null;
    }

    /** Emit a provisional event of an open step, to readers that join later in the step too. */
    public void emitOfStep(int step, Function<Origin, RunEvent> event) {
        if (target != null) {
            target.emitOfStep(this, step, event);
        }
    }

    /**
     * Emit a delta of an open step; readers that join later in the step get the text so far.
     *
     * @param id what the texts of deltas that belong together have in common
     */
    void emitDelta(int step, String id, String more, BiFunction<Origin, String, RunEvent> delta) {
        if (target != null) {
            target.emitDelta(this, step, id, more, delta);
        }
    }

    /** Emit all that an action emits at once: readers are woken when it ends. The action must be quick. */
    void emitTogether(Runnable action) {
        if (target == null) {
            action.run();
        } else {
            target.emitTogether(action);
        }
    }

    /** Emit all that an action emits at once; readers are woken before this thread waits. The action must be quick. */
    public void emitQuietly(Runnable action) {
        if (target == null) {
            action.run();
        } else {
            target.emitQuietly(action);
        }
    }

    /** Wake the readers of what was emitted quietly: this thread is about to wait. */
    public void wakeReaders() {
        if (target != null) {
            target.wakeReaders();
        }
    }

    /** Emit an event of the fact that is being reported, if there are readers; a provisional one without a slot. */
    public void emit(int step, @Nullable Slot slot, Function<Origin, RunEvent> event) {
        emit(step, slot, 0, event);
    }

    public void emit(int step, @Nullable Slot slot, int index, Function<Origin, RunEvent> event) {
        if (target != null && target.hasReaders()) {
            target.emit(this, step, slot, index, event);
        }
    }

    /** Emit a whole text that has arrived before. */
    public void emitText(int step, String textId, String text) {
        if (!text.isEmpty()) {
            emit(step, o -> new RunEvent.TextStart(o, textId));
            emit(step, o -> new RunEvent.TextDelta(o, textId, text));
            emit(step, o -> new RunEvent.TextEnd(o, textId, Duration.ZERO));
        }
    }

    /** Emit whole reasoning that has arrived before. */
    public void emitReasoning(int step, String textId, String text) {
        if (!text.isEmpty()) {
            emit(step, o -> new RunEvent.ReasoningStart(o, textId));
            emit(step, o -> new RunEvent.ReasoningDelta(o, textId, text));
            emit(step, o -> new RunEvent.ReasoningEnd(o, textId, Duration.ZERO));
        }
    }
}
