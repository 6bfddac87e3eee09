package dev.chargehand.internal.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.json.Json;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.model.ModelResponse.RequestedCall;
import dev.chargehand.run.Usage;
import dev.chargehand.tool.Tool;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The order of the conditions at the gate, a row for each neighbour in it: where two conditions of one step are met, the
 * earlier one decides.
 */
class GateTest {

    /** Answers with the steps of a script in order, and with the last one again. */
    private record Scripted(List<String> script, AtomicInteger calls) implements Model {

        @Override
        public String name() {
            return "scripted";
        }

        @Override
        public ModelResponse ask(ModelRequest request, ModelCall call) {
            int number = calls.getAndIncrement();
            String[] step = script.get(Math.min(number, script.size() - 1)).split(":", -1);
            return new ModelResponse(
                    step[1].equals("-") ? "" : step[1],
                    "",
                    step[0].equals("TOOL_CALLS")
                            ? List.of(new RequestedCall(null, "look", "{\"n\":" + number + "}"))
                            : List.of(),
                    FinishReason.valueOf(step[0]),
                    Usage.of(10, 5));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # the answers of the model          | hook     | score | stopWhen | maxSteps | tokens | the run ends       | steps | hook, scorer, predicate called
              STOP:Hi                           | -        | -     | -        | 9        | 999    | finished           | 1 | 0 0 0
              STOP:-                            | -        | -     | -        | 9        | 999    | answer-incomplete  | 1 | 0 0 0
              LENGTH:Hi                         | stop     | pass  | true     | 1        | 15     | output-truncated   | 1 | 0 0 0
              CONTENT_FILTER:Hi                 | stop     | pass  | true     | 1        | 15     | content-filtered   | 1 | 0 0 0
              UNKNOWN:Hi                        | stop     | pass  | true     | 1        | 15     | answer-incomplete  | 1 | 0 0 0
              STOP:Hi                           | stop     | pass  | true     | 1        | 15     | stopped-by-hook    | 1 | 1 0 0
              STOP:Hi                           | proceed  | pass  | true     | 1        | 15     | task-complete      | 1 | 1 1 0
              STOP:Hi                           | proceed  | end   | true     | 1        | 15     | task-incomplete    | 1 | 1 1 0
              STOP:Hi                           | proceed  | fail  | true     | 1        | 15     | stop-condition-met | 1 | 1 1 1
              STOP:Hi                           | proceed  | -     | true     | 1        | 15     | stop-condition-met | 1 | 1 0 1
              STOP:Hi                           | proceed  | -     | false    | 1        | 15     | finished           | 1 | 1 0 1
              STOP:Hi                           | feedback | -     | false    | 1        | 15     | max-steps-reached  | 1 | 1 0 1
              STOP:Hi                           | feedback | -     | false    | 9        | 15     | budget-exhausted   | 1 | 1 0 1
              STOP:Hi                           | feedback | -     | false    | 9        | 999    | finished           | 2 | 2 0 2
              STOP:Hi                           | wrap up  | pass  | true     | 1        | 999    | stopped-by-hook    | 2 | 1 0 0
              STOP:Hi                           | wrap up  | pass  | true     | 9        | 15     | budget-exhausted   | 1 | 1 0 0
              STOP:Hi                           | -        | fail  | -        | 2        | 999    | max-steps-reached  | 2 | 0 2 0
              TOOL_CALLS:Hi                     | -        | pass  | -        | 1        | 999    | max-steps-reached  | 1 | 0 0 0
              TOOL_CALLS:Hi, STOP:Done          | -        | pass  | -        | 9        | 999    | task-complete      | 2 | 0 1 0
              TOOL_CALLS:Hi, STOP:Done          | proceed  | -     | false    | 9        | 999    | finished           | 2 | 2 0 2
            """)
    void theFirstConditionThatHoldsEndsTheRun(
            String script,
            String hook,
            String score,
            String stopWhen,
            int maxSteps,
            long tokens,
            String stop,
            int steps,
            String called) {
        AtomicInteger hooks = new AtomicInteger();
        AtomicInteger scorers = new AtomicInteger();
        AtomicInteger predicates = new AtomicInteger();
        Agent agent = Agent.builder("clerk")
                .model(new Scripted(List.of(script.split(", ")), new AtomicInteger()))
                .tools(Tool.builder("look", "Looks.")
                        .input(Json.class)
                        .handler((in, context) -> "seen")
                        .build())
                .build();
        RunResult result;
        try (AgentRuntime runtime = AgentRuntime.builder().build()) {
            result = runtime.bind(agent).generate("Go", options -> {
                options.maxSteps(maxSteps).budget(budget -> budget.tokens(tokens));
                if (!hook.equals("-")) {
                    options.onIterationComplete(it -> decision(hook, hooks.getAndIncrement()));
                }
                if (!score.equals("-")) {
                    options.completion(completion(score, scorers));
                }
                if (!stopWhen.equals("-")) {
                    options.stopWhen(step -> predicates.getAndIncrement() >= 0 && stopWhen.equals("true"));
                }
            });
        }
        assertThat(result.stopReason().code()).isEqualTo(stop);
        assertThat(result.steps()).hasSize(steps);
        assertThat(hooks + " " + scorers + " " + predicates).isEqualTo(called);
    }

    private static IterationDecision decision(String hook, int before) {
        return switch (hook) {
            case "stop" -> IterationDecision.stop();
            case "wrap up" -> IterationDecision.stopWith("Wrap up.");
            case "feedback" -> before == 0 ? IterationDecision.proceedWith("Shorter.") : IterationDecision.proceed();
            default -> IterationDecision.proceed();
        };
    }

    private static Completion completion(String score, AtomicInteger calls) {
        Scorer scorer = Scorer.of("s", context -> {
            calls.incrementAndGet();
            return score.equals("pass") ? Score.pass() : Score.fail("No.");
        });
        return Completion.all(scorer).continueOnFail(!score.equals("end"));
    }
}
