package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunStream;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tests.Both.Ran;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a run tells, in which order. */
class StreamTest extends StreamFixture {

    @Test
    void aSupervisedRunIsToldInThisOrder() {
        Ran ran = Both.run(crew(), StreamTest::supervised);
        assertThatEvents(ran.events())
                .ofPath("supervisor")
                .haveTypes(
                        "run-start",
                        "iteration-start",
                        "step-start",
                        "reasoning-start",
                        "reasoning-delta",
                        "reasoning-end",
                        "text-start",
                        "text-delta",
                        "text-end",
                        "tool-call-input-start",
                        "tool-call-delta",
                        "tool-call-delta",
                        "tool-call-delta",
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
                        "text-delta",
                        "text-end",
                        "usage",
                        "step-finish",
                        "iteration-end",
                        "run-finish");
        assertThatEvents(ran.events())
                .ofPath("supervisor/researcher")
                .haveTypes(
                        "run-start",
                        "step-start",
                        "tool-call-input-start",
                        "tool-call-delta",
                        "tool-call-input-end",
                        "usage",
                        "tool-call",
                        "tool-result",
                        "step-finish",
                        "step-start",
                        "text-start",
                        "text-delta",
                        "text-end",
                        "usage",
                        "step-finish",
                        "run-finish");
    }

    @Test
    void argumentsArriveUnderTheIdOfTheirCall() {
        Ran ran = Both.run(crew(), StreamTest::supervised);
        for (String path : List.of("supervisor", "supervisor/researcher")) {
            List<RunEvent> own = ran.events().stream()
                    .filter(event -> event.path().toString().equals(path))
                    .toList();
            List<String> calls = own.stream()
                    .filter(RunEvent.ToolCall.class::isInstance)
                    .map(event -> ((RunEvent.ToolCall) event).callId())
                    .toList();
            assertThat(own.stream()
                            .filter(RunEvent.ToolCallInputStart.class::isInstance)
                            .map(event -> ((RunEvent.ToolCallInputStart) event).callId())
                            .toList())
                    .isEqualTo(calls);
            assertThat(own.stream()
                            .filter(RunEvent.ToolCallDelta.class::isInstance)
                            .map(event -> ((RunEvent.ToolCallDelta) event).callId())
                            .distinct()
                            .toList())
                    .isEqualTo(calls);
        }
    }

    @Test
    void nestedEventsCarryTheirOwnPathAndRunAndStandInsideTheirDelegation() {
        Ran ran = Both.run(crew(), StreamTest::supervised);
        List<RunEvent> events = ran.events();
        RunEvent.DelegationStart start = first(events, RunEvent.DelegationStart.class);
        RunEvent.DelegationEnd end = first(events, RunEvent.DelegationEnd.class);
        List<RunEvent> nested = events.stream()
                .filter(event -> event.runId().equals(start.childRunId()))
                .toList();
        assertThat(nested).isNotEmpty().allSatisfy(event -> {
            assertThat(event.path().toString()).isEqualTo("supervisor/researcher");
            assertThat(events.indexOf(event)).isBetween(events.indexOf(start), events.indexOf(end));
        });
        assertThat(start.prompt()).isEqualTo("Find");
        assertThat(end.text()).isEqualTo("Fact");
        assertThat(end.usage().totalTokens()).isEqualTo(30);
        assertThat(end.status()).isEqualTo(RunStatus.COMPLETED);
        RunEvent.RunStart childStart = (RunEvent.RunStart) nested.getFirst();
        assertThat(childStart.parentRunId()).isEqualTo(events.getFirst().runId());
    }

    @Test
    void theLastEventSaysHowTheRunEnded() {
        Ran ran = Both.run(crew(), StreamTest::supervised);
        RunEvent.RunFinish finish = (RunEvent.RunFinish) ran.events().getLast();
        assertThat(finish.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(finish.stopReason()).isEqualTo(new StopReason.Finished());
        assertThat(finish.text()).isEqualTo("Done");
        assertThat(finish.totalUsage()).isEqualTo(ran.result().totalUsage());
    }

    @Test
    void everyEventIsOneFlatJsonObject() {
        Ran ran = Both.run(crew(), StreamTest::supervised);
        assertThat(ran.events()).allSatisfy(event -> {
            assertThat(event.toJson().isObject()).isTrue();
            assertThat(event.toJson().at("/type").orElseThrow().string()).contains(event.type());
            assertThat(event.toJson().at("/path").orElseThrow().string())
                    .contains(event.path().toString());
        });
    }

    @Test
    void theTextStreamIsTheRootAgentsText() {
        try (TestRuntime test = TestRuntime.with(supervised());
                RunStream run = test.bind(crew()).stream("Go")) {
            List<String> read = new ArrayList<>();
            run.textStream().forEach(read::add);
            assertThat(read).containsExactly("Asking. ", "Do", "ne");
            assertThat(run.result()).hasText("Done");
        }
    }

    private static <E extends RunEvent> E first(List<RunEvent> events, Class<E> type) {
        return events.stream()
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst()
                .orElseThrow();
    }
}
