package dev.chargehand.server.internal.wire.aisdk;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.WorkflowEvent;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.server.internal.wire.AnswerGate;
import dev.chargehand.server.internal.wire.Encoder;
import dev.chargehand.server.internal.wire.EventFields;
import dev.chargehand.server.internal.wire.FinishReasons;
import dev.chargehand.server.internal.wire.Frame;
import dev.chargehand.server.internal.wire.Outcome;
import dev.chargehand.server.internal.wire.RootCalls;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes a run as the chunks of one message of the AI SDK. Parts of the message are those of the root run; what nested runs do is sent in
 * transient parts. Only types that the client knows are sent, since an unknown one makes it discard the message.
 */
final class AiSdkEncoder implements Encoder {

    /** What the ids of messages start with; the id of the run follows. */
    static final String PREFIX = "msg_";

    /**
     * From where a message is written.
     *
     * @param suspensions how many suspensions of the run are past
     * @param answers the calls of which the first answer starts the stream; none for a message from its first event
     */
    record From(int suspensions, List<PendingApproval> answers) {

        /** A message from its first event. */
        static final From START = new From(0, List.of());
    }

    private final RunId root;
    private final Set<String> externalTools;
    private final From from;
    private final RootCalls calls;
    private final AnswerGate gate;
    private final List<Frame> frames = new ArrayList<>();
    private final OpenTexts texts = new OpenTexts(this::send);
    private final Set<String> started = new HashSet<>();
    private final Set<String> denied = new HashSet<>();
    private final Map<String, PendingApproval> asked = new LinkedHashMap<>();
    private final Map<String, Map<String, Object>> inputs = new HashMap<>();
    private final StringBuilder text = new StringBuilder();
    private int suspensions;
    private boolean stepOpen;
    private boolean answered;
    private boolean done;

    /**
     * Make it.
     *
     * @param external the names of the tools that the client executes
     */
    AiSdkEncoder(RunId root, From from, Set<String> external) {
        this.externalTools = Set.copyOf(external);
        this.root = root;
        this.from = from;
        this.calls = new RootCalls(root);
        this.gate = new AnswerGate(from.answers());
    }

    @Override
    public boolean isDone() {
        return done;
    }

    @Override
    public List<Frame> encode(RunEvent event) {
        frames.clear();
        if (!done && !gate.skips(event)) {
            calls.note(event);
            if (gate.opens(event)) {
                stepOpen = false; // the stream before has ended it
                start();
            }
            if (event.runId().equals(root)) {
                encodeRoot(event);
            } else {
                encodeNested(event);
            }
        }
        return List.copyOf(frames);
    }

    @Override
    public List<Frame> released() {
        frames.clear();
        if (!done) {
            fail("This server executes the run no longer. Open its stream again.");
        }
        return List.copyOf(frames);
    }

    private void encodeRoot(RunEvent event) {
        switch (event) {
            case RunEvent.RunStart ignored -> start();
            case RunEvent.StepStart ignored -> startStep();
            case RunEvent.StepFinish ignored -> finishStep();
            case RunEvent.RoutingAgentStart start -> {
                startStep();
                data(start);
            }
            case RunEvent.NetworkStepFinish finish -> {
                data(finish);
                finishStep();
            }
            case RunEvent.StepRetry ignored -> resetStep();
            case RunEvent.Tripwire tripwire -> trip(tripwire);
            case RunEvent.StreamResumed ignored -> {
                if (!answered) {
                    resetStep();
                }
            }
            case RunEvent.UsageReport ignored -> {
                answered = true;
                data(event);
            }
            case RunEvent.TextStart start -> texts.open("text", start.textId());
            case RunEvent.TextDelta delta -> {
                text.append(delta.text());
                texts.add("text", delta.textId(), delta.text());
            }
            case RunEvent.TextEnd end -> texts.close(end.textId());
            case RunEvent.ReasoningStart start -> texts.open("reasoning", start.textId());
            case RunEvent.ReasoningDelta delta -> texts.add("reasoning", delta.textId(), delta.text());
            case RunEvent.ReasoningEnd end -> texts.close(end.textId());
            case RunEvent.PartialObject object -> object(object.object());
            case RunEvent.ObjectResult result -> object(result.object());
            default -> encodeCall(event);
        }
    }

    private void encodeCall(RunEvent event) {
        switch (event) {
            case RunEvent.ToolCall call ->
                announce(call.callId(), call.toolName(), EventFields.arguments(call.arguments()));
            case RunEvent.ToolResult result -> {
                if (!externalTools.contains(result.toolName())) { // else it is of the client
                    send("tool-output-available", ofCall(result.callId(), "output", result.output()));
                }
            }
            case RunEvent.ToolError error -> {
                if (!denied.contains(error.callId())) { // a denial is sent once
                    send("tool-output-error", ofCall(error.callId(), "errorText", error.message()));
                }
            }
            case RunEvent.ToolOutputDenied denial -> {
                denied.add(denial.callId());
                send("tool-output-denied", Map.of("toolCallId", denial.callId()));
            }
            case RunEvent.ToolCallApproval approval -> ask(approval.approval().callId(), approval.approval());
            case RunEvent.ToolCallSuspended suspended -> waits(suspended.approval());
            case RunEvent.ToolCallAnswered answer -> answered(answer.callId(), answer);
            case RunEvent.DelegationStart start -> {
                String call = start.call().callId();
                if (start.origin().network() && !started.contains(call)) { // no event of the call precedes it
                    announce(call, "agent-" + start.call().agentId(), Json.of(Map.of("prompt", start.prompt())));
                }
                data(start);
            }
            case RunEvent.DelegationEnd end -> {
                if (end.origin().network()) {
                    send("tool-output-available", ofCall(end.call().callId(), "output", outcome(end)));
                }
                Map<String, Json> fields = EventFields.of(end);
                send("data-delegation", Map.of("id", end.call().childRunId().value(), "data", fields));
            }
            default -> encodeEnd(event);
        }
    }

    private void encodeEnd(RunEvent event) {
        switch (event) {
            case RunEvent.RunSuspend suspend -> suspend(suspend);
            case RunEvent.RunFinish finish -> finish(finish);
            case RunEvent.RunReleased ignored -> frames.addAll(released());
            case RunEvent.RunResume ignored -> {}
            case RunEvent.Error ignored -> {} // the end of the run says it
            case RunEvent.Abort ignored -> {}
            case RunEvent.ToolCallInputStart start -> startCall(start.callId(), start.toolName());
            case RunEvent.ToolCallDelta delta -> {
                if (started.contains(delta.callId())) {
                    send("tool-input-delta", Map.of("toolCallId", delta.callId(), "inputTextDelta", delta.fragment()));
                }
            }
            case RunEvent.ToolCallInputEnd ignored -> {} // the call follows
            default -> data(event);
        }
    }

    private void encodeNested(RunEvent event) {
        switch (event) {
            case RunEvent.ToolCallApproval ask -> calls.of(event.runId()).ifPresent(call -> ask(call, ask.approval()));
            case RunEvent.ToolCallSuspended suspended -> waits(suspended.approval());
            case WorkflowEvent.WorkflowStepSuspended suspended -> waits(suspended.approval());
            case RunEvent.ToolCallAnswered answer ->
                answered(calls.of(event.runId()).orElse(""), answer);
            default -> {}
        }
        send("data-delegation-event", Map.of("data", EventFields.of(event), "transient", true));
    }

    private void start() {
        send("start", Map.of("messageId", PREFIX + root.value(), "messageMetadata", Map.of("runId", root.value())));
    }

    private void startStep() {
        if (!stepOpen) { // else it arrives again after a cut
            stepOpen = true;
            text.setLength(0);
            send("start-step", Map.of());
        }
        answered = false;
    }

    private void finishStep() {
        texts.closeAll();
        if (stepOpen) {
            stepOpen = false;
            send("finish-step", Map.of());
        }
    }

    private void trip(RunEvent.Tripwire tripwire) {
        if (tripwire.retry()) {
            resetStep();
        }
        data(tripwire);
    }

    /** What the step has sent so far is void. */
    private void resetStep() {
        texts.closeAll();
        text.setLength(0);
        started.clear();
        if (stepOpen) {
            send("reset-step", Map.of());
        }
    }

    private void startCall(String callId, String toolName) {
        if (started.add(callId)) {
            send("tool-input-start", announced(callId, toolName));
        }
    }

    private void announce(String callId, String toolName, Json input) {
        startCall(callId, toolName);
        Map<String, Object> fields = announced(callId, toolName);
        fields.put("input", input);
        inputs.put(callId, fields);
        send("tool-input-available", fields);
    }

    private static Json outcome(RunEvent.DelegationEnd end) {
        return Json.of(Map.of("text", end.text(), "stopReason", end.stopReason().code()));
    }

    /** Its client executes what the provider of the answer does not. */
    private Map<String, Object> announced(String callId, String toolName) {
        Map<String, Object> fields = new LinkedHashMap<>(ofCall(callId, "toolName", toolName));
        if (externalTools.contains(toolName)) {
            fields.remove("providerExecuted");
        }
        return fields;
    }

    private static Map<String, Object> ofCall(String id, String name, Object value) {
        return Map.of("toolCallId", id, "dynamic", true, "providerExecuted", true, name, value);
    }

    /** Ask on a part of the message. A part can ask one question at a time; others follow when the run is suspended again. */
    private void ask(String rootCall, PendingApproval approval) {
        if (asked.putIfAbsent(rootCall, approval) == null) {
            if (!started.contains(rootCall)) { // the delegation of a network waits
                announce(rootCall, approval.toolName(), approval.arguments());
            }
            send("tool-approval-request", Map.of("toolCallId", rootCall, "approvalId", Outcome.waitingId(approval)));
            send("data-tool-call-approval", WaitingData.part(approval));
        }
    }

    private void waits(PendingApproval approval) {
        if (WaitingData.isAsked(approval)) { // else its call says it
            send("data-tool-call-suspended", WaitingData.part(approval));
        }
    }

    private void answered(String rootCall, RunEvent.ToolCallAnswered answer) {
        PendingApproval before = asked.get(rootCall);
        if (before != null
                && before.runId().equals(answer.runId())
                && before.callId().equals(answer.callId())) {
            asked.remove(rootCall);
        }
        data(answer);
    }

    private void suspend(RunEvent.RunSuspend suspend) {
        suspensions++;
        boolean last = gate.isOpen() && suspensions > from.suspensions();
        if (last) {
            for (PendingApproval pending : suspend.pending()) {
                String rootCall = calls.of(pending.runId()).orElse(pending.callId());
                if (pending.kind() == PendingApproval.Kind.APPROVAL) {
                    ask(rootCall, pending);
                } else if (WaitingData.isAsked(pending)) {
                    askAgain(rootCall);
                }
            }
        }
        finishStep();
        if (last) {
            end("finish", Map.of("finishReason", "tool-calls", "messageMetadata", Map.of("runId", root.value())));
        }
    }

    /** The client may have given data for a call, as its output: then its part waits again. */
    private void askAgain(String rootCall) {
        Map<String, Object> input = inputs.get(rootCall);
        if (!from.answers().isEmpty() && input != null && !asked.containsKey(rootCall)) {
            send("tool-input-available", input);
        }
    }

    private void finish(RunEvent.RunFinish finish) {
        switch (finish.stopReason()) {
            case StopReason.Failed failed -> fail(Outcome.message(failed));
            case StopReason.Cancelled ignored -> end("abort", Map.of("reason", "The run was cancelled."));
            default -> {
                finishStep(); // one that a processor has blocked has no end of its own
                if (!finish.text().isEmpty() && !finish.text().contentEquals(text)) {
                    send("text-start", Map.of("id", "answer"));
                    send("text-delta", Map.of("id", "answer", "delta", finish.text()));
                    send("text-end", Map.of("id", "answer"));
                }
                String reason = FinishReasons.of(finish.stopReason());
                end("finish", Map.of("finishReason", reason, "messageMetadata", TokenCounts.metadata(finish)));
            }
        }
    }

    private void object(@Nullable Json object) {
        if (object != null) {
            send("data-object", Map.of("id", root.value(), "data", object));
        }
    }

    private void data(RunEvent event) {
        String type = event.type();
        boolean network = EventFields.isOfNetworks(event);
        String name = type.startsWith("data-") ? type : "data-" + type;
        Map<String, Object> fields = new LinkedHashMap<>(Map.of("data", EventFields.of(event)));
        if (network && event.origin().id().isPresent()) {
            fields.put("id", event.origin().id().get().toString());
        } else {
            fields.put("transient", true);
        }
        send(network ? "data-network" : name, fields);
    }

    private void fail(String message) {
        end("error", Map.of("errorText", message));
    }

    private void end(String type, Map<String, ?> fields) {
        addFrame(type, fields);
        frames.add(Frame.DONE);
        done = true;
    }

    private void send(String type, Map<String, ?> fields) {
        if (gate.isOpen()) {
            addFrame(type, fields);
        }
    }

    private void addFrame(String type, Map<String, ?> fields) {
        Map<String, Object> chunk = new LinkedHashMap<>();
        chunk.put("type", type);
        chunk.putAll(fields);
        frames.add(Frame.data(chunk));
    }
}
