package dev.chargehand.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.processor.ToolCallFilter;
import dev.chargehand.run.RunStatus;
import org.junit.jupiter.api.Test;

/** Values of filters that are given twice count once. */
class RunFilterTest {

    @Test
    void aStatusMayBeGivenTwice() {
        assertThat(RunFilter.ALL.statuses(RunStatus.FAILED, RunStatus.FAILED).statuses())
                .containsExactly(RunStatus.FAILED);
    }

    @Test
    void aToolMayBeGivenTwice() {
        assertThat(ToolCallFilter.of("look", "look").name())
                .isEqualTo(ToolCallFilter.of("look").name());
    }
}
