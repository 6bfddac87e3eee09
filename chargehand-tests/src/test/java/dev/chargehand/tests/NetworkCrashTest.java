package dev.chargehand.tests;

import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.event.RunEvent;
import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.ObjectResult;
import dev.chargehand.run.RunId;
import dev.chargehand.run.Usage;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A network whose process is gone between any two of its facts, and that is resumed as any run is, ends as the undisturbed
 * one: that it is a network is stored with it.
 *
 * <p>The models are functions of what they are asked.
 */
class NetworkCrashTest {

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
        new Crashing<Ending>() {
            @Override
            public TestRuntime runtime(Store store) {
                return NetworkCrashTest.runtime(store);
            }

            @Override
            public RunResult begin(TestRuntime test) {
                return generate(test, scenario);
            }

            @Override
            public RunResult resume(TestRuntime test, RunId run) {
                return test.runtime().resume(run, scenario.options).result();
            }

            @Override
            public Ending ending(TestRuntime test, Supplier<RunResult> run) {
                return NetworkCrashTest.ending(test, run);
            }
        }.assertEndsAsTheUndisturbedOne();
    }

    @SuppressWarnings("deprecation") // what is tested
    private static RunResult generate(TestRuntime test, Scenario scenario) {
        return test.agent("router").generateNetwork("Go", o -> {
            o.thread("t").resource("u");
            scenario.options.accept(o);
        });
    }

    private static TestRuntime runtime(Store store) {
        return Crew.playing(store, script(), Crew.agent("router", agent -> agent.instructions("You route.")
                .agents(Crew.member("researcher", LOOK), Crew.WRITER)
                .tools(LOOK)));
    }

    private static Script script() {
        return Scripts.of(
                Turns.of("router", Turn.answers(NetworkCrashTest::route).forever()),
                Turns.of(
                        "researcher",
                        Turn.answers(request -> request.messages()
                                                .getLast()
                                                .toolResults()
                                                .isEmpty()
                                        ? Steps.calling("look", "{}")
                                        : Steps.said("Facts."))
                                .forever()),
                Turns.of("writer", Turn.says("Prose.").forever()));
    }

    /** Has researcher, look and writer at work, one after the other; the second decision is none at first. */
    private static ModelResponse route(ModelRequest request) {
        if (request.output() == null) {
            return Steps.said("Wrapped up.");
        }
        String conversation = Wire.lines(request).toString();
        if (conversation.contains("isComplete")) {
            return Steps.said(
                    conversation.contains("agent-writer")
                            ? Routed.complete("ok", "It is written.")
                            : Routed.incomplete("not written"));
        }
        if (!request.output().json().text().contains("primitiveId")) {
            return Steps.said("{\"results\":" + request.messages().size() + "}");
        }
        long results = request.messages().stream()
                .map(Message::text)
                .filter(text -> text.startsWith("<result-"))
                .count();
        return Steps.said(
                switch ((int) results) {
                    case 0 -> Routed.agent("researcher", "Find");
                    case 1 ->
                        conversation.contains("The decision is invalid")
                                ? Routed.tool("look", "{\"q\":1}")
                                : Routed.agent("painter", "Paint");
                    default -> Routed.agent("writer", "Write");
                });
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
