package dev.chargehand.server.internal.wire.mastra;

import dev.chargehand.event.RunEvent;
import dev.chargehand.event.WorkflowEvent;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.server.internal.wire.Encoder;
import dev.chargehand.server.internal.wire.Frame;
import dev.chargehand.server.internal.wire.Outcome;
import dev.chargehand.server.internal.wire.mastra.workflow.StepPlaces;
import dev.chargehand.server.internal.wire.mastra.workflow.WorkflowState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes the run of a workflow as Mastra's chunks: JSON objects, each followed by a record separator. It also keeps the state of the run
 * that the client reads of whole answers.
 */
final class WorkflowEncoder implements Encoder {

    private static final String SEPARATOR = "\u001e";

    private final RunId root;
    private final int past;
    private final int skipped;
    private final WorkflowState state;
    private final Map<RunId, String> nested = new HashMap<>();
    private final Map<RunId, WorkflowEvent.WorkflowStepStart> outer = new HashMap<>();
    private final NestedChunks chunks = new NestedChunks();
    private final List<Frame> frames = new ArrayList<>();
    private int suspensions;
    private int sent;
    private boolean open;
    private boolean done;
    private @Nullable RunEvent last;

    private WorkflowEncoder(WorkflowState state, RunId root, int past, int skipped, boolean open) {
        this.state = state;
        this.root = root;
        this.past = past;
        this.skipped = skipped;
        this.open = open;
    }

    /** Write a run from its start until it ends or waits for an answer. */
    static WorkflowEncoder fromStart(RunId root, StepPlaces places) {
        return observing(root, places, 0, 0);
    }

    /**
     * Write a run from its start until it ends or waits for the answer after those that it has waited for before.
     *
     * @param past how often it has waited for an answer before
     * @param skipped how many chunks the client has
     */
    static WorkflowEncoder observing(RunId root, StepPlaces places, int past, int skipped) {
        return new WorkflowEncoder(new WorkflowState(root, places), root, past, skipped, true);
    }

    /** Write what follows an answer. */
    static WorkflowEncoder afterAnswer(RunId root, StepPlaces places, int past) {
        return new WorkflowEncoder(new WorkflowState(root, places), root, past, 0, past == 0);
    }

    /** Return whether an event is that of a run which waits for an answer of a client, and not for a time. */
    static boolean waits(RunEvent event, RunId root) {
        return event instanceof RunEvent.RunSuspend suspend
                && suspend.runId().equals(root)
                && !suspend.pending().isEmpty();
    }

    /** Return the state of the run as its events say. */
    WorkflowState state() {
        return state;
    }

    /** Return the last event. */
    RunEvent last() {
        if (last == null) {
            throw Outcome.released(root);
        }
        return last;
    }

    @Override
    public boolean isDone() {
        return done;
    }

    @Override
    public List<Frame> encode(RunEvent event) {
        frames.clear();
        if (!done) {
            Optional<WorkflowEvent.WorkflowStepStart> around = Optional.ofNullable(outer.get(event.runId()));
            boolean waited = around.map(this::waits).orElse(false);
            state.note(event);
            if (event instanceof WorkflowEvent.WorkflowStepStart start && start.nestedRunId() != null) {
                outer.put(start.nestedRunId(), around.orElse(start));
            }
            if (event.runId().equals(root)) {
                encodeRoot(event);
            } else {
                String step = nested.get(event.runId());
                if (step != null) {
                    chunks.of(event).forEach(chunk -> send("workflow-step-output", ofStep(step, "output", chunk)));
                }
                around.filter(start -> !waited && waits(start)).ifPresent(this::suspend);
            }
        }
        return List.copyOf(frames);
    }

    private boolean waits(WorkflowEvent.WorkflowStepStart start) {
        return "suspended".equals(state.step(start.stepPath()).get("status"));
    }

    /** A step whose nested workflow waits is one that waits. */
    private void suspend(WorkflowEvent.WorkflowStepStart start) {
        send("workflow-step-suspended", NestedChunks.step(start.stepPath(), start.callId(), state));
    }

    private void encodeRoot(RunEvent event) {
        switch (event) {
            case RunEvent.RunSuspend suspend -> suspend(suspend);
            case RunEvent.RunFinish finish -> {
                if (finish.stopReason() instanceof StopReason.Cancelled) {
                    send("workflow-canceled", Map.of());
                }
                end(finish, finish.totalUsage());
            }
            case RunEvent.RunReleased ignored -> frames.addAll(released());
            case WorkflowEvent step -> encodeStep(step);
            default -> {}
        }
    }

    private void encodeStep(WorkflowEvent event) {
        if (event instanceof WorkflowEvent.WorkflowStepStart start && start.nestedRunId() != null) {
            nested.put(start.nestedRunId(), start.stepId());
        }
        Map<String, Object> payload = NestedChunks.payload(event, state);
        if (!payload.isEmpty()) {
            send(event.type(), payload);
        }
        if (event instanceof WorkflowEvent.WorkflowStepResult result) {
            send("workflow-step-finish", ofStep(result.stepPath(), "metadata", Map.of()));
        } else if (event instanceof WorkflowEvent.WorkflowStepResumed resumed) {
            endOfWait(resumed.stepPath());
        }
    }

    /** An entry that only waits ends when it continues, with the value that it has passed on. */
    private void endOfWait(String path) {
        if ("success".equals(state.step(path).get("status"))) {
            Map<String, Object> payload = new LinkedHashMap<>();
            payload.put("id", path);
            payload.putAll(state.step(path));
            send("workflow-step-result", payload);
            send("workflow-step-finish", ofStep(path, "metadata", Map.of()));
        }
    }

    private static Map<String, Object> ofStep(String id, String name, Object value) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", id);
        fields.put(name, value);
        return fields;
    }

    /** A run that waits for a time continues by itself, and so does its stream. */
    private void suspend(RunEvent.RunSuspend suspend) {
        if (waits(suspend, root) && ++suspensions > past) {
            end(suspend, suspend.totalUsage());
        }
        open = open || suspensions == past;
    }

    private void end(RunEvent event, Usage usage) {
        open = true;
        send("workflow-finish", NestedChunks.finish(state, Chunks.usage(usage)));
        last = event;
        done = true;
    }

    /** The run continues elsewhere; its client reads it again with {@code observe}. */
    @Override
    public List<Frame> released() {
        frames.clear();
        if (!done) {
            done = true;
            Map<String, Object> error = Map.of(
                    "error",
                    Map.of(
                            "message",
                            "This server executes the run no longer; another process continues it.",
                            "code",
                            "run-released"));
            addFrame("error", error);
        }
        return List.copyOf(frames);
    }

    private void send(String type, Map<String, Object> payload) {
        if (open && ++sent > skipped) {
            addFrame(type, payload);
        }
    }

    private void addFrame(String type, Map<String, Object> payload) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("type", type);
        fields.put("runId", root.value());
        fields.put("from", "WORKFLOW");
        if (payload.get("id") instanceof String id) {
            fields.put("id", id);
        }
        fields.put("payload", payload);
        frames.add(new Frame(Json.of(fields).text() + SEPARATOR));
    }
}
