package dev.chargehand.internal.event;

import dev.chargehand.event.RunEvent;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.spi.IdSource;
import dev.chargehand.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reports the deltas of one answer, with a start before the first of a kind and an end after the last.
 *
 * <p>Used by one thread at a time.
 */
public final class AnswerEvents {

    private final RunEvents events;
    private final TimeSource time;
    private final IdSource ids;
    private final int step;
    private final int attempt;
    private final @Nullable ObjectEvents objects;
    private final Map<Integer, Long> openCalls = new TreeMap<>();
    private final Map<Integer, AnnouncedCall> calls = new HashMap<>();
    private @Nullable Kind open;
    private long openedAt;
    private int texts;
    private @Nullable String openId;
    private @Nullable List<ModelDelta> held;

    private record AnnouncedCall(String id, String toolName) {}

    private enum Kind {
        TEXT,
        REASONING
    }

    /** Start an answer; {@code attempt} keeps the ids of texts apart. */
    public AnswerEvents(RunEvents events, TimeSource time, IdSource ids, int step, int attempt) {
        this(events, time, ids, step, attempt, null);
    }

    /**
     * Start an answer; {@code attempt} keeps the ids of texts apart.
     *
     * @param objects reports the answer as an object, or null if it is not to be one
     */
    public AnswerEvents(
            RunEvents events, TimeSource time, IdSource ids, int step, int attempt, @Nullable ObjectEvents objects) {
        this.objects = objects;
        this.events = events;
        this.time = time;
        this.ids = ids;
        this.step = step;
        this.attempt = attempt;
    }

    /** Return the step of the answer. */
    public int step() {
        return step;
    }

    /** Return the number of the attempt, from 1. */
    public int attempt() {
        return attempt;
    }

    /** Buffer events from now on, until they are released. */
    public AnswerEvents hold() {
        held = new ArrayList<>();
        return this;
    }

    /** Return whether events are buffered. */
    public boolean isHeld() {
        return held != null;
    }

    /** Report what was withheld, or the answer as it passed instead. */
    public void release(@Nullable ModelResponse inItsPlace) {
        List<ModelDelta> deltas = inItsPlace == null ? held : deltas(inItsPlace);
        held = null;
        if (deltas != null) {
            emit(deltas);
            end();
        }
    }

    private static List<ModelDelta> deltas(ModelResponse answer) {
        List<ModelDelta> deltas = new ArrayList<>();
        if (!answer.reasoning().isEmpty()) {
            deltas.add(new ModelDelta.Reasoning(answer.reasoning()));
        }
        if (!answer.text().isEmpty()) {
            deltas.add(new ModelDelta.Text(answer.text()));
        }
        for (int i = 0; i < answer.toolCalls().size(); i++) {
            ModelResponse.RequestedCall call = answer.toolCalls().get(i);
            deltas.add(new ModelDelta.ToolCallStart(i, call.name()));
            deltas.add(new ModelDelta.ToolCallArguments(i, call.arguments()));
            deltas.add(new ModelDelta.ToolCallEnd(i));
        }
        return deltas;
    }

    /** Report deltas that arrived together: with one time, and one wake-up of each reader. */
    public void emit(List<ModelDelta> deltas) {
        if (held != null) {
            held.addAll(deltas);
        } else if (objects != null || deltas.size() == 1) {
            emitAll(deltas);
        } else {
            events.emitTogether(() -> emitAll(deltas));
        }
    }

    /** Report the last deltas of the answer: readers may be woken when they get what follows it. */
    public void emitLast(List<ModelDelta> deltas) {
        if (held != null || objects != null) {
            emit(deltas);
        } else if (!deltas.isEmpty()) {
            events.emitQuietly(() -> emitAll(deltas));
        }
    }

    private void emitAll(List<ModelDelta> deltas) {
        for (ModelDelta delta : deltas) {
            emit(delta);
        }
    }

    private void emit(ModelDelta delta) {
        tellText(delta);
        if (objects != null && delta instanceof ModelDelta.Text text) {
            objects.emit(text.text());
        }
    }

    private void tellText(ModelDelta delta) {
        if (!events.mayHaveReaders()) {
            return;
        }
        switch (delta) {
            case ModelDelta.Text text -> {
                open(Kind.TEXT);
                String textId = textId();
                events.emitDelta(step, textId, text.text(), (o, more) -> new RunEvent.TextDelta(o, textId, more));
            }
            case ModelDelta.Reasoning reasoning -> {
                open(Kind.REASONING);
                String textId = textId();
                events.emitDelta(
                        step, textId, reasoning.text(), (o, more) -> new RunEvent.ReasoningDelta(o, textId, more));
            }
            case ModelDelta.ToolCallStart start -> {
                closeText();
                openCalls.put(start.index(), time.nanoTime());
                String callId = announced(start.index(), start.toolName());
                events.emitOfStep(
                        step, o -> new RunEvent.ToolCallInputStart(o, callId, start.index(), start.toolName()));
            }
            case ModelDelta.ToolCallArguments more -> {
                String callId = announced(more.index(), "");
                events.emitDelta(
                        step,
                        String.valueOf(more.index()),
                        more.fragment(),
                        (o, text) -> new RunEvent.ToolCallDelta(o, callId, more.index(), text));
            }
            case ModelDelta.ToolCallEnd end -> closeCall(end.index());
        }
    }

    /** End all open texts: the answer is complete, or will not continue. */
    public void end() {
        if (held == null && events.mayHaveReaders()) {
            events.emitQuietly(() -> {
                closeText();
                for (int index : List.copyOf(openCalls.keySet())) {
                    closeCall(index);
                }
            });
        }
    }

    private void open(Kind kind) {
        if (open != kind) {
            closeText();
            open = kind;
            openedAt = time.nanoTime();
            String textId = textId();
            events.emitOfStep(
                    step,
                    o -> kind == Kind.TEXT
                            ? new RunEvent.TextStart(o, textId)
                            : new RunEvent.ReasoningStart(o, textId));
        }
    }

    private void closeText() {
        Kind kind = open;
        if (kind != null) {
            String textId = textId();
            Duration took = since(openedAt);
            events.emitOfStep(
                    step,
                    o -> kind == Kind.TEXT
                            ? new RunEvent.TextEnd(o, textId, took)
                            : new RunEvent.ReasoningEnd(o, textId, took));
            open = null;
            texts++;
            openId = null;
        }
    }

    private void closeCall(int index) {
        Long started = openCalls.remove(index);
        if (started != null) {
            Duration took = since(started);
            String callId = announced(index, "");
            events.emitOfStep(step, o -> new RunEvent.ToolCallInputEnd(o, callId, index, took));
        }
    }

    private String announced(int index, String toolName) {
        return calls.computeIfAbsent(index, place -> new AnnouncedCall(ids.next("call_"), toolName))
                .id();
    }

    /**
     * Return the id of a call of the answer: that under which its arguments were reported, unless a processor has replaced it by a call of
     * another tool.
     */
    public String callId(int index, String toolName) {
        AnnouncedCall call = calls.get(index);
        return call != null && call.toolName().equals(toolName) ? call.id() : ids.next("call_");
    }

    private String textId() {
        String known = openId;
        if (known == null) {
            known = events.runId() + "." + step + "." + attempt + "." + texts;
            openId = known;
        }
        return known;
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(time.nanoTime() - nanos);
    }
}
