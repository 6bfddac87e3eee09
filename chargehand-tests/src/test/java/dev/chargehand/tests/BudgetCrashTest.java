package dev.chargehand.tests;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.run.Limit;
import dev.chargehand.spi.IdSource;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a run with delegations may spend is no more if its process is gone between any two of its facts. */
class BudgetCrashTest {

    private static final Tool LOOK = Tool.builder("look", "Looks.")
            .input(Crew.ANYTHING)
            .repeatable()
            .handler((in, context) -> "seen")
            .build();

    private static final Agent BOSS = Crew.supervisorOf(Crew.member("researcher", LOOK));

    /** How the run ended, and what its answers have used. */
    record Ending(Object stop, int steps, Object usage) {}

    /** Its models are functions of the conversation: four delegations, of three model calls each. */
    private record Spender(Consumer<RunOptions.Builder> options) implements Crashing<Ending> {

        @Override
        public TestRuntime runtime(Store store) {
            return TestRuntime.builder(script())
                    .store(store)
                    .ids(IdSource.secure())
                    .agents(BOSS)
                    .build();
        }

        @Override
        public RunResult begin(TestRuntime test) {
            return test.agent("supervisor").generate("Go", options);
        }

        @Override
        public Ending ending(TestRuntime test, Supplier<RunResult> run) {
            RunResult result = run.get();
            return new Ending(result.stopReason(), result.steps().size(), result.usageByAgent());
        }

        private static Script script() {
            return Scripts.of(
                    Turns.of("supervisor", calling(4, "agent-researcher", "{\"prompt\":\"Find %s\"}")),
                    Turns.of("researcher", calling(2, "look", "{\"at\":%s}")));
        }

        private static Turn calling(int times, String tool, String arguments) {
            return Turn.answers(request -> {
                        int results = ForkFixture.results(request);
                        return results < times ? Steps.calling(tool, arguments.formatted(results)) : Steps.said("Done");
                    })
                    .forever();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 7})
    void aBudgetOfCallsCountsWhatDelegationsHadSpent(int calls) {
        new Spender(o -> o.budget(b -> b.calls(calls))).assertEndsAsTheUndisturbedOne();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5})
    void aLimitOfModelCallsCountsWhatDelegationsHadMade(int calls) {
        new Spender(o -> o.limit(Limit.MODEL_CALLS, calls)).assertEndsAsTheUndisturbedOne();
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 75})
    void aBudgetOfTokensCountsWhatDelegationsHadUsed(int tokens) {
        new Spender(o -> o.budget(b -> b.tokens(tokens))).assertEndsAsTheUndisturbedOne();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5})
    void aLimitOfToolCallsThatHasRefusedOneEndsTheRun(int calls) {
        new Spender(o -> o.limit(Limit.TOOL_CALLS, calls)).assertEndsAsTheUndisturbedOne();
    }
}
