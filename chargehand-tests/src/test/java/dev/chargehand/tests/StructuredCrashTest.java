package dev.chargehand.tests;

import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.json.Json;
import dev.chargehand.message.Role;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.ObjectResult;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.run.Usage;
import dev.chargehand.spi.IdSource;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A run with structured output whose process is gone between any two of its facts, and that is resumed without a word
 * about it, ends as the undisturbed one: what was asked for is stored with the run.
 */
class StructuredCrashTest {

    record Count(int messages) {}

    enum Scenario {
        IT_FITS(StructuredOutput.of(Count.class), true),
        IT_IS_MENDED(StructuredOutput.of(Count.class), false),
        IT_NEVER_FITS_STRICTLY(StructuredOutput.of(Never.class), false),
        IT_NEVER_FITS_WITH_A_WARNING(StructuredOutput.of(Never.class).warn(), false),
        IT_NEVER_FITS_AND_FALLS_BACK(StructuredOutput.of(Never.class).fallback(new Never(true)), false),
        ANOTHER_MODEL_MAKES_IT(StructuredOutput.of(Count.class).structuredBy("scripted/structurer"), false),
        ANOTHER_MODEL_FAILS(
                StructuredOutput.of(Never.class)
                        .structuredBy("scripted/structurer")
                        .fallback(new Never(true)),
                false);

        @SuppressWarnings("ImmutableEnumChecker") // it is, all the way down
        private final StructuredOutput wanted;

        private final boolean fits;

        Scenario(StructuredOutput wanted, boolean fits) {
            this.wanted = wanted;
            this.fits = fits;
        }
    }

    record Never(boolean ever) {}

    /** What is compared of a run: everything but ids and times. */
    private record Ending(
            String text,
            RunStatus status,
            StopReason stop,
            Optional<ObjectResult> object,
            List<String> messages,
            Usage usage,
            Usage totalUsage) {}

    @ParameterizedTest
    @EnumSource(Scenario.class)
    void aRunThatIsInterruptedBetweenAnyTwoFactsHasTheSameObject(Scenario scenario) {
        new Crashing<Ending>() {
            @Override
            public TestRuntime runtime(Store store) {
                return StructuredCrashTest.runtime(store, scenario);
            }

            @Override
            public RunResult begin(TestRuntime test) {
                return generate(test, scenario);
            }

            @Override
            public Ending ending(TestRuntime test, Supplier<RunResult> run) {
                return StructuredCrashTest.ending(run);
            }
        }.assertEndsAsTheUndisturbedOne();
    }

    private static RunResult generate(TestRuntime test, Scenario scenario) {
        return test.agent("supervisor").generate("Go", o -> o.structuredOutput(scenario.wanted)
                .thread("t")
                .resource("u"));
    }

    private static TestRuntime runtime(Store store, Scenario scenario) {
        return TestRuntime.builder(script(scenario))
                .store(store)
                .ids(IdSource.secure())
                .unrecorded()
                .agents(Crew.agent("supervisor", agent -> agent.instructions("You supervise.")
                        .agents(Crew.RESEARCHER)
                        .defaultOptions(o -> o.onIterationComplete(it -> IterationDecision.proceed()))))
                .build();
    }

    private static Script script(Scenario scenario) {
        return Scripts.of(
                Turns.of(
                        "supervisor",
                        Turn.answers(request -> supervise(request, scenario.fits))
                                .forever()),
                Turns.of("researcher", Turn.says("Facts.").forever()),
                Turns.of(
                        "structurer",
                        Turn.answers(request -> Steps.said(request.messages().size() > 2 ? count(request) : "Hm."))
                                .forever()));
    }

    private static ModelResponse supervise(ModelRequest request, boolean fits) {
        if (request.messages().stream().noneMatch(message -> message.role() == Role.TOOL)) {
            return Steps.calling("agent-researcher", "{\"prompt\":\"P\"}");
        }
        boolean told = request.messages().getLast().internal();
        return Steps.said(fits || told ? count(request) : "Well.");
    }

    private static String count(ModelRequest request) {
        return Json.of(new Count(request.messages().size())).text();
    }

    private static Ending ending(Supplier<RunResult> run) {
        RunResult result;
        try {
            result = run.get();
        } catch (RunFailedException e) {
            result = e.result();
        }
        return new Ending(
                result.text(),
                result.status(),
                result.stopReason(),
                result.structured(),
                result.messages().stream().map(Wire::line).toList(),
                result.usage(),
                result.totalUsage());
    }
}
