package dev.chargehand.langchain4j.foreign;

import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.event.RunEvent;
import dev.chargehand.models.OpenAiCompatibleProvider;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.testkit.RunEventsAssert;
import dev.chargehand.tool.Tool;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Three levels of agents, two delegations at once, and a server of another make: {@code top} asks {@code left} and
 * {@code right}, each of them asks {@code clerk}, and the clerk uses a tool.
 */
class ForeignServerTest {

    private static final List<String> MODELS = List.of("top", "left", "right", "clerk");
    private static final String ANSWER = "Left found 3 – and right found 30.";

    @AutoClose
    private static ForeignServer server;

    private Relay relay;
    private AgentRuntime runtime;
    private Agent top;

    record Sum(int a, int b) {}

    @BeforeAll
    static void startServer() throws IOException {
        server = ForeignServer.start();
    }

    @BeforeEach
    void open() throws IOException {
        relay = Relay.to(server.port());
        runtime = AgentRuntime.builder()
                .providers(OpenAiCompatibleProvider.builder()
                        .provider("foreign", relay.baseUrl(), "sk-foreign")
                        .build())
                .build();
        Tool add = Tool.of("add", "Adds two numbers.", Sum.class, (in, context) -> Map.of("sum", in.a() + in.b()));
        Agent clerk = agent("clerk").tools(add).build();
        Agent left = agent("left").agents(clerk).build();
        Agent right = agent("right").agents(clerk).build();
        top = runtime.bind(agent("top").agents(left, right).build());
        server.answers(List.of(
                Answer.of("top")
                        .first()
                        .says("I ask – at once.")
                        .delegates("agent-left", "Add 1, 2.", "agent-right", "Add 10, 20."),
                Answer.of("top")
                        .afterResultOf("agent-left")
                        .whenLast("Right: 30")
                        .says(ANSWER),
                Answer.of("left").first().says("I ask.").delegates("agent-clerk", "For left: 1 and 2."),
                Answer.of("left").afterResultOf("agent-clerk").whenLast("is 3.").says("Left: 3"),
                Answer.of("right").first().says("I ask.").delegates("agent-clerk", "For right: 10 and 20."),
                Answer.of("right")
                        .afterResultOf("agent-clerk")
                        .whenLast("is 30.")
                        .says("Right: 30"),
                Answer.of("clerk").first().whenLast("For left").calls("add", "{\"a\":1,\"b\":2}"),
                Answer.of("clerk").first().whenLast("For right").calls("add", "{\"a\":10,\"b\":20}"),
                Answer.of("clerk").afterResultOf("add").whenLast("{\"sum\":3}").says("The sum is 3."),
                Answer.of("clerk").afterResultOf("add").whenLast("{\"sum\":30}").says("The sum is 30.")));
    }

    @AfterEach
    void close() throws IOException {
        runtime.close();
        relay.close();
    }

    private static AgentBuilder agent(String id) {
        return Agent.builder(id)
                .description("Is " + id + ".")
                .instructions(instructionsOf(id))
                .model("foreign/" + id);
    }

    private static String instructionsOf(String id) {
        return "You are " + id + "; your secret word is <" + id + "-canary>.";
    }

    private static Predicate<String> requestsOf(String... models) {
        return request -> Stream.of(models).anyMatch(model -> request.contains("\"model\":\"" + model + "\""));
    }

    /** Reads a stream to its end on another thread. */
    private static CompletableFuture<Void> reading(RunStream run, List<RunEvent> events) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                run.forEach(events::add);
                ended.complete(null);
            } catch (Throwable e) {
                ended.completeExceptionally(e);
            }
        });
        return ended;
    }

    @Test
    void theAnswerOfEveryLevelReachesTheOneAbove() throws IOException {
        RunResult result = top.generate("Go");
        assertThat(result.stopReason()).isEqualTo(new StopReason.Finished());
        assertThat(result.text()).isEqualTo(ANSWER);
        assertThat(server.received()).hasSize(10);
        assertThat(lastRequestOf("top").lines())
                .containsExactly(
                        "system: " + instructionsOf("top"),
                        "user: Go",
                        "assistant: I ask – at once.",
                        "tool: Left: 3",
                        "tool: Right: 30");
        assertThat(lastRequestOf("right").lines().getLast()).isEqualTo("tool: The sum is 30.");
    }

    @Test
    void everyRequestPairsCallsAndResults() throws IOException {
        top.generate("Go");
        assertThat(server.received()).hasSize(10).allSatisfy(WireRequest::assertPaired);
        assertThat(server.received().stream()
                        .flatMap(request -> request.messages().stream())
                        .filter(message -> message.role().equals("tool")))
                .hasSize(6);
    }

    @Test
    void aChildIsToldNothingOfTheInstructionsAbove() throws IOException {
        top.generate("Go");
        assertThat(server.received()).hasSize(10).allSatisfy(request -> {
            assertThat(request.messages().getFirst().text()).isEqualTo(instructionsOf(request.model()));
            assertThat(request.messages())
                    .filteredOn(message -> message.role().equals("system"))
                    .hasSize(1);
            assertThat(MODELS)
                    .filteredOn(model -> request.body().text().contains(model + "-canary"))
                    .containsExactly(request.model());
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"left right", "clerk clerk"})
    void twoDelegationsAreInFlightAtOnce(String models) throws IOException {
        Relay.Hold hold = relay.hold(requestsOf(models.split(" ")));
        List<RunEvent> events = new CopyOnWriteArrayList<>();
        try (RunStream run = top.stream("Go")) {
            CompletableFuture<Void> ended = reading(run, events);
            hold.await(2);
            assertThat(server.received().stream()
                            .filter(request -> models.contains(request.model()))
                            .map(request -> request.messages().getLast().text()))
                    .as("what had reached the server when no answer had reached the client")
                    .hasSize(2)
                    .doesNotHaveDuplicates();
            assertThat(events).noneMatch(RunEvent.DelegationEnd.class::isInstance);
            hold.release();
            ended.join();
            assertThat(run.result().text()).isEqualTo(ANSWER);
        }
    }

    @Test
    void eventsOfThreeLevelsStandInPairsAndInOrder() {
        List<RunEvent> events = new ArrayList<>();
        try (RunStream run = top.stream("Go")) {
            run.forEach(events::add);
        }
        assertThatEvents(events).arePaired().endWithRunFinish().haveGrowingIds();
        assertThat(events.stream().map(event -> event.path().toString()).distinct())
                .containsExactlyInAnyOrder("top", "top/left", "top/left/clerk", "top/right", "top/right/clerk");
        RunEventsAssert skeleton = assertThatEvents(events.stream()
                .filter(event -> !event.type().endsWith("-delta"))
                .toList());
        skeleton.ofPath("top").haveTypes(supervisor(2));
        for (String side : List.of("top/left", "top/right")) {
            skeleton.ofPath(side).haveTypes(supervisor(1));
            skeleton.ofPath(side + "/clerk").haveTypes(clerk());
        }
        everyChildRunsWithinItsDelegation(events);
    }

    /** What an agent tells that delegates so often in its first step, and answers in its second. */
    private static String[] supervisor(int delegations) {
        return words("""
                run-start
                  iteration-start step-start text-start text-end %s %s usage %s %s %s step-finish iteration-end
                  iteration-start step-start text-start text-end usage step-finish iteration-end
                run-finish""".formatted(
                        "tool-call-input-start ".repeat(delegations),
                        "tool-call-input-end ".repeat(delegations),
                        "tool-call ".repeat(delegations),
                        "delegation-start ".repeat(delegations),
                        "delegation-end tool-result ".repeat(delegations)));
    }

    /** What an agent without sub-agents tells that uses a tool in its first step, and answers in its second. */
    private static String[] clerk() {
        return words("""
                run-start
                  step-start tool-call-input-start tool-call-input-end usage tool-call tool-result step-finish
                  step-start text-start text-end usage step-finish
                run-finish""");
    }

    private static String[] words(String text) {
        return text.strip().split("\\s+");
    }

    private static void everyChildRunsWithinItsDelegation(List<RunEvent> events) {
        List<RunEvent.DelegationStart> delegations = events.stream()
                .filter(RunEvent.DelegationStart.class::isInstance)
                .map(RunEvent.DelegationStart.class::cast)
                .toList();
        assertThat(delegations).hasSize(4);
        for (RunEvent.DelegationStart start : delegations) {
            List<RunEvent> whole = events.stream()
                    .filter(event ->
                            event.equals(start) || event.runId().equals(start.childRunId()) || isEndOf(start, event))
                    .toList();
            assertThat(whole.getFirst()).isEqualTo(start);
            assertThat(whole.get(1)).isInstanceOf(RunEvent.RunStart.class);
            assertThat(whole.get(whole.size() - 2)).isInstanceOf(RunEvent.RunFinish.class);
            assertThat(whole.getLast()).isInstanceOf(RunEvent.DelegationEnd.class);
        }
    }

    private static boolean isEndOf(RunEvent.DelegationStart start, RunEvent event) {
        return event instanceof RunEvent.DelegationEnd end && end.callId().equals(start.callId());
    }

    @Test
    void cancellingBeforeAnAnswerClosesTheSocketsOfBothDelegations() throws Exception {
        Relay.Hold hold = relay.hold(requestsOf("left", "right"));
        cancelling(events -> hold.await(2));
    }

    @Test
    void cancellingInTheMiddleOfAnswersClosesTheSocketsOfBothDelegations() throws Exception {
        server.answers(List.of(
                Answer.of("top").delegates("agent-left", "Go left.", "agent-right", "Go right."),
                Answer.of("left").says("word ".repeat(600)).slowly(),
                Answer.of("right").says("word ".repeat(600)).slowly()));
        cancelling(events -> Relay.until(
                "both speak",
                () -> events.stream()
                                .filter(RunEvent.TextDelta.class::isInstance)
                                .map(event -> event.path().toString())
                                .filter(List.of("top/left", "top/right")::contains)
                                .distinct()
                                .count()
                        == 2));
    }

    /** Cancels a run at a moment at which both delegations wait for the server. */
    private void cancelling(Consumer<List<RunEvent>> moment) {
        List<RunEvent> events = new CopyOnWriteArrayList<>();
        try (RunStream run = top.stream("Go")) {
            CompletableFuture<Void> ended = reading(run, events);
            moment.accept(events);
            run.cancel();
            ended.join();
            assertThat(run.result().status()).isEqualTo(RunStatus.ABORTED);
        }
        for (String model : List.of("left", "right")) {
            assertThat(relay.lineOf(requestsOf(model)).awaitClosed())
                    .as("who closed the connection of %s", model)
                    .isEqualTo(Relay.Side.CLIENT);
        }
        assertThatEvents(events).arePaired().endWithRunFinish();
        assertThat(events)
                .filteredOn(RunEvent.Abort.class::isInstance)
                .extracting(event -> event.path().toString())
                .containsExactlyInAnyOrder("top", "top/left", "top/right");
    }

    private static WireRequest lastRequestOf(String model) throws IOException {
        return server.received().stream()
                .filter(request -> request.model().equals(model))
                .reduce((first, second) -> second)
                .orElseThrow();
    }
}
