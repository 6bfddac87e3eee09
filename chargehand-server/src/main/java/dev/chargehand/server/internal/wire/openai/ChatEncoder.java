package dev.chargehand.server.internal.wire.openai;

import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunId;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.ProblemException;
import dev.chargehand.server.internal.wire.AnswerText;
import dev.chargehand.server.internal.wire.Encoder;
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

    private final RunId root;
    private final String model;
    private final boolean includeUsage;
    private final AnswerText text;
    private long created;
    private boolean started;
    private boolean done;
    private @Nullable RunEvent last;

    /**
     * Make it.
     *
     * @param model the name of the model as the client sent it
     * @param includeUsage whether the stream ends with the numbers of tokens
     * @param live whether the text can be sent as it arrives
     */
    ChatEncoder(RunId root, String model, boolean includeUsage, boolean live) {
        this.root = root;
        this.model = model;
        this.includeUsage = includeUsage;
        this.text = new AnswerText(live);
    }

    @Override
    public boolean isDone() {
        return done;
    }

    @Override
    public List<Frame> encode(RunEvent event) {
        if (done || !event.runId().equals(root)) {
            return List.of();
        }
        List<Frame> frames = new ArrayList<>();
        if (!started) {
            started = true;
            created = event.time().getEpochSecond();
            frames.add(chunk(Map.of("role", "assistant", "content", ""), null));
        }
        Optional<ProblemException> problem = Outcome.problem(event);
        if (problem.isPresent()) {
            last = event;
            frames.addAll(fail(problem.get()));
            return frames;
        }
        int before = text.number();
        text.next(event).ifPresent(more -> {
            String gap = before > 0 && text.number() > before ? "\n\n" : "";
            frames.add(chunk(Map.of("content", gap + more), null));
        });
        if (text.isVoid()) {
            frames.addAll(fail(broken()));
        } else if (event instanceof RunEvent.RunFinish finish) {
            last = finish;
            done = true;
            frames.add(chunk(Map.of(), finishReason(finish)));
            if (includeUsage) {
                Map<String, @Nullable Object> usage = fields("chat.completion.chunk");
                usage.put("choices", List.of());
                usage.put("usage", Counts.ofChat(finish.totalUsage()));
                frames.add(Frame.data(usage));
            }
            frames.add(Frame.DONE);
        }
        return frames;
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
        return Frame.data(fields);
    }

    private Map<String, @Nullable Object> fields(String object) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("id", "chatcmpl-" + root.value());
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
        if (!(last instanceof RunEvent.RunFinish finish)) {
            throw last == null ? broken() : Outcome.problem(last).orElseThrow();
        }
        Outcome.problem(finish).ifPresent(problem -> {
            throw problem;
        });
        Map<String, @Nullable Object> message = new LinkedHashMap<>();
        message.put("role", "assistant");
        message.put("content", finish.text());
        message.put("refusal", null);
        Map<String, @Nullable Object> choice = new LinkedHashMap<>();
        choice.put("index", 0);
        choice.put("message", message);
        choice.put("logprobs", null);
        choice.put("finish_reason", finishReason(finish));
        Map<String, @Nullable Object> fields = fields("chat.completion");
        fields.put("choices", List.of(choice));
        fields.put("usage", Counts.ofChat(finish.totalUsage()));
        fields.put("metadata", Map.of("stop_reason", finish.stopReason().code()));
        return fields;
    }
}
