package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Scorer;
import dev.chargehand.delegation.DelegationDecision;
import dev.chargehand.event.RunEvent;
import dev.chargehand.message.Message;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelAnswer;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.run.IdSource;
import dev.chargehand.run.ObjectResult;
import dev.chargehand.run.RunId;
import dev.chargehand.run.Score;
import dev.chargehand.run.Usage;
import dev.chargehand.step.IterationDecision;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A network whose process is gone between any two of its facts, and that is resumed as any run is, ends as the undisturbed
 * one: that it is a network is stored with it.
 *
 * <p>The models are functions of what they are asked.
 */
class NetworkCrashTest {

    private static final int MANY = 200;

    record Count(int results) {}

    private static final Tool LOOK = Tool.builder("look", "Looks.")
            .input(Crew.ANYTHING)
            .repeatable()
            .handler((in, context) -> "S3")
            .build();

    enum Scenario {
        THE_CHECK_DECIDES(o -> {}),
        SCORERS_DECIDE(o -> o.completion(Completion.all(
                Scorer.of("third", context -> context.step() >= 3 ? Score.pass() : Score.fail("Early."))))),
        HOOKS_HAVE_THEIR_SAY(o -> o.onDelegationStart(
                        d -> DelegationDecision.proceed().withPrompt(d.prompt() + "!"))
                .onDelegationComplete(d -> d.accept().withFeedback("Good."))
                .onIterationComplete(it ->
                        it.iteration() == 1 ? IterationDecision.proceedWith("Go on.") : IterationDecision.proceed())),
        IT_BAILS(o -> o.onDelegationComplete(d -> d.key().equals("writer") ? d.bail() : d.accept())),
        ONE_MORE_ANSWER(o -> o.onIterationComplete(
                it -> it.iteration() == 2 ? IterationDecision.stopWith("Wrap up.") : IterationDecision.proceed())),
        AN_OBJECT_IS_MADE(o -> o.structuredOutput(Count.class)),
        STEPS_RUN_OUT(o -> o.maxSteps(2));

        @SuppressWarnings("ImmutableEnumChecker") // functions without state
        private final Consumer<RunOptions.Builder> options;

        Scenario(Consumer<RunOptions.Builder> options) {
            this.options = options;
        }
    }

    /** What is compared of a run: everything but ids and times. */
    private record Ending(
            String text,
            String stop,
            Optional<ObjectResult> object,
            List<String> messages,
            Usage usage,
            Usage totalUsage,
            List<String> thread,
            List<String> told) {}

    @ParameterizedTest
    @EnumSource(Scenario.class)
    void aNetworkThatIsInterruptedBetweenAnyTwoFactsEndsAsTheUndisturbedOne(Scenario scenario) {
        FaultyStore counted = FaultyStore.over(InMemoryStore.keepingEndedRuns());
        Ending undisturbed;
        try (TestRuntime test = runtime(counted)) {
            undisturbed = ending(test, () -> generate(test, scenario));
        }
        int appends = counted.count(FaultyStore.Operation.APPEND);
        assertThat(appends).isGreaterThan(8);
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
        try (TestRuntime test = runtime(dying)) {
            generate(test, scenario);
        } catch (RunFailedException e) {
            assertThat(e.code()).startsWith("store");
        }
        try (TestRuntime test = runtime(store)) {
            RunId run = store.list(RunFilter.ROOTS).getFirst().runId();
            Ending ending = ending(test, () -> test.runtime().resume(run, scenario.options));
            assertThat(store.list(RunFilter.ALL)).allMatch(each -> each.status().isEnded());
            return ending;
        }
    }

    @SuppressWarnings("deprecation") // what is tested
    private static RunResult generate(TestRuntime test, Scenario scenario) {
        return test.agent("router").generateNetwork("Go", o -> {
            o.thread("t").resource("u");
            scenario.options.accept(o);
        });
    }

    private static TestRuntime runtime(Store store) {
        return TestRuntime.builder(script())
                .store(store)
                .ids(IdSource.secure())
                .agents(Agent.builder("router")
                        .instructions("You route.")
                        .model("none/none")
                        .agents(Crew.member("researcher", LOOK), Crew.WRITER)
                        .tools(LOOK)
                        .build())
                .build();
    }

    private static Script script() {
        return ScriptedModel.script()
                .on("router")
                .answers(NetworkCrashTest::route)
                .forever()
                .on("researcher")
                .answers(request ->
                        request.messages().getLast().toolResults().isEmpty() ? call("look", "{}") : said("Facts."))
                .forever()
                .on("writer")
                .says("Prose.")
                .forever();
    }

    /** Has researcher, look and writer at work, one after the other; the second decision is none at first. */
    private static ModelAnswer route(ModelRequest request) {
        if (request.output() == null) {
            return said("Wrapped up.");
        }
        String conversation = Wire.lines(request).toString();
        if (conversation.contains("isComplete")) {
            return said(
                    conversation.contains("agent-writer")
                            ? Routed.complete("ok", "It is written.")
                            : Routed.incomplete("not written"));
        }
        if (!request.output().json().text().contains("primitiveId")) {
            return said("{\"results\":" + request.messages().size() + "}");
        }
        long results = request.messages().stream()
                .map(Message::text)
                .filter(text -> text.startsWith("<result-"))
                .count();
        return said(
                switch ((int) results) {
                    case 0 -> Routed.agent("researcher", "Find");
                    case 1 ->
                        conversation.contains("That is no decision")
                                ? Routed.tool("look", "{\"q\":1}")
                                : Routed.agent("painter", "Paint");
                    default -> Routed.agent("writer", "Write");
                });
    }

    private static ModelAnswer said(String text) {
        return new ModelAnswer(text, "", List.of(), FinishReason.STOP, Usage.of(10, 5));
    }

    private static ModelAnswer call(String tool, String arguments) {
        return new ModelAnswer(
                "",
                "",
                List.of(new ModelAnswer.RequestedCall("c", tool, arguments)),
                FinishReason.TOOL_CALLS,
                Usage.of(10, 5));
    }

    private static Ending ending(TestRuntime test, Supplier<RunResult> run) {
        RunResult result = run.get();
        return new Ending(
                result.text(),
                result.stopReason().code(),
                result.structured(),
                result.messages().stream().map(Wire::line).toList(),
                result.usage(),
                result.totalUsage(),
                test.thread("t", "u").stream().map(Wire::line).toList(),
                test.runtime().history(result.runId()).stream()
                        .filter(event -> !(event instanceof RunEvent.RunResume))
                        .map(event -> event.path() + " " + event.type())
                        .sorted()
                        .toList());
    }
}
