package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.event.RunEvent;
import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.hook.SubAgentContext;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Limit;
import dev.chargehand.run.Usage;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With its limits raised, a run makes as many delegations as it likes, and every hook hears of each once. */
class ManyDelegationsTest {

    private static final int MANY = 200;

    private static final Agent BOSS = Crew.agent("boss", agent -> agent.agents(Crew.agent("worker")));

    private static ModelResponse done(ModelRequest request) {
        String part = request.messages().getLast().text();
        return new ModelResponse("Did " + part, "", List.of(), FinishReason.STOP, Usage.of(1, 1));
    }

    private static void raised(RunOptions.Builder o, int atOnce) {
        o.limit(Limit.TOOL_CALLS, MANY)
                .limit(Limit.MODEL_CALLS, 2 * MANY + 1)
                .limit(Limit.CALLS_PER_STEP, MANY)
                .maxSteps(MANY + 1)
                .toolCallConcurrency(atOnce)
                .subAgentContext(SubAgentContext.promptOnly());
    }

    @ParameterizedTest
    @CsvSource({"200, 200, true", "200, 7, false", "20, 20, true", "1, 10, false"})
    void allAreMadeAndAccountedFor(int inAStep, int atOnce, boolean streamed) {
        Script script = Scripts.on("boss");
        for (int first = 0; first < MANY; first += inAStep) {
            script.says("From " + first);
            for (int i = first; i < first + inAStep; i++) {
                script.and().delegates("worker", "part " + i);
            }
            script.uses(2, 3).then();
        }
        script.says("Done").uses(2, 3);
        script.on("worker").answers(ManyDelegationsTest::done).forever();
        Set<String> started = new ConcurrentSkipListSet<>();
        Set<String> completed = new ConcurrentSkipListSet<>();
        int steps = MANY / inAStep + 1;
        try (TestRuntime test = TestRuntime.with(script)) {
            RunResult result = Crew.play(test.bind(BOSS), streamed, o -> {
                raised(o, atOnce);
                o.onDelegationStart(d -> started.add(d.callId())
                        ? DelegationDecision.proceed().withPrompt("my " + d.prompt())
                        : DelegationDecision.reject("asked twice"));
                o.onDelegationComplete(
                        d -> completed.add(d.callId()) ? d.accept().withText(d.text() + "!") : d.accept());
            });
            assertThat(result).finished().hasText("Done").hasSteps(steps);
            Books.balance(result, test.events());
            assertThat(result.totalUsage()).isEqualTo(Usage.of(2L * steps + MANY, 3L * steps + MANY));
            assertThat(started).hasSize(MANY).isEqualTo(completed);
            assertThat(Routed.all(RunEvent.DelegationEnd.class, test.events())).hasSize(MANY);
            List<String> last = script.requestsOf("boss").getLast().messages().stream()
                    .flatMap(message -> message.toolResults().stream())
                    .map(end -> Fences.without(end.output()))
                    .toList();
            assertThat(last)
                    .isEqualTo(IntStream.range(0, MANY)
                            .mapToObj(i -> "Did my part " + i + "!")
                            .toList());
        }
    }
}
