package dev.chargehand.server.internal.wire.mastra;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.completion.ScorerResult;
import dev.chargehand.event.PrimitiveType;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.WorkflowEvent;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.server.internal.wire.AnswerGate;
import dev.chargehand.server.internal.wire.Encoder;
import dev.chargehand.server.internal.wire.EventFields;
import dev.chargehand.server.internal.wire.Frame;
import dev.chargehand.server.internal.wire.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Writes a network as chunks of Mastra's networks: of the names that events have in a network, and with their fields and those that its
 * client declares. An event of a chosen agent or workflow is a chunk in the payload of another.
 */
final class NetworkEncoder implements Encoder {

    private static final String FROM = "NETWORK";
    private static final int DEPTH_OF_CHOSEN = 2;

    private final RunId root;
    private final AnswerGate gate;
    private final List<Frame> frames = new ArrayList<>();
    private final NetworkPayloads payloads;
    private final NestedChunks nested = new NestedChunks();
    private final int past;
    private final int skipped;
    private int suspensions;
    private int sent;
    private boolean said;
    private boolean validating;
    private boolean done;

    /**
     * Make it.
     *
     * @param answered the calls that the request has answered; none if it has started the run
     * @param task what the network is to do; empty if that is not known
     */
    NetworkEncoder(RunId root, List<PendingApproval> answered, String task) {
        this(root, answered, task, 0, 0);
    }

    /** Make one that writes a run from its start again; see {@link MastraEncoder#observing}. */
    static NetworkEncoder observing(RunId root, String task, int past, int skipped) {
        return new NetworkEncoder(root, List.of(), task, past, skipped);
    }

    private NetworkEncoder(RunId root, List<PendingApproval> answered, String task, int past, int skipped) {
        this.root = root;
        this.payloads = new NetworkPayloads(task);
        this.gate = new AnswerGate(answered);
        this.past = past;
        this.skipped = skipped;
    }

    @Override
    public boolean isDone() {
        return done;
    }

    @Override
    public List<Frame> encode(RunEvent event) {
        frames.clear();
        if (!done && !gate.skips(event)) {
            var unused = gate.opens(event);
            if (event.runId().equals(root)) {
                payloads.note(event);
                encodeRoot(event);
            } else {
                if (event instanceof RunEvent.RunFinish finish && event.path().depth() == DEPTH_OF_CHOSEN) {
                    payloads.noteBelow(finish);
                }
                encodeNested(event);
            }
        }
        return List.copyOf(frames);
    }

    @Override
    public List<Frame> released() {
        frames.clear();
        if (!done) {
            fail("This server executes the run no longer; another process continues it.", "run-released");
        }
        return List.copyOf(frames);
    }

    private void encodeRoot(RunEvent event) {
        switch (event) {
            case RunEvent.ToolCallApproval approval -> waits(approval, approval.approval(), "approval");
            case RunEvent.ToolCallSuspended suspended -> waits(suspended, suspended.approval(), "suspended");
            case RunEvent.RunSuspend ignored -> {
                if (gate.isOpen() && ++suspensions > past) {
                    end();
                }
            }
            case RunEvent.RunFinish finish -> finish(finish);
            case RunEvent.RunReleased ignored -> frames.addAll(released());
            case RunEvent.Error ignored -> {} // the end of the run says it
            case RunEvent.Abort ignored -> {}
            case RunEvent.StreamResumed ignored -> {}
            case RunEvent.TextDelta delta -> {
                said = true;
                sendEvent(delta);
            }
            case RunEvent.ScoringStart start -> {
                validating = true;
                sendEvent(start);
            }
            case RunEvent.ScoringComplete complete -> {
                if (!validating) { // a reader may miss the start, and a stored run has none
                    List<String> scorers = complete.results().stream()
                            .map(ScorerResult::scorer)
                            .toList();
                    sendEvent(new RunEvent.ScoringStart(complete.origin(), scorers));
                }
                validating = false;
                sendEvent(complete);
            }
            case RunEvent.NetworkStepFinish finish -> {
                if (finish.primitiveType() == PrimitiveType.NONE && !said) { // a reader may miss it
                    say(finish.text());
                }
                said = false;
                sendEvent(finish);
            }
            default -> {
                String type = event.type();
                if (EventFields.isOfNetworks(event)) {
                    sendEvent(event);
                } else {
                    String name = type.startsWith("data-") ? type : "data-" + type;
                    add(Chunks.of(name, root, "data", EventFields.of(event)));
                }
            }
        }
    }

    private void sendEvent(RunEvent event) {
        send(event.type(), payloads.of(event));
    }

    /** The answer of the router itself, as its provisional events have it. */
    private void say(String text) {
        send("routing-agent-text-start", Map.of("runId", root.value()));
        send("routing-agent-text-delta", Map.of("runId", root.value(), "text", text));
        send("routing-agent-text-end", Map.of("runId", root.value()));
    }

    private void encodeNested(RunEvent event) {
        switch (event) {
            case RunEvent.ToolCallApproval approval -> waits(approval, approval.approval(), "approval");
            case RunEvent.ToolCallSuspended suspended -> waits(suspended, suspended.approval(), "suspended");
            case WorkflowEvent.WorkflowStepSuspended suspended -> {
                nested.of(suspended).forEach(this::sendNested);
                send("workflow-execution-suspended", payloads.waitingStep(suspended.approval()));
            }
            case RunEvent.RunSuspend ignored -> {} // the calls that wait have said it
            case RunEvent.RunResume ignored -> {}
            default -> nested.of(event).forEach(this::sendNested);
        }
    }

    private void sendNested(Map<String, Object> chunk) {
        String type = String.valueOf(chunk.get("type"));
        String outer = type.startsWith("workflow-") ? "workflow-execution-event-" : "agent-execution-event-";
        send(outer + type.replaceFirst("^workflow-", ""), chunk);
    }

    /** A call that waits is announced under the names of the client, which answers by the ids that it is given. */
    private void waits(RunEvent event, PendingApproval pending, String what) {
        String type = event.type();
        String kind = type.substring(0, type.indexOf("-event-"));
        send(kind + "-" + what, payloads.waiting(pending));
    }

    private void finish(RunEvent.RunFinish finish) {
        switch (finish.stopReason()) {
            case StopReason.Failed failed -> fail(Outcome.message(failed), failed.error());
            case StopReason.Cancelled ignored -> {
                send(
                        payloads.abortedKind() + "-abort",
                        payloads.aborted(finish.origin().path().toString()));
                end();
            }
            default -> end(); // the end of the network has said the rest
        }
    }

    private void fail(String message, String code) {
        add(chunk("error", Map.of("error", Map.of("message", message, "code", code))));
        end();
    }

    private void end() {
        frames.add(Frame.DONE);
        done = true;
    }

    private void send(String type, Map<String, ?> payload) {
        if (gate.isOpen()) {
            add(chunk(type, payload));
        }
    }

    private Map<String, Object> chunk(String type, Map<String, ?> payload) {
        Map<String, Object> chunk = Chunks.of(type, root, "payload", payload);
        chunk.put("from", FROM);
        return chunk;
    }

    private void add(Map<String, Object> chunk) {
        if ((gate.isOpen() || done) && ++sent > skipped) {
            frames.add(Frame.data(chunk));
        }
    }
}
