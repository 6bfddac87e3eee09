package dev.chargehand.server.internal.wire.mastra;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.event.BackgroundTaskEvent;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.WorkflowEvent;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.server.internal.wire.AnswerGate;
import dev.chargehand.server.internal.wire.CallArguments;
import dev.chargehand.server.internal.wire.Encoder;
import dev.chargehand.server.internal.wire.EventFields;
import dev.chargehand.server.internal.wire.ExternalCalls;
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
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes a run as chunks of Mastra. A chunk of a nested run is the output of the call that delegated to it, in one envelope for each level.
 * Its client cannot take text back.
 */
final class MastraEncoder implements Encoder {

    /** How many waits are past for a stream that ends at none. */
    static final int ALL_WAITS = Integer.MAX_VALUE;

    private final RunId root;
    private final AnswerGate gate;
    private final RootCalls callers;
    private final List<Frame> frames = new ArrayList<>();
    private final TextChunks texts;
    private final NestedChunks nested = new NestedChunks();
    private final Map<RunId, Integer> mostSteps = new HashMap<>();
    private final Map<String, RunEvent.ToolCall> calls = new LinkedHashMap<>();
    private final CallArguments arguments = new CallArguments();
    private final Set<String> denied = new HashSet<>();
    private final Set<String> shown = new HashSet<>();
    private final ExternalCalls external = new ExternalCalls();
    private final Set<String> executed;
    private final int past;
    private final int skipped;
    private int suspensions;
    private int sent;
    private boolean done;
    private Usage used = Usage.NONE;
    private @Nullable RunEvent last;
    private final AnswerLog log;
    private @Nullable Json object;

    /**
     * Make it.
     *
     * @param answered the calls that the request has answered; none if it has started the run
     * @param asked the messages of the request; none if it continues a run
     */
    MastraEncoder(RunId root, List<PendingApproval> answered, List<Message> asked) {
        this(root, answered, asked, Set.of(), 0, 0);
    }

    /**
     * Make one that writes a run from its start again.
     *
     * @param past how often the run has waited for answers, after which it continued
     * @param skipped how many chunks the client has
     */
    static MastraEncoder observing(RunId root, int past, int skipped) {
        return new MastraEncoder(root, List.of(), List.of(), Set.of(), past, skipped);
    }

    /** Make one that writes a run in the stream of its thread: after it has waited too, without calls that the client has executed before, and would again. */
    static MastraEncoder inThread(RunId root, Set<String> executed) {
        return new MastraEncoder(root, List.of(), List.of(), executed, ALL_WAITS, 0);
    }

    private MastraEncoder(
            RunId root,
            List<PendingApproval> answered,
            List<Message> asked,
            Set<String> executed,
            int past,
            int skipped) {
        this.root = root;
        this.log = new AnswerLog(root, asked);
        this.executed = executed;
        this.past = past;
        this.skipped = skipped;
        this.gate = new AnswerGate(answered);
        this.texts = new TextChunks(gate, this::send);
        this.callers = new RootCalls(root);
    }

    /** Return the last event of the run; null if there was none yet. */
    @Nullable
    RunEvent last() {
        return last;
    }

    /** Return the calls that the model of the root run has made. */
    List<Map<String, Object>> calls() {
        return calls.values().stream()
                .filter(call -> call.runId().equals(root))
                .map(call -> Chunks.of("tool-call", root, "payload", Chunks.payload(call)))
                .toList();
    }

    /** Return the fields of a whole answer that come from its steps. */
    Map<String, Object> answer() {
        return log.fields(Optional.ofNullable(object));
    }

    @Override
    public boolean isDone() {
        return done;
    }

    @Override
    public List<Frame> encode(RunEvent event) {
        frames.clear();
        if (!done && !gate.skips(event)) {
            callers.note(event);
            external.note(event);
            if (event instanceof RunEvent.ToolCall call) {
                calls.put(call.callId(), call);
            } else if (event instanceof RunEvent.StepRetry || event instanceof RunEvent.Tripwire) {
                arguments.resume(); // the calls of the next attempt have the same ids
            }
            var unused = gate.opens(event);
            repeatCall(event);
            if (event.runId().equals(root)) {
                log.note(event);
            }
            if (callers.isOfWorkflow(event.runId())) {
                encodeOfWorkflow(event);
                return List.copyOf(frames);
            }
            text(event);
            if (!done) {
                encodeStep(event);
            }
        }
        return List.copyOf(frames);
    }

    /** Its client takes what follows a call only if the same stream has the call. */
    private void repeatCall(RunEvent event) {
        String rootCall = callers.of(event.runId()).orElseGet(() -> Chunks.callOf(event));
        RunEvent.ToolCall call = calls.get(rootCall);
        boolean known = shown.contains(rootCall) || external.contains(rootCall);
        if (call != null && call.runId().equals(root) && !known) { // else the client has its result
            call(call);
        }
    }

    private void text(RunEvent event) {
        boolean ofRoot = event.runId().equals(root);
        texts.text(event).filter(part -> ofRoot).ifPresent(part -> log.say(event, part));
        if (ofRoot && texts.isVoid(root)) {
            fail(
                    "The answer of the model was interrupted, and what was sent of it is not its text.",
                    "answer-interrupted");
        }
    }

    /** What a workflow does is the output of the call that has started it. */
    private void encodeOfWorkflow(RunEvent event) {
        if (event instanceof RunEvent.RunSuspend || event instanceof RunEvent.RunResume) {
            return; // what waits has said it
        }
        nested.of(event).forEach(chunk -> sendChunk(event.runId(), chunk));
        switch (event) {
            case RunEvent.ToolCallApproval approval -> askAtRoot(event, approval.approval());
            case RunEvent.ToolCallSuspended suspended -> askAtRoot(event, suspended.approval());
            case WorkflowEvent.WorkflowStepSuspended suspended -> askAtRoot(event, suspended.approval());
            default -> {}
        }
    }

    private void encodeStep(RunEvent event) {
        switch (event) {
            case RunEvent.RunStart start ->
                send(start, "start", Map.of("id", start.agentId(), "messageId", messageId(start)));
            case RunEvent.StepStart start ->
                send(start, "step-start", Map.of("messageId", messageId(start), "request", Map.of()));
            case RunEvent.StepFinish finish -> send(finish, "step-finish", Chunks.stepFinish(finish));
            case RunEvent.TextStart ignored -> {}
            case RunEvent.TextDelta ignored -> {}
            case RunEvent.TextEnd ignored -> {} // the fact that has the text closes it
            case RunEvent.ReasoningStart start -> texts.reasoning(start);
            case RunEvent.ReasoningDelta delta -> texts.reasoning(delta);
            case RunEvent.ReasoningEnd end -> texts.reasoning(end);
            case RunEvent.StreamResumed ignored -> arguments.resume();
            case RunEvent.PartialObject part -> object(part, "object", part.object());
            case RunEvent.ObjectResult result -> object(result, "object-result", result.object());
            default -> encodeCall(event);
        }
    }

    private void encodeCall(RunEvent event) {
        switch (event) {
            case RunEvent.ToolCall call -> {
                if (executed.contains(call.callId())) {
                    return;
                }
                String rest = arguments.rest(call); // its client takes the arguments that were streamed
                if (!rest.isEmpty()) {
                    sendArguments(call, call.callId(), rest);
                }
                call(call);
            }
            case RunEvent.ToolResult result -> {
                if (!external.contains(result.callId())) { // else it is of the client
                    send(result, "tool-result", Chunks.payload(result, calls.get(result.callId())));
                }
            }
            case RunEvent.ToolError error -> {
                boolean known = !external.contains(error.callId()) || shown.contains(error.callId());
                if (known && !denied.contains(error.callId())) { // a denial is sent once
                    send(error, "tool-error", Chunks.error(error, calls.get(error.callId())));
                }
            }
            case RunEvent.ToolOutputDenied denial -> {
                denied.add(denial.callId());
                send(denial, "tool-output-denied", Chunks.denied(denial, calls.get(denial.callId())));
            }
            case RunEvent.ToolCallApproval approval -> waits(approval, approval.approval());
            case RunEvent.ToolCallSuspended suspended -> waits(suspended, suspended.approval());
            case RunEvent.ToolCallInputStart start -> {
                if (arguments.starts(start)) {
                    send(start, "tool-call-input-streaming-start", Chunks.ofCall(start.callId(), start.toolName()));
                }
            }
            case RunEvent.ToolCallDelta delta ->
                arguments.part(delta).ifPresent(part -> sendArguments(delta, delta.callId(), part));
            case RunEvent.ToolCallInputEnd end ->
                send(end, "tool-call-input-streaming-end", Map.of("toolCallId", end.callId()));
            default -> encodeEnd(event);
        }
    }

    private void encodeEnd(RunEvent event) {
        boolean ofRoot = event.runId().equals(root);
        switch (event) {
            case RunEvent.RunFinish finish -> finish(finish, ofRoot);
            case RunEvent.RunSuspend suspend -> {
                if (ofRoot && past == ALL_WAITS && ExternalCalls.areIn(suspend, executed)) {
                    sendFinish(suspend, "tool-calls", suspend.totalUsage(), "suspended");
                } else if (ofRoot && gate.isOpen() && ++suspensions > past) {
                    last = suspend;
                    done = true;
                    if (ExternalCalls.areIn(suspend)) {
                        sendFinish(suspend, "tool-calls", suspend.totalUsage(), "suspended");
                    }
                    frames.add(Frame.DONE);
                }
            }
            case RunEvent.Tripwire blocked -> {
                if (!blocked.retry()) {
                    send(blocked, "tripwire", Chunks.tripwire(blocked));
                }
            }
            case RunEvent.IterationStart start -> {
                mostSteps.put(start.runId(), start.maxSteps());
                data(start);
            }
            case RunEvent.ScoringComplete end ->
                send(end, "is-task-complete", Chunks.scored(end, mostSteps.getOrDefault(end.runId(), 0)));
            case BackgroundTaskEvent.BackgroundTaskStarted start ->
                send(start, "background-task-started", Chunks.task(start, calls.get(start.callId())));
            case RunEvent.RunReleased ignored -> frames.addAll(released());
            case RunEvent.RunResume ignored -> {}
            case RunEvent.Error ignored -> {} // the end of the run says it
            case RunEvent.Abort ignored -> {}
            default -> data(event);
        }
    }

    private void sendArguments(RunEvent event, String callId, String part) {
        Map<String, Object> payload = new LinkedHashMap<>();
        payload.put("toolCallId", callId);
        payload.put("argsTextDelta", part);
        send(event, "tool-call-delta", payload);
    }

    private static String messageId(RunEvent event) {
        return "msg_" + event.runId().value();
    }

    private void call(RunEvent.ToolCall call) {
        if (gate.isOpen()) {
            shown.add(call.callId());
        }
        send(call, "tool-call", Chunks.payload(call));
    }

    /** A call of a nested run is sent in its envelope, and for the root run with the call that delegated to it. */
    private void waits(RunEvent event, PendingApproval pending) {
        if (pending.isExternal()) {
            return; // the call itself says it
        }
        send(event, Chunks.waitingType(pending), Chunks.waiting(pending, pending.callId()));
        askAtRoot(event, pending);
    }

    private void askAtRoot(RunEvent event, PendingApproval pending) {
        if (gate.isOpen() && !event.runId().equals(root) && !pending.isExternal()) {
            String call = callers.of(event.runId()).orElse(pending.callId());
            addChunk(Chunks.of(Chunks.waitingType(pending), root, "payload", Chunks.waiting(pending, call)));
        }
    }

    private void finish(RunEvent.RunFinish finish, boolean ofRoot) {
        if (finish.stopReason() instanceof StopReason.Failed failed) {
            if (ofRoot) {
                last = finish;
                used = finish.totalUsage();
                fail(Outcome.message(failed), failed.error());
            }
            return;
        }
        if (ofRoot) {
            last = finish;
        }
        if (finish.stopReason() instanceof StopReason.Cancelled) {
            send(finish, "abort", Map.of());
        } else {
            String reason = FinishReasons.of(finish.stopReason());
            sendFinish(finish, reason, finish.totalUsage(), finish.stopReason().code());
        }
        if (ofRoot) {
            done = true;
            frames.add(Frame.DONE);
        }
    }

    private void sendFinish(RunEvent event, String reason, Usage usage, String stopReason) {
        Map<String, Object> messages = event.runId().equals(root) ? log.messages() : AnswerLog.NO_MESSAGES;
        send(event, "finish", Chunks.finish(event.runId(), reason, usage, stopReason, messages));
    }

    private void fail(String message, String code) {
        addChunk(Chunks.of("error", root, "payload", Map.of("error", Map.of("message", message, "code", code))));
        addChunk(Chunks.of("finish", root, "payload", Chunks.finish(root, "error", used, code, log.messages())));
        frames.add(Frame.DONE);
        done = true;
    }

    @Override
    public List<Frame> released() {
        frames.clear();
        if (!done) {
            fail("This server executes the run no longer; another process continues it.", "run-released");
        }
        return List.copyOf(frames);
    }

    private void object(RunEvent event, String type, @Nullable Json value) {
        if (value != null) {
            object = event.runId().equals(root) ? value : object;
            sendChunk(event.runId(), Chunks.of(type, event.runId(), "object", value));
        }
    }

    private void data(RunEvent event) {
        String type = event.type();
        String name = type.startsWith("data-") ? type : "data-" + type;
        sendChunk(event.runId(), Chunks.of(name, event.runId(), "data", EventFields.of(event)));
    }

    private void send(RunEvent event, String type, Map<String, ?> payload) {
        sendChunk(event.runId(), Chunks.of(type, event.runId(), "payload", payload));
    }

    /** Send a chunk of a run in the envelopes of the calls that lead to it, if they are known. */
    private void sendChunk(RunId run, Map<String, Object> chunk) {
        if (gate.isOpen() && (run.equals(root) || callers.of(run).isPresent())) {
            addChunk(Chunks.enclosed(chunk, callers.chain(run), calls));
        }
    }

    private void addChunk(Map<String, Object> chunk) {
        if (++sent > skipped) {
            frames.add(Frame.data(chunk));
        }
    }
}
