package dev.chargehand.server.internal.wire.agui;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.server.internal.wire.AnswerGate;
import dev.chargehand.server.internal.wire.Encoder;
import dev.chargehand.server.internal.wire.EventFields;
import dev.chargehand.server.internal.wire.ExternalCalls;
import dev.chargehand.server.internal.wire.Frame;
import dev.chargehand.server.internal.wire.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes a run and its nested runs as events of AG-UI. There is one terminal event, and before it everything that is open is closed,
 * sub-agents innermost first.
 */
final class AgUiEncoder implements Encoder {

    private final RunId root;
    private final String threadId;
    private final String runId;
    private final AnswerGate gate;
    private final List<Frame> frames = new ArrayList<>();
    private final Map<RunId, OpenParts> parts = new HashMap<>();
    private final SubAgents subAgents;
    private final Optional<List<Map<String, Object>>> messages;
    private final Set<String> denied = new HashSet<>();
    private final ExternalCalls external = new ExternalCalls();
    private Map<String, Json> state = Map.of();
    private Optional<Json> earlier = Optional.empty();
    private int past;
    private boolean started;
    private boolean done;

    /**
     * Make it.
     *
     * @param threadId the thread as the client names it
     * @param runId the run as the client names it
     * @param answered the calls that the request has answered; none if it has started the run
     */
    AgUiEncoder(RunId root, String threadId, String runId, List<PendingApproval> answered) {
        this(root, threadId, runId, answered, Optional.empty());
    }

    private AgUiEncoder(
            RunId root,
            String threadId,
            String runId,
            List<PendingApproval> answered,
            Optional<List<Map<String, Object>>> messages) {
        this.root = root;
        this.subAgents = new SubAgents(root);
        this.threadId = threadId;
        this.runId = runId;
        this.messages = messages;
        this.gate = new AnswerGate(answered);
    }

    /**
     * Write a run that another request has started, from its start until it ends or waits for the answer after those that it has had.
     *
     * @param messages what the thread has before the run; empty if it has no thread
     * @param past how often it has waited for answers before
     */
    static AgUiEncoder reading(
            RunId root, String threadId, String runId, Optional<List<Map<String, Object>>> messages, int past) {
        AgUiEncoder encoder = new AgUiEncoder(root, threadId, runId, List.of(), messages);
        encoder.past = past;
        return encoder;
    }

    /** Keep the state of the client: an object of the run is put into it, in place of the one that it had. */
    AgUiEncoder keeping(Map<String, Json> fields) {
        state = Map.copyOf(fields);
        return this;
    }

    /** Send the object of an earlier run of the thread after its messages; nothing if there is none. */
    AgUiEncoder remembering(Optional<Json> object) {
        earlier = object;
        return this;
    }

    /** Return the frames of a thread in which no run is executed or waits, which {@link #reading} was made for. */
    List<Frame> snapshot() {
        start();
        finish(Map.of(
                "type", "RUN_FINISHED", "threadId", threadId, "runId", runId, "outcome", Map.of("type", "success")));
        return List.copyOf(frames);
    }

    @Override
    public boolean isDone() {
        return done;
    }

    @Override
    public List<Frame> encode(RunEvent event) {
        frames.clear();
        if (done || gate.skips(event)) {
            return List.of();
        }
        if (gate.opens(event)) {
            parts.values().forEach(OpenParts::close); // what other streams have opened
            start();
            sendAll(subAgents.starts());
        } else if (!started && gate.isOpen()) {
            start();
        }
        external.note(event);
        OpenParts open = partsOf(event.runId());
        sendAll(open.text(event));
        sendAll(open.calls(event));
        if (open.text.isVoid() && event.runId().equals(root)) {
            fail(
                    "The answer of the model was interrupted, and what was sent of it is not its text.",
                    "answer-interrupted");
        } else {
            encode(event, open);
        }
        return List.copyOf(frames);
    }

    private OpenParts partsOf(RunId run) {
        return parts.computeIfAbsent(run, id -> new OpenParts(id.value(), id.equals(root)));
    }

    private void start() {
        started = true;
        send(Map.of("type", "RUN_STARTED", "threadId", threadId, "runId", runId));
        messages.ifPresent(all -> send(Map.of("type", "MESSAGES_SNAPSHOT", "messages", all)));
        earlier.ifPresent(object -> send(Map.of("type", "STATE_SNAPSHOT", "snapshot", stateWith(object))));
    }

    private void encode(RunEvent event, OpenParts open) {
        switch (event) {
            case RunEvent.StepStart start -> sendAll(open.startStep(start.step()));
            case RunEvent.StepFinish ignored -> sendAll(open.close());
            case RunEvent.RoutingAgentStart start -> sendAll(open.startStep(start.step()));
            case RunEvent.NetworkStepFinish finish -> {
                custom(finish, open);
                sendAll(open.close());
            }
            case RunEvent.UsageReport usage -> {
                sendAll(open.closeReasoning());
                sendAll(open.closeText());
                custom(usage, open);
            }
            case RunEvent.StepRetry retry -> {
                sendAll(open.closeReasoning());
                custom(retry, open);
            }
            case RunEvent.StreamResumed ignored -> sendAll(open.closeReasoning());
            case RunEvent.TextStart ignored -> sendAll(open.closeReasoning());
            case RunEvent.TextDelta ignored -> {}
            case RunEvent.TextEnd ignored -> {} // the fact that has the text closes it
            case RunEvent.ReasoningStart ignored -> {}
            case RunEvent.ReasoningDelta delta -> sendAll(open.reason(delta.text()));
            case RunEvent.ReasoningEnd ignored -> sendAll(open.closeReasoning());
            case RunEvent.PartialObject object -> object(object, object.object(), open);
            case RunEvent.ObjectResult result -> object(result, result.object(), open);
            default -> encodeCall(event, open);
        }
    }

    private void encodeCall(RunEvent event, OpenParts open) {
        switch (event) {
            case RunEvent.ToolCall ignored -> {} // above
            case RunEvent.ToolResult result -> {
                if (!external.contains(result.callId())) { // else it is of the client
                    Json output = result.output();
                    result(open, result.callId(), output.string().orElse(output.text()));
                }
            }
            case RunEvent.ToolError error -> {
                if (!denied.contains(error.callId())) { // a denial is sent once
                    result(open, error.callId(), error.message());
                }
            }
            case RunEvent.ToolOutputDenied denial -> {
                denied.add(denial.callId());
                result(open, denial.callId(), denial.reason());
            }
            case RunEvent.ToolCallInputStart ignored -> {}
            case RunEvent.ToolCallDelta ignored -> {}
            case RunEvent.ToolCallInputEnd ignored -> {}
            case RunEvent.DelegationStart delegation -> send(subAgents.start(delegation));
            case RunEvent.DelegationEnd delegation -> {
                sendAll(partsOf(delegation.call().childRunId()).close());
                subAgents.end(delegation).ifPresent(this::send);
            }
            default -> encodeRun(event, open);
        }
    }

    private void encodeRun(RunEvent event, OpenParts open) {
        boolean ofRoot = event.runId().equals(root);
        switch (event) {
            case RunEvent.RunFinish finish -> {
                if (ofRoot) {
                    finish(finish);
                } else {
                    sendAll(open.close());
                    subAgents.end(finish).ifPresent(this::send);
                }
            }
            case RunEvent.RunSuspend suspend -> {
                if (ofRoot && gate.isOpen() && past > 0) {
                    past--; // it was answered
                    sendAll(open.close());
                } else if (ofRoot && gate.isOpen()) {
                    suspend(suspend);
                } else {
                    sendAll(open.close());
                }
            }
            case RunEvent.RunReleased ignored -> frames.addAll(released());
            case RunEvent.RunStart start -> subAgents.start(start).ifPresent(this::send);
            case RunEvent.RunResume ignored -> {}
            case RunEvent.Error ignored -> {} // the end of the run says it
            case RunEvent.Abort ignored -> {}
            default -> custom(event, open);
        }
    }

    private void result(OpenParts open, String callId, String content) {
        Map<String, Object> fields = open.event("TOOL_CALL_RESULT", "toolCallId", callId);
        fields.put("messageId", "result-" + callId);
        fields.put("content", content);
        fields.put("role", "tool");
        send(fields);
    }

    private void suspend(RunEvent.RunSuspend suspend) {
        List<Map<String, Object>> interrupts = suspend.pending().stream()
                .filter(call -> !call.isExternal()) // the client executes it without being asked
                .map(call -> Interrupt.of(call, root))
                .toList();
        for (RunId child : subAgents.innerFirst()) {
            sendAll(partsOf(child).close());
            Map<String, Object> outcome = new HashMap<>();
            outcome.put("type", "suspended");
            outcome.put(
                    "interruptIds",
                    interrupts.stream()
                            .filter(each -> child.value().equals(each.get("subagentRunId")))
                            .map(each -> each.get("id"))
                            .toList());
            send(Map.of("type", "SUBAGENT_FINISHED", "subagentRunId", child.value(), "outcome", outcome));
        }
        sendAll(partsOf(root).close());
        Map<String, Object> fields = end(suspend.totalUsage());
        if (!interrupts.isEmpty()) {
            fields.put("outcome", Map.of("type", "interrupt", "interrupts", interrupts));
        }
        finish(fields);
    }

    private void finish(RunEvent.RunFinish finish) {
        if (finish.stopReason() instanceof StopReason.Failed failed) {
            fail(Outcome.message(failed), failed.error());
            return;
        }
        for (RunId child : subAgents.innerFirst()) {
            sendAll(partsOf(child).close());
            send(Map.of("type", "SUBAGENT_ERROR", "subagentRunId", child.value(), "message", "The run has ended."));
        }
        sendAll(partsOf(root).close());
        Map<String, Object> fields = end(finish.totalUsage());
        if (finish.stopReason() instanceof StopReason.Cancelled) {
            fields.put("outcome", Map.of("type", "cancelled"));
        } else {
            fields.put("outcome", Map.of("type", "success"));
            fields.put(
                    "result",
                    Map.of(
                            "text",
                            finish.text(),
                            "stopReason",
                            finish.stopReason().code()));
        }
        finish(fields);
    }

    private Map<String, Object> end(Usage usage) {
        Map<String, Object> fields = new HashMap<>();
        fields.put("type", "RUN_FINISHED");
        fields.put("threadId", threadId);
        fields.put("runId", runId);
        fields.put(
                "usage",
                List.of(Map.of(
                        "inputTokens", usage.inputTokens(),
                        "outputTokens", usage.outputTokens(),
                        "totalTokens", usage.totalTokens(),
                        "reasoningTokens", usage.reasoningTokens(),
                        "cachedInputTokens", usage.cachedInputTokens())));
        return fields;
    }

    private void finish(Map<String, Object> fields) {
        if (!started) {
            frames.add(Frame.data(Map.of("type", "RUN_STARTED", "threadId", threadId, "runId", runId)));
        }
        frames.add(Frame.data(fields));
        done = true;
    }

    private void fail(String message, String code) {
        finish(Map.of("type", "RUN_ERROR", "message", message, "code", code));
    }

    @Override
    public List<Frame> released() {
        frames.clear();
        if (!done) {
            fail("This server executes the run no longer; another process continues it.", "run-released");
        }
        return List.copyOf(frames);
    }

    /** The client has one state, which a snapshot replaces, also one of a sub-agent: so only the object of the run itself is in it. */
    private void object(RunEvent event, @Nullable Json object, OpenParts open) {
        if (!event.runId().equals(root)) {
            custom(event, open);
        } else if (object != null) {
            send(open.event("STATE_SNAPSHOT", "snapshot", stateWith(object)));
        }
    }

    private Map<String, Object> stateWith(Json object) {
        Map<String, Object> snapshot = new LinkedHashMap<>(state);
        snapshot.put("object", object);
        return snapshot;
    }

    private void custom(RunEvent event, OpenParts open) {
        Map<String, Object> fields = open.event("CUSTOM", "name", event.type());
        fields.put("value", EventFields.of(event));
        send(fields);
    }

    private void sendAll(List<Map<String, Object>> events) {
        events.forEach(this::send);
    }

    private void send(Map<String, Object> fields) {
        if (gate.isOpen()) {
            frames.add(Frame.data(fields));
        }
    }
}
