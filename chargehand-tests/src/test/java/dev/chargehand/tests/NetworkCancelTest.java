package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.RunFilter;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A network that is cancelled, at whatever moment, ends at once as cancelled, and its events are whole. */
class NetworkCancelTest {

    record Count(int things) {}

    private enum Moment {
        ROUTER,
        GIVEN_BACK,
        AGENT,
        TOOL,
        CHECK,
        SECOND_ROUTER,
        OBJECT
    }

    private final AtomicReference<RunStream> stream = new AtomicReference<>();
    private final CountDownLatch begun = new CountDownLatch(1);

    private final Tool slow = Steps.tool("slow", (in, context) -> {
        cancel();
        new CountDownLatch(1).await();
        return "too late";
    });

    private void cancel() {
        Waiting.on(begun);
        stream.get().cancel();
    }

    private Script at(Script script, Moment here, Moment moment, String otherwise) {
        return here == moment
                ? script.does(this::cancel).and().hangs().then()
                : script.says(otherwise).then();
    }

    private Script script(Moment moment) {
        Script script = Scripts.on("researcher");
        script = at(script, Moment.AGENT, moment, "FA").on("supervisor");
        script = at(script, Moment.ROUTER, moment, "Hm.");
        String first = moment == Moment.TOOL ? Routed.tool("slow", "{}") : Routed.agent("researcher", "Find");
        script = at(script, Moment.GIVEN_BACK, moment, first);
        script = at(
                script,
                Moment.CHECK,
                moment,
                moment == Moment.OBJECT ? Routed.complete("ok", "") : Routed.incomplete("more"));
        return moment == Moment.OBJECT
                ? at(script, Moment.OBJECT, moment, "")
                : at(script, Moment.SECOND_ROUTER, moment, "");
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    @SuppressWarnings("deprecation") // what is tested
    void itEndsAsCancelled(Moment moment) {
        try (TestRuntime test =
                        TestRuntime.builder(script(moment)).manualClock().build();
                RunStream run = test.bind(Crew.supervisor(slow))
                        .network("Go", o -> o.thread("t").structuredOutput(Count.class))) {
            stream.set(run);
            begun.countDown();
            List<RunEvent> events = new ArrayList<>();
            run.forEach(events::add);
            RunResult result = run.result();
            assertThat(result).hasStatus(RunStatus.ABORTED).stoppedBecause(new StopReason.Cancelled("caller"));
            assertThat(result).hasNoObject();
            assertThat(result.text()).isIn("", "FA");
            Books.balance(result, test.events());
            assertThatEvents(events)
                    .arePaired()
                    .endWithRunFinish()
                    .haveGrowingIds()
                    .areInOrder("routing-agent-start", "network-execution-event-step-finish", "abort", "run-finish")
                    .doNotContain("network-execution-event-finish");
            Retold.assertEachRunAlike(events, test.runtime().history(run.runId()));
            assertThat(test.store().list(RunFilter.ROOTS.tree(run.runId())))
                    .allSatisfy(record -> assertThat(record.status().isEnded()).isTrue());
            assertThat(test.thread("t", null))
                    .allSatisfy(message -> assertThat(message.text()).doesNotContain("primitiveId", "Hm."));
        }
    }
}
