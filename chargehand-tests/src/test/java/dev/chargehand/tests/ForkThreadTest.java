package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.hook.SubAgentContext;
import dev.chargehand.run.DelegationMemory;
import dev.chargehand.run.RunId;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What a fork writes to threads, and what its specialists remember. */
class ForkThreadTest extends ForkFixture {

    @Test
    void aForkHasAThreadOfItsOwnAndLeavesTheOldOneAlone() {
        Script script = script();
        try (TestRuntime test = builder(script).build()) {
            Consumer<RunOptions.Builder> conversation = o -> o.thread("t").resource("u");
            test.agent("lead").generate("Before", conversation);
            RunResult old = test.agent("lead").generate("Go", conversation);
            test.agent("lead").generate("After", conversation);
            List<String> before = thread(test, "t");

            RunResult fork = test.runtime().fork(old.runId(), 0, f -> {}).result();

            String own = fork.threadId().orElseThrow();
            assertThat(own).isNotEqualTo("t");
            assertThat(thread(test, "t")).isEqualTo(before);
            assertThat(thread(test, own)).startsWith(before.subList(0, 8).toArray(String[]::new));
            assertThat(thread(test, own)).hasSizeGreaterThan(9);
            assertThat(thread(test, own).get(8)).isEqualTo("user: Go");
            assertThat(thread(test, own)).noneMatch(line -> line.contains("After"));
            assertThat(fork.text()).contains("Before").doesNotContain("After");
            assertThatThrownBy(() -> test.thread(own, "somebody")).isInstanceOf(ThreadOwnershipException.class);
            assertThatThrownBy(() -> test.runtime()
                            .fork(old.runId(), 0, f -> f.options(o -> o.resource("eve")))
                            .result())
                    .isInstanceOf(ThreadOwnershipException.class);
            refused("cannot create thread 't': it already exists", () -> test.runtime()
                    .fork(old.runId(), 0, f -> f.options(o -> o.thread("t")))
                    .result());
            RunResult named = test.runtime()
                    .fork(old.runId(), 0, f -> f.options(o -> o.thread("copy")))
                    .result();
            assertThat(named.threadId()).contains("copy");
            test.agent("lead").generate("Next", o -> o.thread("copy").resource("u"));
            assertThat(thread(test, "copy")).contains("user: Next");
        }
    }

    @Test
    void theThreadOfAForkHasItsCopiedStepsAndWhatItWasToldInOrder() {
        try (TestRuntime test = builder(script()).build()) {
            RunResult old = test.agent("lead").generate("Go", Crew::inThread);
            RunResult fork = test.runtime()
                    .fork(old.runId(), 2, f -> f.addMessage("Hm."))
                    .result();
            List<String> thread = thread(test, fork.threadId().orElseThrow());
            assertThat(thread.subList(0, 5)).isEqualTo(thread(test, "t").subList(0, 5));
            assertThat(thread.get(5)).isEqualTo("user: Hm.");
            assertThat(thread.getLast()).isEqualTo("assistant: " + fork.text());
            assertThat(thread).hasSize(9);
        }
    }

    @Test
    void aForkNeverWritesToTheThreadsOfTheOldRunsDelegations() {
        Script script = Scripts.of(
                Turns.of(
                        "lead",
                        Turn.delegates("researcher", "P1"),
                        Turn.says("Old"),
                        Turn.calls("agent-researcher", Map.of("prompt", "P2", "continueFrom", "researcher-1")),
                        Turn.says("Fork")),
                Turns.saying("researcher", "A", "B"));
        try (TestRuntime test = builder(script).build()) {
            RunResult old = test.agent("lead")
                    .generate("Go", o -> o.thread("t").resource("u").enableResultReferences(true));
            RunId child = old.toolResults().getFirst().childRunId().orElseThrow();
            String childThread =
                    test.store().find(child).orElseThrow().threadId().orElseThrow();
            assertThat(test.runtime().fork(old.runId(), 1, f -> {}).result()).hasText("Fork");
            assertThat(ChildThread.read(test, childThread, "u", "lead/researcher"))
                    .containsExactly("user: P1", "assistant: A");
            assertThat(Wire.lines(script.requestsOf("researcher").getLast()))
                    .containsSubsequence("user: P1", "assistant: A", "user: P2");
        }
    }

    @Test
    void aSpecialistThatRemembersHearsACopiedDelegationOnce() {
        Agent boss =
                Agent.builder("boss").model("none/none").agents(specialist()).build();
        Script script = Scripts.of(
                Turns.of(
                        "boss",
                        Turn.delegates("researcher", "P1"),
                        Turn.says("Old"),
                        Turn.calls("agent-researcher", Map.of("prompt", "P2", "continueFrom", "researcher-1")),
                        Turn.says("Fork")),
                Turns.of("researcher", Turn.says("Fact").forever()));
        try (TestRuntime test = TestRuntime.builder(script).agents(boss).build()) {
            RunResult old = test.agent("boss").generate("Go", o -> o.thread("t")
                    .resource("u")
                    .enableResultReferences(true)
                    .subAgentContext(SubAgentContext.promptOnly()));
            assertThat(test.runtime().fork(old.runId(), 1, f -> {}).result()).hasText("Fork");
            assertThat(Wire.lines(script.requestsOf("researcher").getLast()))
                    .containsExactly("user: P1", "assistant: Fact", "user: P2");
        }
    }

    private static Agent specialist() {
        return Crew.agent("researcher", agent -> agent.delegationMemory(DelegationMemory.PER_PARENT_THREAD));
    }

    @Test
    void aSpecialistRemembersInAForkWhatItDidInTheCopiedStepsAndBefore() {
        Agent boss =
                Agent.builder("boss").model("none/none").agents(specialist()).build();
        Script script = Scripts.of(
                Turns.of(
                        "boss",
                        Turn.delegates("researcher", "P0"),
                        Turn.says("Earlier"),
                        Turn.delegates("researcher", "P1"),
                        Turn.delegates("researcher", "P2"),
                        Turn.says("Old"),
                        Turn.delegates("researcher", "P3"),
                        Turn.says("Fork")),
                Turns.of("researcher", Turn.says("Fact").forever()));
        Consumer<RunOptions.Builder> conversation =
                o -> o.thread("t").resource("u").subAgentContext(SubAgentContext.promptOnly());
        try (TestRuntime test = TestRuntime.builder(script).agents(boss).build()) {
            test.agent("boss").generate("Before", conversation);
            RunResult old = test.agent("boss").generate("Go", conversation);
            assertThat(test.runtime().fork(old.runId(), 1, f -> {}).result()).hasText("Fork");
            assertThat(Wire.lines(script.requestsOf("researcher").getLast()))
                    .containsExactly("user: P0", "assistant: Fact", "user: P1", "assistant: Fact", "user: P3");
        }
    }
}
