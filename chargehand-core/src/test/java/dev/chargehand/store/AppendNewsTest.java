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

    private static boolean isNews(Append append) {
        return ChangeSignal.isNews(List.of(append));
    }

    private static Append nested(RunStatus status) {
        return append(status).rootRunId(new RunId("root"));
    }

    @Test
    void aRootRunThatIsNotRunningIsNews() {
        assertThat(isNews(append(RunStatus.COMPLETED))).isTrue();
        assertThat(isNews(append(RunStatus.SUSPENDED))).isTrue();
        assertThat(isNews(append(RunStatus.PENDING))).isTrue();
        assertThat(isNews(append(RunStatus.RUNNING))).isFalse();
    }

    @Test
    void aNestedRunThatWaitsIsNewsAndItsEndIsNot() {
        assertThat(isNews(nested(RunStatus.SUSPENDED))).isTrue();
        assertThat(isNews(nested(RunStatus.COMPLETED))).isFalse();
        assertThat(isNews(nested(RunStatus.RUNNING))).isFalse();
    }
}
