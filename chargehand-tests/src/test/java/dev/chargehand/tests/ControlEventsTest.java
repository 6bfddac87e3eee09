package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.event.RunEvent;
import dev.chargehand.hook.DelegationCompleteContext;
import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.tests.Both.Ran;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/** PRD 7.2, Stream events emitted correctly: their order, their pairs, and what they carry. */
class ControlEventsTest {

    private static final Duration STEP = Duration.ofSeconds(3);

    @Test
    void aScoredRunWithADelegationTellsItsEventsInThisOrder() {
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.onIterationComplete(it -> IterationDecision.proceed())
                        .completion(Completion.all(Scorer.of("fine", answer -> Score.pass("good")))),
                Scripts::oneDelegation);
        assertThatEvents(ran.events())
                .ofPath("supervisor")
                .haveTypes(
                        "run-start",
                        "iteration-start",
                        "step-start",
                        "tool-call-input-start",
                        "tool-call-delta",
                        "tool-call-input-end",
                        "usage",
                        "tool-call",
                        "delegation-start",
                        "delegation-end",
                        "tool-result",
                        "step-finish",
                        "iteration-end",
                        "iteration-start",
                        "step-start",
                        "text-start",
                        "text-delta",
                        "text-end",
                        "usage",
                        "scoring-start",
                        "scoring-complete",
                        "step-finish",
                        "iteration-end",
                        "run-finish");
        assertThatEvents(ran.events())
                .areInOrder("delegation-start", "run-start", "run-finish", "delegation-end", "tool-result");
        assertThatEvents(ran.events())
                .ofPath("supervisor/researcher")
                .haveTypes(
                        "run-start",
                        "step-start",
                        "text-start",
                        "text-delta",
                        "text-end",
                        "usage",
                        "step-finish",
                        "run-finish");
    }

    @Test
    void eventsCarryWhoDidWhatAndHowItEnded() {
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.maxSteps(7)
                        .onIterationComplete(it -> it.iteration() == 1
                                ? IterationDecision.proceedWith("Go on.")
                                : IterationDecision.proceed())
                        .completion(Completion.all(Scorer.of("fine", answer -> Score.pass("good")))),
                Scripts::oneDelegation);
        String callId = ran.result().toolResults().getFirst().callId();
        var childRunId = ran.result().toolResults().getFirst().childRunId().orElseThrow();
        assertThat(ran.all(RunEvent.DelegationStart.class)).singleElement().satisfies(start -> {
            assertThat(start.callId()).isEqualTo(callId);
            assertThat(start.agentId()).isEqualTo("researcher");
            assertThat(start.prompt()).isEqualTo("P");
            assertThat(start.childRunId()).isEqualTo(childRunId);
            assertThat(start.step()).isEqualTo(1);
            assertThat(start.path()).hasToString("supervisor");
        });
        assertThat(ran.all(RunEvent.DelegationEnd.class)).singleElement().satisfies(end -> {
            assertThat(end.callId()).isEqualTo(callId);
            assertThat(end.childRunId()).isEqualTo(childRunId);
            assertThat(end.status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(end.stopReason()).isEqualTo(new StopReason.Finished());
            assertThat(end.text()).isEqualTo("Fact");
            assertThat(end.usage()).isEqualTo(Usage.of(10, 5));
        });
        assertThat(ran.all(RunEvent.IterationStart.class))
                .extracting(RunEvent.IterationStart::step, RunEvent.IterationStart::maxSteps)
                .containsExactly(tuple(1, 7), tuple(2, 7));
        assertThat(ran.all(RunEvent.IterationEnd.class))
                .satisfiesExactly(
                        first -> {
                            assertThat(first.step()).isEqualTo(1);
                            assertThat(first.stopReason()).isNull();
                            assertThat(first.decision()).isEqualTo("proceed");
                            assertThat(first.feedback()).containsExactly("Go on.");
                        },
                        second -> {
                            assertThat(second.step()).isEqualTo(2);
                            assertThat(second.stopReason()).isEqualTo(new StopReason.TaskComplete());
                            assertThat(second.feedback()).isEmpty();
                        });
        assertThat(ran.all(RunEvent.ScoringStart.class)).singleElement().satisfies(start -> assertThat(start.scorers())
                .containsExactly("fine"));
        assertThat(ran.all(RunEvent.ScoringComplete.class)).singleElement().satisfies(done -> {
            assertThat(done.complete()).isTrue();
            assertThat(done.results())
                    .isEqualTo(ran.result().completion().orElseThrow().scorers());
        });
    }

    @Test
    void endEventsCarryHowLongItTook() {
        Semaphore working = new Semaphore(0);
        CountDownLatch[] go = new CountDownLatch[3];
        List<Duration> seen = new CopyOnWriteArrayList<>();
        Ran ran = Both.ways(() -> {
                    for (int i = 0; i < go.length; i++) {
                        go[i] = new CountDownLatch(1);
                    }
                    return Scripts.of(
                            Turns.of("supervisor", Turn.delegates("researcher", "P"), Turn.says("Done")),
                            Turns.of(
                                    "researcher",
                                    Turn.does(working::release)
                                            .and(Turn.waitsFor(go[0]))
                                            .and(Turn.says("Fact"))));
                })
                .agent(Crew.supervisor())
                .options(o -> o.onDelegationComplete(end -> {
                            seen.add(end.duration());
                            working.release();
                            Waiting.on(go[1]);
                            return end.accept();
                        })
                        .completion(Completion.all(Scorer.of("slow", answer -> {
                            working.release();
                            Waiting.on(go[2]);
                            return Score.pass();
                        }))))
                .driving(clock -> {
                    for (int i = 0; i < 3; i++) {
                        working.acquireUninterruptibly();
                        clock.advance(STEP);
                        go[i].countDown();
                    }
                })
                .run();
        assertThat(seen).isNotEmpty().containsOnly(STEP);
        assertThat(ran.all(RunEvent.HookError.class)).isEmpty();
        assertThat(ran.all(RunEvent.DelegationEnd.class))
                .extracting(RunEvent.DelegationEnd::duration)
                .containsExactly(STEP.multipliedBy(2));
        assertThat(ran.all(RunEvent.ToolResult.class))
                .extracting(RunEvent.ToolResult::duration)
                .containsExactly(STEP.multipliedBy(2));
        assertThat(ran.all(RunEvent.ScoringComplete.class))
                .extracting(RunEvent.ScoringComplete::duration)
                .containsExactly(STEP);
        assertThat(ran.all(RunEvent.IterationEnd.class))
                .extracting(RunEvent.IterationEnd::duration)
                .containsExactly(STEP.multipliedBy(2), STEP);
        assertThat(ran.all(RunEvent.StepFinish.class))
                .extracting(RunEvent.StepFinish::duration)
                .containsExactly(STEP, STEP.multipliedBy(2), STEP);
        assertThat(ran.all(RunEvent.RunFinish.class))
                .extracting(RunEvent.RunFinish::duration)
                .containsExactly(STEP, STEP.multipliedBy(3));
    }

    // PRD 7.2: Bail + streaming works correctly
    @Test
    void aBailIsToldAfterTheStepsResultsAndBeforeItsEndAndTheStreamEnds() {
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.onDelegationComplete(DelegationCompleteContext::bail),
                Scripts::oneDelegation);
        assertThatEvents(ran.events())
                .ofPath("supervisor")
                .areInOrder(
                        "delegation-start",
                        "delegation-end",
                        "tool-result",
                        "delegation-bail",
                        "step-finish",
                        "iteration-end",
                        "run-finish")
                .doNotContain("text-start");
        assertThat(ran.all(RunEvent.RunFinish.class).getLast().text()).isEqualTo("Fact");
        assertThat(ran.all(RunEvent.RunFinish.class).getLast().stopReason())
                .isEqualTo(ran.result().stopReason());
    }

    @Test
    void aRejectionIsToldWithoutAStartOrAnEnd() {
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.onDelegationStart(start -> DelegationDecision.reject("Premium required")),
                Scripts::oneDelegation);
        assertThatEvents(ran.events())
                .areInOrder("tool-call", "delegation-rejected", "tool-error", "step-finish", "iteration-end")
                .doNotContain("delegation-start")
                .doNotContain("delegation-end");
        assertThat(ran.all(RunEvent.DelegationRejected.class))
                .singleElement()
                .satisfies(rejected -> assertThat(rejected.reason()).isEqualTo("Premium required"));
    }

    @Test
    void eventsHaveTheNamesAndFieldsOfTheWire() {
        Ran ran = Both.run(
                Crew.supervisor(),
                o -> o.completion(Completion.all(Scorer.of("fine", answer -> Score.pass("good")))),
                Scripts::oneDelegation);
        assertThat(ran.events())
                .extracting(RunEvent::type)
                .containsAll(Set.of(
                        "iteration-start",
                        "delegation-start",
                        "delegation-end",
                        "iteration-end",
                        "scoring-start",
                        "scoring-complete"));
        assertThat(ran.all(RunEvent.DelegationEnd.class).getFirst().toJson().text())
                .contains("\"type\":\"delegation-end\"")
                .contains("\"agentId\":\"researcher\"")
                .contains("\"text\":\"Fact\"")
                .contains("\"durationMillis\":0");
        assertThat(ran.all(RunEvent.ScoringComplete.class).getFirst().toJson().text())
                .contains("\"complete\":true")
                .contains("\"scorer\":\"fine\"")
                .contains("\"reason\":\"good\"");
    }

    @Test
    void anAgentWithoutSubAgentsTellsNoIterations() {
        Ran ran = Both.run(
                Crew.solo(), o -> o.onIterationComplete(it -> IterationDecision.proceed()), Turns.saying("solo", "Hi"));
        assertThatEvents(ran.events()).doNotContain("iteration-start").doNotContain("iteration-end");
    }
}
