package dev.chargehand.server.internal.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.chargehand.server.Principal;
import dev.chargehand.server.ServerLimit;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.ProblemException;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CallerLimitsTest {

    private static final Map<ServerLimit, Long> LIMITS = Map.of(
            ServerLimit.REQUEST_BURST, 3L,
            ServerLimit.REQUESTS_PER_SECOND, 2L,
            ServerLimit.START_BURST, 1L,
            ServerLimit.STARTS_PER_SECOND, 1L);

    private final AtomicLong nanos = new AtomicLong(1);
    private final CallerLimits limits = new CallerLimits(LIMITS::get, new TimeMeter() {
        @Override
        public long currentTimeNanos() {
            return nanos.get();
        }

        @Override
        public boolean isWallClockBased() {
            return false;
        }
    });

    private static Principal caller(String tenant, String id) {
        return new Principal(id, tenant, Optional.empty(), Set.of());
    }

    private int requests(Principal caller) {
        for (int sent = 0; ; sent++) {
            try {
                limits.requireRequest(caller);
            } catch (ProblemException e) {
                return sent;
            }
        }
    }

    @Test
    void aCallerMaySendABurstAndThenSoManyInASecond() {
        Principal ann = caller("local", "ann");
        assertThat(requests(ann)).isEqualTo(3);
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(requests(ann)).isEqualTo(2);
        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        assertThat(requests(ann)).as("no more than a burst is saved").isEqualTo(3);
    }

    @Test
    void startsHaveALimitOfTheirOwn() {
        Principal ann = caller("local", "ann");
        limits.requireStart(ann);
        ProblemException problem = catchThrowableOfType(ProblemException.class, () -> limits.requireStart(ann));
        assertThat(problem.problem()).isEqualTo(Problem.RATE_LIMITED);
        assertThat(problem.reply().headers()).containsEntry("Retry-After", "2");
        assertThat(requests(ann)).isEqualTo(3);
    }

    @Test
    void callersDoNotTakeTheRequestsOfOthers() {
        assertThat(requests(caller("local", "ann"))).isEqualTo(3);
        assertThat(requests(caller("local", "bob"))).isEqualTo(3);
        assertThat(requests(caller("other", "ann"))).isEqualTo(3);
        assertThat(CallerLimits.key(caller("a", "bc"))).isNotEqualTo(CallerLimits.key(caller("ab", "c")));
    }

    @Test
    void aCallerThatWasNoisyIsNotForgottenForManyOthers() {
        Principal ann = caller("local", "ann");
        assertThat(requests(ann)).isEqualTo(3);
        for (int i = 0; i < 10_100; i++) {
            limits.requireRequest(caller("local", "caller " + i));
        }
        assertThat(requests(ann)).isZero();
        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        assertThat(requests(caller("local", "another"))).isEqualTo(3);
    }
}
