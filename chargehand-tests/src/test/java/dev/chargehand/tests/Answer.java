package dev.chargehand.tests;

import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.completion.ScorerContext;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunInfo;
import dev.chargehand.run.Usage;
import dev.chargehand.step.StepResult;
import dev.chargehand.step.ToolOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** An answer outside of any run, as somebody evaluates it who has only the text. */
record Answer(
        String text,
        List<ToolOutcome> outcomes,
        List<Message> messages,
        Function<List<Message>, ModelResponse> judge,
        List<List<Message>> asked)
        implements ScorerContext {

    static Answer of(String text) {
        return new Answer(
                text,
                List.of(),
                List.of(),
                question -> {
                    throw new AssertionError("no judge is to be asked");
                },
                new ArrayList<>());
    }

    /** After a call that gave a result. */
    Answer after(String tool, Object result) {
        return plus(ToolOutcome.succeeded("c", tool, "{}", Json.of(result)));
    }

    /** After a call that failed. */
    Answer afterFailed(String tool, String failure) {
        return plus(ToolOutcome.failed("c", tool, "{}", failure));
    }

    private Answer plus(ToolOutcome outcome) {
        List<ToolOutcome> more = new ArrayList<>(outcomes);
        more.add(outcome);
        return new Answer(text, more, messages, judge, asked);
    }

    Answer remembering(Message... earlier) {
        return new Answer(text, outcomes, List.of(earlier), judge, asked);
    }

    Answer judgedBy(String verdict) {
        return judgedBy(ModelResponse.text(verdict, Usage.NONE));
    }

    Answer judgedBy(ModelResponse verdict) {
        return new Answer(text, outcomes, messages, question -> verdict, asked);
    }

    Score scoredBy(Scorer scorer) {
        try {
            return scorer.score(this);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public RunInfo run() {
        return RunInfo.builder(new RunId("run_1"), AgentPath.parse("solo"), "solo")
                .build();
    }

    @Override
    public int step() {
        return 1;
    }

    @Override
    public String originalTask() {
        return "Write about boats.";
    }

    @Override
    public List<StepResult> steps() {
        return List.of(new StepResult(1, "m", text, "", outcomes, FinishReason.STOP, Usage.NONE));
    }

    @Override
    public ModelResponse ask(ModelChoice model, List<Message> question) {
        asked.add(question);
        return judge.apply(question);
    }
}
