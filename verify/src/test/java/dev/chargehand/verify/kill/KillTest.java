package dev.chargehand.verify.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.run.RunStatus;
import dev.chargehand.verify.harness.CaseOptions;
import dev.chargehand.verify.harness.StoreKind;
import dev.chargehand.verify.harness.Tally;
import dev.chargehand.verify.kill.plan.PlanModel;
import dev.chargehand.verify.kill.plan.Scenario;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A sample of the harness of the same name. */
class KillTest {

    @Test
    void aKilledRunEndsAsIfNothingHadHappenedAndTheCallerOfAStoppedProcessGetsWhatIsStored() throws Exception {
        Tally tally = new KillHarness(new CaseOptions(4, 21), StoreKind.SQLITE, false).run();
        assertThat(tally.faults()).isEmpty();
        assertThat(tally.cases()).isGreaterThanOrEqualTo(4);
        assertThat(tally.line("kill")).contains(" lost_callers=0").doesNotContain(" stops=0");
    }

    @Test
    void aKilledWorkflowEndsAsItsInterpreterSays() throws Exception {
        Tally tally = new KillHarness(new CaseOptions(2, 3), StoreKind.SQLITE, true).run();
        assertThat(tally.faults()).isEmpty();
        assertThat(tally.cases()).isGreaterThanOrEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(Scenario.class)
    void everyScenarioGoesThroughWhatItIsFor(Scenario scenario) {
        Undisturbed undisturbed = Undisturbed.of(scenario, new Decisions(new SplittableRandom(1), 1, callId -> true));
        assertThat(undisturbed.status()).isEqualTo(RunStatus.COMPLETED);
        switch (scenario) {
            case TOOLS, NESTED, APPROVALS, DEEP_APPROVALS, QUESTIONS, PARKED -> ended(undisturbed, "finished", "=");
            case BAIL -> ended(undisturbed, "bailed", "b1=ok");
            case SCORED -> ended(undisturbed, "task-complete", PlanModel.GOOD);
            case NETWORK -> ended(undisturbed, "finished", "b1=ok (");
            case STRUCTURED -> ended(undisturbed, "finished", "{\"outcomes\":\"");
            case GUARDED -> ended(undisturbed, "finished", PlanModel.GOOD + ", signed");
        }
    }

    private static void ended(Undisturbed undisturbed, String stop, String text) {
        assertThat(undisturbed.stop()).isEqualTo(stop);
        assertThat(undisturbed.text()).contains(text);
    }
}
