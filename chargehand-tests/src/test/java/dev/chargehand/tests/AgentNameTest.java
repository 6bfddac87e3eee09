package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.event.RunEvent;
import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.json.Json;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** An agent's name for people is beside its id in events and hook contexts. */
class AgentNameTest {

    private static final Agent NAMED = Agent.builder("researcher")
            .name("The researcher")
            .description("finds facts")
            .model("none/none")
            .build();

    private static Agent supervisor() {
        return Agent.builder("supervisor")
                .name("The boss")
                .model("none/none")
                .agents(NAMED, Crew.WRITER)
                .build();
    }

    private static Stream<String> names(RunEvent event) {
        return switch (event) {
            case RunEvent.RunStart e -> Stream.of(e.agentId() + "=" + e.agentName());
            case RunEvent.DelegationStart e -> Stream.of("starts " + e.agentId() + "=" + e.agentName());
            case RunEvent.DelegationEnd e -> Stream.of("ended " + e.agentId() + "=" + e.agentName());
            case RunEvent.DelegationRejected e -> Stream.of("rejected " + e.agentId() + "=" + e.agentName());
            case RunEvent.DelegationBail e -> Stream.of("bailed " + e.agentId() + "=" + e.agentName());
            default -> Stream.empty();
        };
    }

    @Test
    void theDefaultIsTheId() {
        assertThat(Crew.WRITER.name()).isEqualTo("writer");
        assertThat(NAMED.name()).isEqualTo("The researcher");
    }

    @Test
    void aBlankNameIsRejected() {
        Steps.assertMisconfigured(() -> Agent.builder("a").name(" "), "its name is blank");
    }

    @Test
    void eventsHaveItAlsoWhenTheyAreToldFromStoredFacts() {
        Script script = Scripts.of(
                Turns.of("supervisor", Turn.delegates("writer", "Write").and(Turn.delegates("researcher", "Find"))),
                Turns.saying("researcher", "Fact"));
        try (TestRuntime test =
                TestRuntime.builder(script).agents(supervisor()).manualClock().build()) {
            RunResult result = test.agent("supervisor").generate("Go", o -> o.onDelegationStart(
                            start -> start.key().equals("writer")
                                    ? DelegationDecision.reject("No.")
                                    : DelegationDecision.proceed())
                    .onDelegationComplete(end -> end.bail()));
            List<String> expected = List.of(
                    "supervisor=The boss",
                    "starts researcher=The researcher",
                    "researcher=The researcher",
                    "rejected writer=writer",
                    "ended researcher=The researcher",
                    "bailed researcher=The researcher");
            assertThat(test.events().stream().flatMap(AgentNameTest::names))
                    .containsExactlyInAnyOrderElementsOf(expected);
            assertThat(test.runtime().history(result.runId()).stream().flatMap(AgentNameTest::names))
                    .containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @Test
    void theEventAsJsonHasIt() {
        Script script = Scripts.oneDelegation();
        try (TestRuntime test = TestRuntime.builder(script).agents(supervisor()).build()) {
            test.agent("supervisor").generate("Go");
            Set<String> names = test.events().stream()
                    .map(event -> event.toJson().fields().get("agentName"))
                    .filter(Objects::nonNull)
                    .map(Json::text)
                    .collect(Collectors.toSet());
            assertThat(names).containsExactlyInAnyOrder("\"The boss\"", "\"The researcher\"");
        }
    }

    @Test
    void hooksHaveIt() {
        List<String> heard = new ArrayList<>();
        Script script = Scripts.oneDelegation();
        try (TestRuntime test = TestRuntime.builder(script).agents(supervisor()).build()) {
            test.agent("supervisor").generate("Go", o -> o.messageFilter(
                            filter -> Steps.noted(heard, "filters " + filter.agentName(), filter.messages()))
                    .onDelegationStart(
                            start -> Steps.noted(heard, "starts " + start.agentName(), DelegationDecision.proceed()))
                    .onDelegationComplete(end -> Steps.noted(
                            heard,
                            "ends " + end.agentName() + " of " + end.run().agentName(),
                            end.accept()))
                    .onIterationComplete(it -> {
                        it.currentStep()
                                .toolResults()
                                .forEach(outcome -> heard.add("in step "
                                        + outcome.delegation().orElseThrow().agentName()));
                        return IterationDecision.proceed();
                    }));
        }
        assertThat(heard)
                .containsExactly(
                        "starts The researcher",
                        "filters The researcher",
                        "ends The researcher of The boss",
                        "in step The researcher");
    }
}
