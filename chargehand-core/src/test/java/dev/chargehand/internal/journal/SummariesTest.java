package dev.chargehand.internal.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.internal.journal.stored.StoredStopReason;
import dev.chargehand.run.StopReason;
import org.junit.jupiter.api.Test;

class SummariesTest {

    @Test
    void theUsualReasonHasItsStoredForm() {
        assertThat(Summaries.FINISHED.text())
                .isEqualTo(StoredJson.write(StoredStopReason.listed(new StopReason.Finished())));
    }
}
