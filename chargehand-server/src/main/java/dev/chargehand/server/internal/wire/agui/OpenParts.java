package dev.chargehand.server.internal.wire.agui;

import dev.chargehand.event.RunEvent;
import dev.chargehand.event.WorkflowEvent;
import dev.chargehand.server.internal.wire.AnswerText;
import dev.chargehand.server.internal.wire.CallArguments;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What one run of the tree has opened: a text, a reasoning, steps. Its events close in the order that the client demands. */
final class OpenParts {

    private final String runId;
    private final boolean root;
    private final Set<String> steps = new LinkedHashSet<>();
    private final Set<String> calls = new LinkedHashSet<>();
    private final CallArguments arguments = new CallArguments();
    final AnswerText text = new AnswerText(AnswerText.Timing.LIVE);
    private boolean isWorkflow;
    private @Nullable String message;
    private @Nullable String reasoning;
    private @Nullable String ofStep;
    private int reasonings;
    private int callers;

    OpenParts(String runId, boolean root) {
        this.runId = runId;
        this.root = root;
    }

    /** Return an event of the run. */
    Map<String, Object> event(String type) {
        Map<String, Object> fields = new HashMap<>();
        fields.put("type", type);
        if (!root) {
            fields.put("subagentRunId", runId);
        }
        return fields;
    }

    Map<String, Object> event(String type, String name, Object value) {
        Map<String, Object> fields = event(type);
        fields.put(name, value);
        return fields;
    }

    List<Map<String, Object>> startStep(int step) {
        String name = "step-" + step;
        return steps.add(name) ? List.of(event("STEP_STARTED", "stepName", name)) : List.of();
    }

    /** Return what an event adds to the text of the run. A workflow says nothing: its output is the result of its call. */
    List<Map<String, Object>> text(RunEvent event) {
        isWorkflow |= event instanceof WorkflowEvent.WorkflowStart;
        if (event instanceof RunEvent.StepStart) {
            ofStep = null;
        }
        List<Map<String, Object>> events = new ArrayList<>();
        Optional<String> said = isWorkflow ? Optional.empty() : text.next(event);
        said.ifPresent(part -> {
            String id = runId + "-" + text.number();
            if (!id.equals(message)) {
                events.addAll(closeText());
                message = id;
                ofStep = id;
                Map<String, Object> start = event("TEXT_MESSAGE_START", "messageId", id);
                start.put("role", "assistant");
                events.add(start);
            }
            Map<String, Object> content = event("TEXT_MESSAGE_CONTENT", "messageId", id);
            content.put("delta", part);
            events.add(content);
        });
        return events;
    }

    List<Map<String, Object>> closeText() {
        String id = message;
        message = null;
        return id == null ? List.of() : List.of(event("TEXT_MESSAGE_END", "messageId", id));
    }

    List<Map<String, Object>> reason(String part) {
        List<Map<String, Object>> events = new ArrayList<>();
        if (reasoning == null) {
            reasoning = runId + "-reasoning-" + ++reasonings;
            events.add(event("REASONING_START", "messageId", reasoning));
            Map<String, Object> start = event("REASONING_MESSAGE_START", "messageId", reasoning);
            start.put("role", "reasoning");
            events.add(start);
        }
        Map<String, Object> content = event("REASONING_MESSAGE_CONTENT", "messageId", reasoning);
        content.put("delta", part);
        events.add(content);
        return events;
    }

    List<Map<String, Object>> closeReasoning() {
        String id = reasoning;
        reasoning = null;
        return id == null
                ? List.of()
                : List.of(event("REASONING_MESSAGE_END", "messageId", id), event("REASONING_END", "messageId", id));
    }

    /** Return what an event adds to the calls of the run, whose arguments are sent as they arrive. */
    List<Map<String, Object>> calls(RunEvent event) {
        List<Map<String, Object>> events = new ArrayList<>();
        switch (event) {
            case RunEvent.ToolCallInputStart start -> {
                if (arguments.starts(start)) {
                    events.addAll(startCall(start.callId(), start.toolName()));
                }
            }
            case RunEvent.ToolCallDelta delta ->
                arguments.part(delta).ifPresent(part -> events.add(argumentsOf(delta.callId(), part)));
            case RunEvent.StreamResumed ignored -> arguments.resume();
            case RunEvent.StepRetry ignored -> arguments.resume(); // its calls have the same ids
            case RunEvent.Tripwire ignored -> arguments.resume();
            case RunEvent.ToolCall call -> {
                if (!arguments.hasStarted(call.callId())) {
                    events.addAll(startCall(call.callId(), call.toolName()));
                    events.add(argumentsOf(call.callId(), call.arguments()));
                } else if (calls.contains(call.callId())
                        && !arguments.rest(call).isEmpty()) {
                    events.add(argumentsOf(call.callId(), arguments.rest(call)));
                }
                if (calls.remove(call.callId())) {
                    events.add(event("TOOL_CALL_END", "toolCallId", call.callId()));
                }
            }
            default -> {}
        }
        return events;
    }

    private List<Map<String, Object>> startCall(String callId, String toolName) {
        List<Map<String, Object>> events = new ArrayList<>(closeReasoning());
        calls.add(callId);
        Map<String, Object> start = event("TOOL_CALL_START", "toolCallId", callId);
        start.put("toolCallName", toolName);
        if (ofStep == null) {
            ofStep = runId + "-calls-" + ++callers;
        }
        start.put("parentMessageId", ofStep); // all calls of a step are in one message, with its text
        events.add(start);
        return events;
    }

    private Map<String, Object> argumentsOf(String callId, String part) {
        Map<String, Object> fields = event("TOOL_CALL_ARGS", "toolCallId", callId);
        fields.put("delta", part);
        return fields;
    }

    private List<Map<String, Object>> closeCalls() {
        List<Map<String, Object>> events = calls.stream()
                .map(id -> event("TOOL_CALL_END", "toolCallId", id))
                .toList();
        calls.clear();
        return events;
    }

    /** Return what ends the parts of a step, and the step. */
    List<Map<String, Object>> close() {
        List<Map<String, Object>> events = new ArrayList<>(closeReasoning());
        events.addAll(closeText());
        events.addAll(closeCalls());
        steps.forEach(name -> events.add(event("STEP_FINISHED", "stepName", name)));
        steps.clear();
        return events;
    }
}
