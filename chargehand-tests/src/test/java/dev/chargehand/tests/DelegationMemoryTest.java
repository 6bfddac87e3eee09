package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.hook.SubAgentContext;
import dev.chargehand.run.DelegationMemory;
import dev.chargehand.store.RunFilter;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What sub-agents remember of earlier delegations, and what of a controlled run is kept with its thread. */
class DelegationMemoryTest {

    private static final String SYSTEM = "system: You are researcher.";

    private static Agent specialist() {
        return Crew.supervisorOf(
                Crew.member("researcher", agent -> agent.delegationMemory(DelegationMemory.PER_PARENT_THREAD)));
    }

    private static List<String> request(Script script, int number) {
        return Wire.lines(script.requestsOf("researcher").get(number - 1));
    }

    private static RunResult run(Agent agent, String input, String thread, String resource) {
        return agent.generate(
                input, o -> o.thread(thread).resource(resource).subAgentContext(SubAgentContext.promptOnly()));
    }

    @Test
    void aSpecialistRemembersTheDelegationsOfItsConversation() {
        Script script = Scripts.twoTurnsThatDelegate();
        try (TestRuntime test = TestRuntime.with(script)) {
            Agent agent = test.bind(specialist());
            run(agent, "One", "t", "u");
            run(agent, "Two", "t", "u");
            assertThat(request(script, 2)).containsExactly(SYSTEM, "user: P1", "assistant: A", "user: P2");
        }
    }

    @Test
    void aSpecialistRemembersWithinOneRunToo() {
        Script script = Scripts.of(
                Turns.of(
                        "supervisor",
                        Turn.delegates("researcher", "P1"),
                        Turn.delegates("researcher", "P2"),
                        Turn.says("Done")),
                Turns.saying("researcher", "A", "B"));
        try (TestRuntime test = TestRuntime.with(script)) {
            run(test.bind(specialist()), "One", "t", "u");
            assertThat(request(script, 2)).containsExactly(SYSTEM, "user: P1", "assistant: A", "user: P2");
        }
    }

    @Test
    void aSpecialistRemembersNothingOfAnotherConversation() {
        Script script = Scripts.twoTurnsThatDelegate();
        try (TestRuntime test = TestRuntime.with(script)) {
            Agent agent = test.bind(specialist());
            run(agent, "One", "t1", "u");
            run(agent, "Two", "t2", "u");
            assertThat(request(script, 2)).containsExactly(SYSTEM, "user: P2");
        }
    }

    @Test
    void aSpecialistWithoutAConversationAboveItRemembersNothing() {
        Script script = Scripts.twoTurnsThatDelegate();
        try (TestRuntime test = TestRuntime.with(script)) {
            Agent agent = test.bind(specialist());
            agent.generate("One");
            agent.generate("Two");
            assertThat(request(script, 2)).containsExactly(SYSTEM, "user: Two", "user: P2");
        }
    }

    @Test
    void twoDelegationsToASpecialistAtOnceShareItsThreadAndLoseNothing() {
        Script script = Scripts.of(
                Turns.of(
                        "supervisor",
                        Turn.delegates("researcher", "P1").and(Turn.delegates("researcher", "P2")),
                        Turn.says("Done")),
                Turns.of(
                        "researcher",
                        Turn.says("A").whenAsked("P1"),
                        Turn.says("B").whenAsked("P2")));
        try (TestRuntime test = TestRuntime.with(script)) {
            RunResult result = run(test.bind(specialist()), "One", "t", "u");
            assertThat(result).finished();
            var children = test.store().list(RunFilter.ROOTS.tree(result.runId())).stream()
                    .filter(run -> !run.isRoot())
                    .toList();
            assertThat(children).hasSize(2);
            assertThat(children.get(0).threadId()).isEqualTo(children.get(1).threadId());
            assertThat(ChildThread.read(
                            test, children.getFirst().threadId().orElseThrow(), "u", "supervisor/researcher"))
                    .containsExactlyInAnyOrder("user: P1", "assistant: A", "user: P2", "assistant: B");
        }
    }
}
