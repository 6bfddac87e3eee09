package dev.chargehand.server.internal.wire.openai;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunId;
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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes a run as a chat completion: in chunks, or as a whole. Only the root run is written. */
final class ChatEncoder implements Encoder {

    /** What the ids of chat completions start with; the id of the run follows. */
    static final String PREFIX = "chatcmpl-";

    private final RunId root;
    private final String model;
    private final boolean includeUsage;
    private final AnswerText text;
    private final AnswerGate gate;
    private long created;
    private final StringBuilder content = new StringBuilder();
    private Map<String, String> metadata = Map.of();
    private int past;
    private boolean started;
    private boolean done;
    private @Nullable RunEvent last;

    /**
     * Make it.
     *
     * @param model the name of the model as the client sent it
     * @param includeUsage whether the stream ends with the numbers of tokens
     * @param timing when the text is sent
     * @param answered the calls whose results the request has; none if it has started the run
     */
    ChatEncoder(
            RunId root, String model, boolean includeUsage, AnswerText.Timing timing, List<PendingApproval> answered) {
        this.gate = new AnswerGate(answered);
        this.root = root;
        this.model = model;
        this.includeUsage = includeUsage;
        this.text = new AnswerText(timing);
    }

    /** Repeat the metadata of the request. */
    ChatEncoder repeating(Map<String, String> values) {
        metadata = values;
        return this;
    }

    /** Pass so many times at which the run has waited and has continued since: a chat completion has what follows. */
    ChatEncoder past(int suspensions) {
        past = suspensions;
        return this;
    }

    @Override
    public boolean isDone() {
        return done;
    }

    @Override
    public List<Frame> encode(RunEvent event) {
        boolean opens = gate.opens(event); // by an answer to a nested run too
        if (done || gate.skips(event) || !(event.runId().equals(root) || opens)) {
            return List.of();
        }
        if (!gate.isOpen()) {
            var unused = text.next(event); // the client has it
            return List.of();
        }
        List<Frame> frames = new ArrayList<>();
        if (!started) {
            started = true;
            created = event.time().getEpochSecond();
            frames.add(chunk(Map.of("role", "assistant", "content", ""), null));
        }
        if (event instanceof RunEvent.RunSuspend && past > 0) {
            past--;
            var unused = says(event);
            content.setLength(0);
            return List.of();
        }
        if (event instanceof RunEvent.RunSuspend suspend && ExternalCalls.areIn(suspend)) {
            frames.addAll(says(event));
            frames.addAll(asks(suspend));
            return frames;
        }
        Optional<ProblemException> problem = Outcome.problem(event);
        if (problem.isPresent()) {
            last = event;
            frames.addAll(fail(problem.get()));
            return frames;
        }
        frames.addAll(says(event));
        if (text.isVoid()) {
            frames.addAll(fail(broken()));
        } else if (event instanceof RunEvent.RunFinish finish) {
            last = finish;
            done = true;
            frames.addAll(end(finishReason(finish), finish.totalUsage()));
        }
        return frames;
    }

    private List<Frame> says(RunEvent event) {
        int before = text.number();
        return text.next(event).stream()
                .map(more -> {
                    String gap = !content.isEmpty() && text.number() > before ? "\n\n" : "";
                    content.append(gap).append(more);
                    return chunk(Map.of("content", gap + more), null);
                })
                .toList();
    }

    private List<Frame> end(String finishReason, Usage usage) {
        List<Frame> frames = new ArrayList<>(List.of(chunk(Map.of(), finishReason)));
        if (includeUsage) {
            Map<String, @Nullable Object> fields = fields("chat.completion.chunk");
            fields.put("choices", List.of());
            fields.put("usage", Counts.ofChat(usage));
            frames.add(Frame.data(fields));
        }
        frames.add(Frame.DONE);
        return frames;
    }

    /** The run waits for tools that the client executes. */
    private List<Frame> asks(RunEvent.RunSuspend suspend) {
        last = suspend;
        done = true;
        List<Frame> frames = new ArrayList<>();
        List<Map<String, Object>> calls = toolCalls(suspend);
        for (int i = 0; i < calls.size(); i++) {
            Map<String, Object> call = new LinkedHashMap<>(Map.of("index", i));
            call.putAll(calls.get(i));
            frames.add(chunk(Map.of("tool_calls", List.of(call)), null));
        }
        frames.addAll(end("tool_calls", suspend.totalUsage()));
        return frames;
    }

    private static List<Map<String, Object>> toolCalls(RunEvent.RunSuspend suspend) {
        return ExternalCalls.of(suspend).stream()
                .map(call -> Map.of(
                        "id",
                        Outcome.waitingId(call),
                        "type",
                        "function",
                        "function",
                        Map.of(
                                "name",
                                call.toolName(),
                                "arguments",
                                call.arguments().text())))
                .toList();
    }

    @Override
    public List<Frame> released() {
        return done ? List.of() : fail(Outcome.released(root));
    }

    private ProblemException broken() {
        return Problem.RUN_FAILED
                .of("The answer of the model was interrupted, and what was sent of it is not its text.")
                .with("error", "answer-interrupted")
                .with("runId", root.value());
    }

    private List<Frame> fail(ProblemException problem) {
        done = true;
        return List.of(Frame.data(Map.of("error", ErrorBody.of(problem))), Frame.DONE);
    }

    private Frame chunk(Map<String, ?> delta, @Nullable String finishReason) {
        Map<String, @Nullable Object> choice = new LinkedHashMap<>();
        choice.put("index", 0);
        choice.put("delta", delta);
        choice.put("logprobs", null);
        choice.put("finish_reason", finishReason);
        Map<String, @Nullable Object> fields = fields("chat.completion.chunk");
        fields.put("choices", List.of(choice));
        if (includeUsage) {
            fields.put("usage", null); // until the last chunk
        }
        return Frame.data(fields);
    }

    private Map<String, @Nullable Object> fields(String object) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("id", PREFIX + root.value());
        fields.put("object", object);
        fields.put("created", created);
        fields.put("model", model);
        return fields;
    }

    private static String finishReason(RunEvent.RunFinish finish) {
        return FinishReasons.of(finish.stopReason()).replace('-', '_');
    }

    /**
     * Return the whole completion, after the end.
     *
     * @throws ProblemException if the run has no result
     */
    Map<String, @Nullable Object> completion() {
        if (last instanceof RunEvent.RunSuspend suspend && ExternalCalls.areIn(suspend)) {
            String said = content.toString();
            Map<String, @Nullable Object> fields =
                    completion(said.isEmpty() ? null : said, toolCalls(suspend), "tool_calls");
            fields.put("usage", Counts.ofChat(suspend.totalUsage()));
            fields.put("metadata", metadata);
            return fields;
        }
        if (!(last instanceof RunEvent.RunFinish finish)) {
            throw last == null ? broken() : Outcome.problem(last).orElseThrow();
        }
        Outcome.problem(finish).ifPresent(problem -> {
            throw problem;
        });
        Map<String, @Nullable Object> fields = completion(finish.text(), List.of(), finishReason(finish));
        fields.put("usage", Counts.ofChat(finish.totalUsage()));
        Map<String, String> values = new LinkedHashMap<>(metadata);
        values.put("stop_reason", finish.stopReason().code());
        fields.put("metadata", values);
        return fields;
    }

    private Map<String, @Nullable Object> completion(
            @Nullable String said, List<Map<String, Object>> calls, String finishReason) {
        Map<String, @Nullable Object> message = new LinkedHashMap<>();
        message.put("role", "assistant");
        message.put("content", said);
        message.put("refusal", null);
        if (!calls.isEmpty()) {
            message.put("tool_calls", calls);
        }
        Map<String, @Nullable Object> choice = new LinkedHashMap<>();
        choice.put("index", 0);
        choice.put("message", message);
        choice.put("logprobs", null);
        choice.put("finish_reason", finishReason);
        Map<String, @Nullable Object> fields = fields("chat.completion");
        fields.put("choices", List.of(choice));
        return fields;
    }
}
