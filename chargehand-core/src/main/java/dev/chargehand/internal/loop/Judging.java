package dev.chargehand.internal.loop;

import dev.chargehand.completion.ScorerContext;
import dev.chargehand.internal.fact.Spent;
import dev.chargehand.internal.fact.State;
import dev.chargehand.internal.fact.Transcript;
import dev.chargehand.internal.limit.Cancellation;
import dev.chargehand.internal.stream.AnswerEvents;
import dev.chargehand.internal.stream.RunEvents;
import dev.chargehand.message.Message;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelAnswer;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelSettings;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.run.RunInfo;
import dev.chargehand.run.StopReason;
import dev.chargehand.step.StepResult;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/** What the scorers of one step are told, and what their judges use up. Thread-safe. */
final class Judging {

    private final RunScope run;
    private final State state;
    private final List<StepResult> steps;
    private final List<Message> messages;
    private final AtomicReference<Spent> spent = new AtomicReference<>(Spent.NOTHING);

    Judging(RunScope run, State state) {
        this.run = run;
        this.state = state;
        this.steps = StepResults.of(state);
        this.messages = Transcript.conversation(state);
    }

    /** Returns what the judges used up so far. */
    Spent spent() {
        return spent.get();
    }

    /** Returns what one scorer is told; its judge's calls end with its part. */
    ScorerContext under(Cancellation part) {
        return new Context(run.under(part));
    }

    /** What our own scorers can do beside that. */
    interface OwnContext extends ScorerContext {

        /** Asks models that are there already; see {@link ScorerContext#ask}. */
        ModelAnswer ask(List<Model> models, ModelRequest request);
    }

    private final class Context implements OwnContext {

        private final RunScope scope;

        private Context(RunScope scope) {
            this.scope = scope;
        }

        @Override
        public RunInfo run() {
            return run.info();
        }

        @Override
        public int step() {
            return state.stepNumber();
        }

        @Override
        public String output() {
            return state.step().text();
        }

        @Override
        public String originalTask() {
            return state.originalTask();
        }

        @Override
        public List<StepResult> steps() {
            return steps;
        }

        @Override
        public List<Message> messages() {
            return messages;
        }

        @Override
        public ModelAnswer ask(ModelChoice model, List<Message> question) {
            return ask(
                    run.root().models().apply(model),
                    new ModelRequest(question, List.of(), ToolChoice.none(), ModelSettings.DEFAULT));
        }

        @Override
        public ModelAnswer ask(List<Model> models, ModelRequest request) {
            RunEvents silent =
                    new RunEvents(null, run.events().runId(), run.events().path());
            Asking asking = new Asking(
                    scope,
                    attempt -> new AnswerEvents(silent, run.root().time(), step(), attempt),
                    (attempt, failed, failure, wait) -> {});
            try {
                return counted(asking.ask(request, models));
            } catch (ModelFailed e) {
                spent.accumulateAndGet(Spent.onAttempts(e.attempts()), Spent::plus);
                throw e.failure();
            }
        }

        private ModelAnswer counted(Asking.Asked asked) {
            ModelAnswer answer = asked.answer();
            StopReason stop = asked.stop();
            if (answer == null || stop != null) {
                spent.accumulateAndGet(Spent.onAttempts(asked.attempts()), Spent::plus);
                throw new IllegalStateException("The judge was not asked: " + (stop == null ? "" : stop.explanation()));
            }
            long characters = (long) answer.text().length() + answer.reasoning().length();
            Spent more =
                    new Spent(asked.attempts(), 0, characters, asked.cost(), Map.of(Spent.SCORERS, answer.usage()));
            spent.accumulateAndGet(more, Spent::plus);
            return answer;
        }
    }
}
