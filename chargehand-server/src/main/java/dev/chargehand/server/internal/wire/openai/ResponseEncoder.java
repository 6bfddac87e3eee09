package dev.chargehand.server.internal.wire.openai;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.ProblemException;
import dev.chargehand.server.internal.wire.AnswerGate;
import dev.chargehand.server.internal.wire.AnswerText;
import dev.chargehand.server.internal.wire.Encoder;
import dev.chargehand.server.internal.wire.ExternalCalls;
import dev.chargehand.server.internal.wire.FinishReasons;
import dev.chargehand.server.internal.wire.Frame;
import dev.chargehand.server.internal.wire.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes a run as a response. Each text of the root run is a message of the output.
 *
 * <p>The number of an event is the position of the last stored fact in the tree of runs, times 2^20, plus a counter. The end of a text is sent
 * with the fact that has the text. So the events of a response have the same numbers in every process and after a restart, except for parts
 * of texts, which a reader that continues does not need.
 */
final class ResponseEncoder implements Encoder {

    /** What the ids of responses start with; the id of the run follows. */
    static final String PREFIX = "resp_";

    private static final int COUNTER_BITS = 20;

    /** The numbers of what follows the reasoning of a step do not depend on the number of its parts. */
    private static final long REASONING_NUMBERS = 1 << 16;

    private final RunId root;
    private final String model;
    private final boolean background;
    private final AnswerText text;
    private final ReasoningText reasoning = new ReasoningText();
    private final AnswerGate gate;
    private final List<Map<String, ?>> output = new ArrayList<>();
    private final List<Frame> frames = new ArrayList<>();
    private String status = "queued";
    private long created;
    private @Nullable Long completed;
    private long position;
    private long counter;
    private long skipped = -1;
    private int past;
    private Map<String, ?> repeated = Map.of();
    private boolean itemOpen;
    private int reasoningOpen;
    private int reasoningClosed;
    private boolean done;
    private @Nullable Usage usage;
    private @Nullable String incomplete;
    private @Nullable ProblemException problem;

    /**
     * Make it.
     *
     * @param model the name of the model as the client sent it
     * @param timing when the text is sent
     * @param answered the calls whose results the request has; none if it has started the run, or reads all of it
     */
    ResponseEncoder(
            RunId root, String model, boolean background, AnswerText.Timing timing, List<PendingApproval> answered) {
        this.gate = new AnswerGate(answered);
        this.root = root;
        this.model = model;
        this.background = background;
        this.text = new AnswerText(timing);
    }

    /** Send only what follows an event. */
    void skipTo(long number) {
        skipped = number;
    }

    /** Repeat fields that the request has sent, or that a run that is read again has stored of it. */
    ResponseEncoder repeating(Map<String, ?> fields) {
        repeated = fields;
        return this;
    }

    /** Set when the response was made, for one that is answered before it has started. */
    ResponseEncoder madeAt(Instant time) {
        created = time.getEpochSecond();
        return this;
    }

    /** Pass so many times at which the run has waited and has continued since. */
    ResponseEncoder past(int suspensions) {
        past = suspensions;
        return this;
    }

    /** Return why the run has no result; empty if it has one, or has not ended. */
    Optional<ProblemException> problem() {
        return Optional.ofNullable(problem);
    }

    /** Note that the run was cancelled just now. */
    void cancelled() {
        status = "cancelled";
    }

    @Override
    public boolean isDone() {
        return done;
    }

    @Override
    public List<Frame> encode(RunEvent event) {
        frames.clear();
        if (gate.opens(event)) { // by an answer to a nested run too
            start();
        }
        if (done || gate.skips(event) || !event.runId().equals(root)) {
            return List.copyOf(frames);
        }
        event.origin().id().filter(id -> id.position() > position).ifPresent(id -> {
            position = id.position();
            counter = 0;
        });
        if (event instanceof RunEvent.RunStart start) {
            created = start.time().getEpochSecond();
        }
        if (!gate.isOpen()) {
            var unused = text.next(event); // the client has it
            unused = reasoning.next(event);
            return List.of();
        }
        switch (event) {
            case RunEvent.RunStart ignored -> start();
            case RunEvent.RunResume ignored -> sendStatus("response.in_progress", "in_progress");
            case RunEvent.UsageReport ignored -> closeItem("completed");
            case RunEvent.StepFinish finish -> // one with an id has its answer in the store
                closeItem(finish.origin().id().isPresent() ? "completed" : "incomplete");
            default -> {}
        }
        reasoning.next(event).ifPresent(this::sendReasoning);
        int before = text.number();
        boolean failed =
                event instanceof RunEvent.RunFinish && Outcome.problem(event).isPresent();
        Optional<String> more = failed ? Optional.empty() : text.next(event);
        more.ifPresent(part -> {
            if (text.number() > before) {
                openItem();
            }
            send("response.output_text.delta", item(Map.of("delta", part, "logprobs", List.of())));
            if (event instanceof RunEvent.StepStart) { // that of the step before, which was held back
                closeItem("completed");
            }
        });
        if (text.isVoid()) {
            fail(Problem.RUN_FAILED
                    .of("The answer of the model was interrupted, and what was sent of it is not its text.")
                    .with("error", "answer-interrupted")
                    .with("runId", root.value()));
        } else if (event instanceof RunEvent.RunSuspend suspend && past > 0) {
            past--;
            closeItem("completed");
            ExternalCalls.of(suspend).forEach(this::call);
        } else if (Outcome.isLast(event)) {
            end(event);
        }
        return List.copyOf(frames);
    }

    private void start() {
        status = "in_progress";
        send("response.created", Map.of("response", response()));
        send("response.in_progress", Map.of("response", response()));
    }

    private void sendStatus(String type, String newStatus) {
        status = newStatus;
        send(type, Map.of("response", response()));
    }

    private String itemId() {
        return "msg_" + root.value() + "_" + text.number();
    }

    private void openItem() {
        closeItem("completed");
        itemOpen = true;
        send("response.output_item.added", Map.of("output_index", output.size(), "item", message("in_progress", null)));
        send("response.content_part.added", item(Map.of("part", ResponseFields.part(""))));
    }

    /** What a step has thought is an item before its text; what arrives after that item is not sent. */
    private void sendReasoning(String part) {
        int number = reasoning.number();
        if (number == reasoningClosed || itemOpen) {
            return;
        }
        if (reasoningOpen != number) {
            reasoningOpen = number;
            send(
                    "response.output_item.added",
                    Map.of(
                            "output_index",
                            output.size(),
                            "item",
                            ReasoningText.item(reasoningId(), List.of(), "in_progress")));
            send("response.reasoning_summary_part.added", summary(Map.of("part", ReasoningText.part(""))));
        }
        send("response.reasoning_summary_text.delta", summary(Map.of("delta", part)));
    }

    private void closeReasoning(String newStatus) {
        if (reasoningOpen > reasoningClosed) {
            reasoningClosed = reasoningOpen;
            String all = reasoning.sent();
            send("response.reasoning_summary_text.done", summary(Map.of("text", all)));
            send("response.reasoning_summary_part.done", summary(Map.of("part", ReasoningText.part(all))));
            Map<String, ?> item = ReasoningText.item(reasoningId(), List.of(ReasoningText.part(all)), newStatus);
            send("response.output_item.done", Map.of("output_index", output.size(), "item", item));
            output.add(item);
            counter = (counter / REASONING_NUMBERS + 1) * REASONING_NUMBERS;
        }
    }

    private String reasoningId() {
        return "rs_" + root.value() + "_" + reasoningOpen;
    }

    private Map<String, Object> summary(Map<String, ?> more) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("item_id", reasoningId());
        fields.put("output_index", output.size());
        fields.put("summary_index", 0);
        fields.putAll(more);
        return fields;
    }

    private void closeItem(String newStatus) {
        closeReasoning(newStatus);
        if (itemOpen) {
            itemOpen = false;
            String all = text.sent();
            send("response.output_text.done", item(Map.of("text", all, "logprobs", List.of())));
            send("response.content_part.done", item(Map.of("part", ResponseFields.part(all))));
            Map<String, ?> message = message(newStatus, all);
            send("response.output_item.done", Map.of("output_index", output.size(), "item", message));
            output.add(message);
        }
    }

    private Map<String, Object> item(Map<String, ?> more) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("item_id", itemId());
        fields.put("output_index", output.size());
        fields.put("content_index", 0);
        fields.putAll(more);
        return fields;
    }

    private Map<String, ?> message(String newStatus, @Nullable String all) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", itemId());
        fields.put("type", "message");
        fields.put("status", newStatus);
        fields.put("role", "assistant");
        fields.put("content", all == null ? List.of() : List.of(ResponseFields.part(all)));
        return fields;
    }

    private void end(RunEvent event) {
        completed = event.time().getEpochSecond();
        Optional<ProblemException> found = Outcome.problem(event);
        switch (event) {
            case RunEvent.RunFinish finish -> {
                usage = finish.totalUsage();
                if (found.isPresent()) {
                    fail(found.get());
                    status = finish.stopReason() instanceof StopReason.Cancelled ? "cancelled" : "failed";
                } else {
                    finish(FinishReasons.of(finish.stopReason()));
                }
            }
            case RunEvent.RunSuspend suspend -> {
                usage = suspend.totalUsage();
                if (ExternalCalls.areIn(suspend)) {
                    closeItem("completed");
                    ExternalCalls.of(suspend).forEach(this::call);
                    sendStatus("response.completed", "completed");
                } else {
                    problem = found.orElseThrow();
                    incomplete("suspended");
                }
            }
            default -> frames.addAll(released());
        }
        done = true;
    }

    /** The client executes a call, and gives its result in its next request. */
    private void call(PendingApproval call) {
        String id = "fc_" + call.callId();
        if (output.stream().anyMatch(item -> id.equals(item.get("id")))) {
            return; // it has waited before
        }
        Map<String, Object> item = new LinkedHashMap<>();
        item.put("id", id);
        item.put("type", "function_call");
        item.put("status", "in_progress");
        item.put("call_id", Outcome.waitingId(call));
        item.put("name", call.toolName());
        item.put("arguments", "");
        send("response.output_item.added", Map.of("output_index", output.size(), "item", Map.copyOf(item)));
        Map<String, Object> part = Map.of("item_id", id, "output_index", output.size());
        String arguments = call.arguments().text();
        send("response.function_call_arguments.delta", ResponseFields.with(part, "delta", arguments));
        send("response.function_call_arguments.done", ResponseFields.with(part, "arguments", arguments));
        item.put("status", "completed");
        item.put("arguments", arguments);
        send("response.output_item.done", Map.of("output_index", output.size(), "item", item));
        output.add(item);
    }

    private void finish(String reason) {
        if (reason.equals("stop")) {
            closeItem("completed");
            sendStatus("response.completed", "completed");
        } else {
            incomplete(reason.equals("length") ? "max_output_tokens" : "content_filter");
        }
    }

    private void incomplete(String reason) {
        closeItem("incomplete");
        incomplete = reason;
        sendStatus("response.incomplete", "incomplete");
    }

    private void fail(ProblemException found) {
        if (status.equals("queued")) { // the stream has ended before the run has started, or was answered
            start();
        }
        done = true;
        problem = found;
        closeItem("incomplete");
        sendStatus("response.failed", "failed");
    }

    /** A reader of a run that is read again later is sent no end of it. */
    @Override
    public List<Frame> released() {
        frames.clear();
        if (!done && !background) {
            fail(Outcome.released(root));
        }
        done = true;
        return List.copyOf(frames);
    }

    private void send(String type, Map<String, ?> more) {
        long number = (position << COUNTER_BITS) + Math.min(counter++, (1 << COUNTER_BITS) - 1);
        if (number > skipped) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("type", type);
            fields.put("sequence_number", number);
            fields.putAll(more);
            frames.add(Frame.event(type, fields));
        }
    }

    /** Return the response as it is now. */
    Map<String, @Nullable Object> response() {
        Map<String, @Nullable Object> fields = ResponseFields.unset();
        fields.put("id", PREFIX + root.value());
        fields.put("created_at", created);
        fields.put("completed_at", status.equals("completed") ? completed : null);
        fields.put("status", status);
        fields.put("background", background);
        fields.put("error", problem == null || status.equals("cancelled") ? null : ResponseFields.error(problem));
        fields.put("incomplete_details", incomplete == null ? null : Map.of("reason", incomplete));
        fields.put("model", model);
        fields.put("output", List.copyOf(output));
        fields.put("usage", usage == null ? null : Counts.ofResponse(usage));
        fields.putAll(repeated);
        if ((PREFIX + root.value()).equals(fields.get("previous_response_id"))) {
            fields.put("previous_response_id", null); // the run continues with the results of its calls
        }
        return fields;
    }
}
