package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.event.RunEvent;
import dev.chargehand.hook.Hook;
import dev.chargehand.hook.HookPolicy;
import dev.chargehand.hook.SubAgentContext;
import dev.chargehand.run.RunStatus;
import dev.chargehand.tests.Both.Ran;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the failure of a hook means: observers fail open, guards fail closed, and the options can say otherwise. */
class HookPolicyTest {

    /** Every kind of hook, one that throws. */
    private static Consumer<RunOptions.Builder> throwing(Hook hook) {
        return switch (hook) {
            case PREPARE_STEP -> o -> o.prepareStep(step -> bad());
            case BEFORE_TOOL_CALL -> o -> o.beforeToolCall(call -> bad());
            case REQUIRE_TOOL_APPROVAL -> o -> o.requireToolApproval(call -> bad());
            case ON_DELEGATION_START -> o -> o.onDelegationStart(start -> bad());
            case MESSAGE_FILTER -> o -> o.messageFilter(filter -> bad());
            case OBSERVE_DELEGATION_START -> o -> o.observeDelegationStart(start -> bad());
            case ON_DELEGATION_COMPLETE -> o -> o.onDelegationComplete(end -> bad());
            case ON_ITERATION_COMPLETE -> o -> o.onIterationComplete(it -> bad());
            case ON_COMPLETE ->
                o -> o.completion(Completion.all(Scorer.of("picky", answer -> Score.fail("no")))
                        .everyStep()
                        .onComplete(result -> bad()));
            case STOP_WHEN -> o -> o.stopWhen(step -> bad());
            case ON_STEP_FINISH -> o -> o.onStepFinish(step -> bad());
        };
    }

    @SuppressWarnings("TypeParameterUnusedInFormals") // it gives no value
    private static <T> T bad() {
        throw new IllegalStateException("bad hook");
    }

    private static Ran delegating(Consumer<RunOptions.Builder> options) {
        return Both.run(Crew.supervisor(), options, Scripts::oneDelegation);
    }

    @ParameterizedTest
    @EnumSource(
            value = Hook.class,
            names = {
                "OBSERVE_DELEGATION_START",
                "ON_DELEGATION_COMPLETE",
                "ON_ITERATION_COMPLETE",
                "STOP_WHEN",
                "ON_STEP_FINISH"
            })
    void anObserverThatThrowsIsReportedAndTheRunGoesOnAsWithoutIt(Hook hook) {
        Ran ran = delegating(throwing(hook));
        assertThat(ran.result()).finished().hasText("Done");
        assertThat(ran.request("supervisor", 2).getLast()).isEqualTo("tool: agent-researcher = Fact");
        assertThat(ran.all(RunEvent.HookError.class)).isNotEmpty().allSatisfy(event -> {
            RunEvent.HookError error = event;
            assertThat(error.hook()).startsWith(hook.key());
            assertThat(error.message()).contains("bad hook");
        });
    }

    @ParameterizedTest
    @EnumSource(
            value = Hook.class,
            names = {"BEFORE_TOOL_CALL", "ON_DELEGATION_START", "MESSAGE_FILTER"})
    void aGuardThatThrowsRefusesTheDelegationAndTheRunGoesOn(Hook hook) {
        Ran ran = delegating(throwing(hook));
        assertThat(ran.result()).finished().hasText("Done");
        assertThat(ran.script().requestsOf("researcher")).isEmpty();
        assertThat(ran.request("supervisor", 2).getLast())
                .isEqualTo("tool: agent-researcher error: Agent 'researcher' was not called. Reason: The check '"
                        + hook.key() + "' failed, and nothing is done without it.");
        assertThatEvents(ran.events())
                .areInOrder("hook-error", "delegation-rejected", "tool-error")
                .doNotContain("delegation-start");
    }

    @Test
    void aFilterOfTheSubAgentsContextThatThrowsRefusesTheDelegationToo() {
        Ran ran =
                delegating(o -> o.subAgentContext(SubAgentContext.fullHistory().withFilter(message -> bad())));
        assertThat(ran.script().requestsOf("researcher")).isEmpty();
        assertThat(ran.result()).finished().toolFailed("agent-researcher", "'messageFilter' failed");
    }

    static Stream<Arguments> silent() {
        return Stream.of(
                Arguments.of(Hook.BEFORE_TOOL_CALL, named("beforeToolCall", o -> o.beforeToolCall(call -> null))),
                Arguments.of(
                        Hook.ON_DELEGATION_START, named("onDelegationStart", o -> o.onDelegationStart(start -> null))),
                Arguments.of(Hook.MESSAGE_FILTER, named("messageFilter", o -> o.messageFilter(filter -> null))));
    }

    private static Named<Consumer<RunOptions.Builder>> named(String name, Consumer<RunOptions.Builder> hook) {
        return Named.of(name, hook);
    }

    @ParameterizedTest
    @MethodSource("silent")
    void aGuardThatDecidesNothingRefuses(Hook hook, Consumer<RunOptions.Builder> options) {
        Ran ran = delegating(options);
        assertThat(ran.script().requestsOf("researcher")).isEmpty();
        assertThat(ran.result()).finished().toolFailed("agent-researcher", hook.key());
    }

    @Test
    void aGuardThatThrowsNeverLetsARegularToolRun() {
        Ran ran = Both.run(
                Crew.solo(Crew.OK), o -> o.beforeToolCall(call -> bad()), Turn.calls("ok", "{}"), Turn.says("Done"));
        assertThat(ran.result()).finished().toolFailed("ok", "'beforeToolCall' failed");
        assertThatEvents(ran.events()).areInOrder("hook-error", "tool-output-denied", "tool-error");
    }

    @Test
    void oneGuardThatThrowsDoesNotHoldUpTheOtherCalls() {
        Ran ran = Both.ways(() ->
                        Scripts.twoDelegations().on("researcher").on("writer").says("Draft"))
                .mintingSideBySide()
                .agent(Crew.supervisor())
                .options(o -> o.messageFilter(filter -> {
                    if (filter.key().equals("researcher")) {
                        return bad();
                    }
                    return filter.messages();
                }))
                .run();
        assertThat(ran.result()).finished().toolFailed("agent-researcher", "'messageFilter' failed");
        assertThat(ran.request("supervisor", 2).getLast()).endsWith("agent-writer = Draft");
    }

    @ParameterizedTest
    @EnumSource(Hook.class)
    void everyHookCanBeToldToFailTheRun(Hook hook) {
        Ran ran = Both.run(
                Crew.supervisor(),
                throwing(hook).andThen(o -> o.hookPolicy(hook, HookPolicy.FAIL_RUN)),
                () -> Scripts.oneDelegation().on("supervisor").says("More"));
        assertThat(ran.result()).hasStatus(RunStatus.FAILED);
        assertThat(ran.failure().code()).isEqualTo("hook-failed");
        assertThat(ran.failure()).hasMessageContaining(hook.key()).hasMessageContaining("bad hook");
        assertThatEvents(ran.events()).areInOrder("error", "run-finish");
    }

    @Test
    void prepareStepCanBeToldToBeIgnored() {
        Ran ran = delegating(
                throwing(Hook.PREPARE_STEP).andThen(o -> o.hookPolicy(Hook.PREPARE_STEP, HookPolicy.CONTINUE)));
        assertThat(ran.result()).finished().hasText("Done");
        assertThatEvents(ran.events()).contain("hook-error");
    }

    @ParameterizedTest
    @EnumSource(
            value = Hook.class,
            names = {"BEFORE_TOOL_CALL", "ON_DELEGATION_START"})
    void aGuardCanBeToldToFailOpen(Hook hook) {
        Ran ran = delegating(throwing(hook).andThen(o -> o.hookPolicy(hook, HookPolicy.CONTINUE)));
        assertThat(ran.result()).finished().hasText("Done").delegatedTo("researcher", "P");
        assertThat(ran.request("researcher", 1))
                .containsExactly("system: You are researcher.", "user: Do the task", "user: P");
        assertThatEvents(ran.events()).contain("hook-error");
    }

    @ParameterizedTest
    @CsvSource({
        "MESSAGE_FILTER, CONTINUE, 'REFUSE, FAIL_RUN'",
        "ON_ITERATION_COMPLETE, REFUSE, 'CONTINUE, FAIL_RUN'",
        "ON_DELEGATION_COMPLETE, REFUSE, 'CONTINUE, FAIL_RUN'",
        "STOP_WHEN, REFUSE, 'CONTINUE, FAIL_RUN'"
    })
    void aPolicyThatAHookCannotHaveIsRefusedWhenTheOptionsAreMade(Hook hook, HookPolicy policy, String allowed) {
        Steps.assertMisconfigured(
                () -> Crew.agent("solo", agent -> agent.defaultOptions(o -> o.hookPolicy(hook, policy))),
                "'" + hook.key() + "' cannot mean " + policy);
        for (String other : allowed.split(", ", -1)) {
            assertThat(hook.allows(HookPolicy.valueOf(other))).isTrue();
        }
    }

    @Test
    void thePolicyOfTheAgentHoldsUnlessTheCallSaysOtherwise() {
        Agent strict = Crew.agent(
                "solo",
                agent -> agent.defaultOptions(
                        o -> o.hookPolicy(Hook.STOP_WHEN, HookPolicy.FAIL_RUN).stopWhen(step -> bad())));
        assertThat(Both.run(strict, Turns.saying("solo", "Hi")).result()).hasStatus(RunStatus.FAILED);
        assertThat(Both.run(strict, o -> o.hookPolicy(Hook.STOP_WHEN, HookPolicy.CONTINUE), Turns.saying("solo", "Hi"))
                        .result())
                .finished();
    }
}
