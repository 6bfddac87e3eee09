package dev.chargehand.testkit;

import dev.chargehand.RunResult;
import dev.chargehand.event.RunEvent;
import java.util.List;

/** Assertions about runs, in the manner of AssertJ, which they need on the class path. */
public final class ChargehandAssertions {

    private ChargehandAssertions() {}

    /** Start assertions about how a run ended. */
    public static RunResultAssert assertThat(RunResult result) {
        return new RunResultAssert(result);
    }

    /** Start assertions about what a run emitted. */
    public static RunEventsAssert assertThatEvents(List<RunEvent> events) {
        return new RunEventsAssert(events);
    }
}
