package dev.chargehand.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** After which appends those that wait for a change of the store look at once. */
class AppendNewsTest {

    private static Append append(RunStatus status) {
        return Append.to(new RunId("r"), 1, 1, List.of(), status, Instant.EPOCH);
    }

    private static Append nested(RunStatus status) {
        return append(status).rootRunId(new RunId("root"));
    }

    @Test
    void aRootRunThatIsNotRunningIsNews() {
        assertThat(append(RunStatus.COMPLETED).isNews()).isTrue();
        assertThat(append(RunStatus.SUSPENDED).isNews()).isTrue();
        assertThat(append(RunStatus.PENDING).isNews()).isTrue();
        assertThat(append(RunStatus.RUNNING).isNews()).isFalse();
    }

    @Test
    void aNestedRunThatWaitsIsNewsAndItsEndIsNot() {
        assertThat(nested(RunStatus.SUSPENDED).isNews()).isTrue();
        assertThat(nested(RunStatus.COMPLETED).isNews()).isFalse();
        assertThat(nested(RunStatus.RUNNING).isNews()).isFalse();
    }
}
