package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.event.RunEvent;
import dev.chargehand.testkit.TestRuntime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a listener does on its thread stays there. */
@Timeout(25) // less than a listener may take
class ListenersTest {

    @Test
    void aListenerThatInterruptsItsThreadReceivesEveryEvent() {
        List<RunEvent> received = new ArrayList<>();
        List<RunEvent> all = new ArrayList<>();
        try (TestRuntime test = TestRuntime.with(Scripts.on("solo").says("Done."))) {
            assertThat(test.bind(Crew.solo()).generate("Go", o -> o.addListener(event -> {
                                received.add(event);
                                Thread.currentThread().interrupt();
                            })
                            .addListener(all::add)))
                    .finished();
        }
        assertThat(received).isEqualTo(all);
        assertThat(all).last().isInstanceOf(RunEvent.RunFinish.class);
    }
}
