package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.json.Json;
import dev.chargehand.message.Role;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelAnswer;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.run.IdSource;
import dev.chargehand.run.ObjectResult;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.run.Usage;
import dev.chargehand.step.IterationDecision;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A run with structured output whose process is gone between any two of its facts, and that is resumed without a word
 * about it, ends as the undisturbed one: what was asked for is stored with the run.
 */
class StructuredCrashTest {

    private static final int MANY = 200;

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
            String stop,
            Optional<ObjectResult> object,
            List<String> messages,
            Usage usage,
            Usage totalUsage) {}

    @ParameterizedTest
    @EnumSource(Scenario.class)
    void aRunThatIsInterruptedBetweenAnyTwoFactsHasTheSameObject(Scenario scenario) {
        FaultyStore counted = FaultyStore.over(InMemoryStore.keepingEndedRuns());
        Ending undisturbed;
        try (TestRuntime test = runtime(counted, scenario)) {
            undisturbed = ending(() -> generate(test, scenario));
        }
        int appends = counted.count(FaultyStore.Operation.APPEND);
        assertThat(appends).isGreaterThan(4);
        for (int append = 2; append <= appends; append++) {
            assertThat(interruptedAt(append, scenario))
                    .as("%s, gone before append %s", scenario, append)
                    .isEqualTo(undisturbed);
        }
    }

    private static Ending interruptedAt(int append, Scenario scenario) {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        FaultyStore dying = FaultyStore.over(store);
        IntStream.range(append, append + MANY).forEach(nth -> dying.failOn(FaultyStore.Operation.APPEND, nth));
        try (TestRuntime test = runtime(dying, scenario)) {
            generate(test, scenario);
        } catch (RunFailedException e) {
            assertThat(e.code()).startsWith("store");
        }
        try (TestRuntime test = runtime(store, scenario)) {
            RunId run = store.list(RunFilter.ROOTS).getFirst().runId();
            return ending(() -> test.runtime().resume(run));
        }
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
                .agents(Agent.builder("supervisor")
                        .instructions("You supervise.")
                        .model("none/none")
                        .agents(Crew.RESEARCHER)
                        .defaultOptions(o -> o.onIterationComplete(it -> IterationDecision.proceed()))
                        .build())
                .build();
    }

    private static Script script(Scenario scenario) {
        return ScriptedModel.script()
                .on("supervisor")
                .answers(request -> supervise(request, scenario.fits))
                .forever()
                .on("researcher")
                .says("Facts.")
                .forever()
                .on("structurer")
                .answers(request -> said(request.messages().size() > 2 ? count(request) : "Hm."))
                .forever();
    }

    private static ModelAnswer supervise(ModelRequest request, boolean fits) {
        if (request.messages().stream().noneMatch(message -> message.role() == Role.TOOL)) {
            return new ModelAnswer(
                    "",
                    "",
                    List.of(new ModelAnswer.RequestedCall("c", "agent-researcher", "{\"prompt\":\"P\"}")),
                    FinishReason.TOOL_CALLS,
                    Usage.of(10, 5));
        }
        boolean told = request.messages().getLast().internal();
        return said(fits || told ? count(request) : "Well.");
    }

    private static String count(ModelRequest request) {
        return Json.of(new Count(request.messages().size())).text();
    }

    private static ModelAnswer said(String text) {
        return new ModelAnswer(text, "", List.of(), FinishReason.STOP, Usage.of(10, 5));
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
                result.stopReason().toJson().text(),
                result.structured(),
                result.messages().stream().map(Wire::line).toList(),
                result.usage(),
                result.totalUsage());
    }
}
