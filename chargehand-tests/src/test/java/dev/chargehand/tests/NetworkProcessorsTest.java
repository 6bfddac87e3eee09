package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.message.Message;
import dev.chargehand.processor.InputProcessor;
import dev.chargehand.processor.InputStepProcessor;
import dev.chargehand.processor.OutputResultProcessor;
import dev.chargehand.processor.OutputStepProcessor;
import dev.chargehand.processor.OutputStreamProcessor;
import dev.chargehand.processor.Processed;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.RunFilter;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Processors of a network: at what comes in, at each conversation with the router, and at the result. */
class NetworkProcessorsTest {

    private static Script script() {
        Script script = Scripts.drafts(
                "supervisor",
                Routed.agent("researcher", "Find the secret"),
                Routed.complete("All found.", "The secret is out."));
        return script.on("researcher").says("It is a secret.");
    }

    private static TestRuntime runtime(Script script) {
        return TestRuntime.builder(script).agents(Crew.supervisor(Crew.LOOK)).build();
    }

    @SuppressWarnings("deprecation") // what is tested
    private static RunResult run(TestRuntime test, Consumer<RunOptions.Builder> options) {
        return test.agent("supervisor").generateNetwork("Do the task", o -> {
            o.thread("t").resource("u");
            options.accept(o);
        });
    }

    @Test
    void theInputIsRewrittenBeforeTheRouterSeesIt() {
        try (TestRuntime test = runtime(script())) {
            RunResult result = run(
                    test,
                    o -> o.inputProcessors(InputProcessor.of(
                            "polite", (context, input) -> Processed.rewritten(List.of(Message.user("Please do it"))))));
            assertThat(result).hasStatus(RunStatus.COMPLETED).hasText("The secret is out.");
            assertThat(test.script().requestsOf("supervisor").getFirst().messages())
                    .last()
                    .extracting(Message::text)
                    .isEqualTo("Please do it");
            assertThat(Wire.thread(test).getFirst()).isEqualTo("user: Please do it");
        }
    }

    @Test
    void theConversationIsRewrittenBeforeEachDecision() {
        List<Integer> asked = new ArrayList<>();
        Script script = Scripts.drafts(
                "supervisor", Routed.tool("look", "{}"), Routed.incomplete("Not yet."), Routed.none("Done."));
        try (TestRuntime test = runtime(script)) {
            RunResult result = run(
                    test,
                    o -> o.inputProcessors(InputStepProcessor.of("tag", (context, messages) -> {
                        asked.add(context.step());
                        List<Message> more = new ArrayList<>(messages);
                        more.add(Message.user("step " + context.step()));
                        return Processed.rewritten(more);
                    })));
            assertThat(result).finished().hasText("Done.");
            assertThat(asked).containsExactly(1, 2);
            assertThat(test.script().requestsOf("supervisor").getFirst().messages())
                    .last()
                    .extracting(Message::text)
                    .isEqualTo("step 1");
            assertThat(Wire.thread(test)).noneMatch(line -> line.contains("step 1"));
        }
    }

    @Test
    void aConversationThatDoesNotPassEndsTheNetworkBeforeAnyDecision() {
        try (TestRuntime test = runtime(Scripts.on("supervisor"))) {
            RunResult result = run(
                    test,
                    o -> o.inputProcessors(
                            InputStepProcessor.of("guard", (context, messages) -> Processed.abort("Not here."))));
            assertThat(result.stopReason())
                    .isInstanceOfSatisfying(StopReason.Tripwire.class, trip -> assertThat(trip.reason())
                            .isEqualTo("Not here."));
            assertThat(test.script().requests()).isEmpty();
        }
    }

    @Test
    void theResultIsRewrittenWhoeverFoundIt() {
        try (TestRuntime test = runtime(script())) {
            RunResult result = run(
                    test,
                    o -> o.outputProcessors(OutputResultProcessor.of(
                            "clean", (context, text) -> Processed.rewritten(text.replace("secret", "word")))));
            assertThat(result).hasStatus(RunStatus.COMPLETED).hasText("The word is out.");
            assertThat(Wire.thread(test).getLast()).isEqualTo("assistant: The word is out.");
        }
        Script own = Scripts.on("supervisor").says(Routed.none("A secret answer."));
        try (TestRuntime test = runtime(own)) {
            RunResult result = run(
                    test,
                    o -> o.outputProcessors(OutputResultProcessor.of(
                            "clean", (context, text) -> Processed.rewritten(text.replace("secret", "plain")))));
            assertThat(result).finished().hasText("A plain answer.");
            assertThat(Wire.thread(test)).containsExactly("user: Do the task", "assistant: A plain answer.");
        }
    }

    @Test
    void aResultThatDoesNotPassIsNowhere() {
        Script own = Scripts.on("supervisor").says(Routed.none("A secret answer."));
        try (TestRuntime test = runtime(own)) {
            RunResult result = run(
                    test,
                    o -> o.outputProcessors(
                            OutputResultProcessor.of("guard", (context, text) -> Processed.abort("A secret."))));
            assertThat(result.stopReason()).isInstanceOf(StopReason.Tripwire.class);
            assertThat(result.text()).isEmpty();
            assertThat(Wire.thread(test)).noneMatch(line -> line.contains("secret answer"));
        }
    }

    @Test
    void processorsOfARoutersAnswersAreRefusedBeforeAnythingIsStored() {
        List<Consumer<RunOptions.Builder>> wrong = List.of(
                o -> o.outputProcessors(OutputStepProcessor.of("step", (context, answer) -> Processed.unchanged())),
                o -> o.outputProcessors(OutputStreamProcessor.of("stream", context -> delta -> Processed.unchanged())));
        for (Consumer<RunOptions.Builder> options : wrong) {
            try (TestRuntime test = runtime(Scripts.on("supervisor"))) {
                Steps.assertMisconfigured(() -> run(test, options), "supervisor", "OutputResultProcessor");
                assertThat(test.store().list(RunFilter.ALL)).isEmpty();
            }
        }
    }
}
