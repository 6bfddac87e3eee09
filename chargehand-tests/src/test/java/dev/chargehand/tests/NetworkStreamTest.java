package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunStream;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.RunId;
import dev.chargehand.run.Usage;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tests.Both.Ran;
import dev.chargehand.tool.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the stream of a network tells, and under which names. */
class NetworkStreamTest {

    private static final Tool TELLS = Steps.tool("tells", (in, context) -> {
        context.emit("progress", Map.of("percent", 50));
        return "done";
    });

    private static Script lookingBelow() {
        return Scripts.of(
                Turns.saying("supervisor", Routed.agent("researcher", "Find"), Routed.complete("ok", "It is S3.")),
                Turns.of(
                        "researcher", Turn.reasons("Hm.").and(Turn.delegates("clerk", "Look")), Turn.says("Found S3.")),
                Turns.of("clerk", Turn.calls("look", "{}"), Turn.says("S3")));
    }

    private static Agent router() {
        Agent researcher = Crew.agent("researcher", agent -> agent.agents(Crew.member("clerk", Crew.LOOK)));
        return Crew.supervisorOf(researcher, TELLS);
    }

    @Test
    void everyEventOfAChosenAgentAndOfThoseBelowItHasTheNameOfTheNetwork() {
        Ran ran = Both.ways(NetworkStreamTest::lookingBelow)
                .agent(router())
                .network()
                .run();
        RunId root = ran.result().runId();
        assertThat(ran.events())
                .filteredOn(event -> !event.runId().equals(root))
                .isNotEmpty()
                .allSatisfy(event -> {
                    assertThat(event.type()).startsWith("agent-execution-event-");
                    assertThat(event.origin().network()).isTrue();
                });
        assertThat(ran.events())
                .filteredOn(event -> event.runId().equals(root))
                .allSatisfy(event -> assertThat(event.origin().network()).isTrue());
        assertThat(ran.events())
                .filteredOn(event -> event.path().toString().equals("supervisor/researcher/clerk"))
                .extracting(RunEvent::type)
                .contains("agent-execution-event-start", "agent-execution-event-tool-call");
        assertThat(ran.events())
                .extracting(RunEvent::type)
                .contains("agent-execution-event-reasoning-delta", "agent-execution-event-delegation-start")
                .doesNotContain("step-start", "text-delta", "delegation-start", "tool-call", "iteration-start");
        // the same event, not a copy beside it
        assertThat(ran.all(RunEvent.RunStart.class)).hasSize(3);
        assertThat(ran.all(RunEvent.TextDelta.class))
                .extracting(RunEvent.TextDelta::text)
                .containsExactly("S3", "Found S3.", "It is S3.");
    }

    @Test
    void theNameOnTheWireIsTheOneInJson() {
        Ran ran = Both.ways(NetworkStreamTest::lookingBelow)
                .agent(router())
                .network()
                .run();
        assertThat(ran.events())
                .allSatisfy(event -> assertThat(event.toJson().at("/type").flatMap(Json::string))
                        .contains(event.type()));
        Json decision = ran.all(RunEvent.RoutingAgentEnd.class).getFirst().toJson();
        assertThat(decision.at("/primitiveId")).contains(Json.of("researcher"));
        assertThat(decision.at("/primitiveType")).contains(Json.of("agent"));
        assertThat(decision.at("/prompt")).contains(Json.of("Find"));
        assertThat(decision.at("/selectionReason")).contains(Json.of("because"));
    }

    @Test
    void whatAToolTellsHasTheNameOfTheNetwork() {
        Ran ran = Both.ways(Turns.saying("supervisor", Routed.tool("tells", "{}"), Routed.complete("ok", "")))
                .agent(router())
                .network()
                .run();
        assertThat(Routed.types(ran.events()))
                .containsSubsequence(
                        "tool-execution-start", "tool-execution-event-data-progress", "tool-execution-end");
        assertThat(ran.result()).hasText("done");
    }

    @Test
    @SuppressWarnings("deprecation") // what is tested
    void theTextStreamHasWhatIsSaidToTheUserAndNoDecision() {
        try (TestRuntime test = TestRuntime.with(lookingBelow());
                RunStream run = test.bind(router()).network("Go", o -> o.thread("t"))) {
            List<String> texts = new ArrayList<>();
            run.textStream().forEach(texts::add);
            assertThat(texts).containsExactly("It is S3.");
        }
    }

    @Test
    void anOrdinaryRunOfTheSameAgentHasTheUsualNames() {
        Ran ran = Both.run(router(), Turns.of("supervisor", Turn.calls("tells", "{}"), Turn.says("Done")));
        assertThat(Routed.types(ran.events())).contains("iteration-start", "step-start", "tool-call", "data-progress");
        assertThat(ran.events()).allMatch(event -> !event.origin().network());
    }

    @Test
    @SuppressWarnings("deprecation") // what is tested
    void aForkOfANetworkIsANetwork() {
        Script script = Scripts.of(
                Turns.saying(
                        "supervisor",
                        Routed.tool("tells", "{}"),
                        Routed.complete("ok", "First."),
                        Routed.agent("writer", "Write"),
                        Routed.complete("ok", "")),
                Turns.saying("writer", "WB"));
        try (TestRuntime test = TestRuntime.builder(script).agents(router()).build()) {
            RunId first = test.agent("supervisor")
                    .generateNetwork("Go", Crew::inThread)
                    .runId();
            assertThat(test.runtime()
                            .fork(first, 1, fork -> fork.addMessage("Write it, too."))
                            .result())
                    .hasText("WB")
                    .hasSteps(2);
            assertThat(test.events())
                    .extracting(RunEvent::type)
                    .endsWith("network-execution-event-finish", "run-finish");
        }
    }

    @Test
    @SuppressWarnings("deprecation") // what is tested
    void manyNetworksOfOneAgentRunSideBySide() {
        Script script = Scripts.on(
                "supervisor",
                Turn.answers(request -> new ModelResponse(
                                Routed.none("Hello."), "", List.of(), FinishReason.STOP, Usage.of(1, 1)))
                        .forever());
        try (TestRuntime test = TestRuntime.builder(script).agents(router()).build()) {
            List<RunStream> runs = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                String thread = "t" + i;
                runs.add(test.agent("supervisor").network("Go", o -> o.thread(thread)));
            }
            runs.forEach(run -> assertThat(run.result()).hasText("Hello."));
            runs.forEach(RunStream::close);
        }
    }
}
