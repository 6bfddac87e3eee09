package dev.chargehand.server.internal.limit;

import dev.chargehand.server.Principal;
import dev.chargehand.server.ServerLimit;
import dev.chargehand.server.internal.route.Problem;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.ToLongFunction;

/** Bounds how many requests a caller sends in a second, and how many of them start runs. Thread-safe. */
public final class CallerLimits {

    /** From so many callers on, those that have not sent anything for a while are forgotten. */
    private static final int CALLERS = 10_000;

    private record Buckets(Bucket requests, Bucket starts) {

        boolean areFull(long requestBurst, long startBurst) {
            return requests.getAvailableTokens() >= requestBurst && starts.getAvailableTokens() >= startBurst;
        }
    }

    private final ToLongFunction<ServerLimit> limits;
    private final TimeMeter time;
    private final ConcurrentMap<String, Buckets> callers = new ConcurrentHashMap<>();

    /** Make it. */
    public CallerLimits(ToLongFunction<ServerLimit> limits, TimeMeter time) {
        this.limits = limits;
        this.time = time;
    }

    /** Return what identifies a caller: its id and its tenant. */
    public static String key(Principal caller) {
        return caller.tenantId().length() + ":" + caller.tenantId() + caller.id();
    }

    /**
     * Count a request.
     *
     * @throws dev.chargehand.server.internal.route.ProblemException if the caller sends too many
     */
    public void requireRequest(Principal caller) {
        require(of(caller).requests(), ServerLimit.REQUESTS_PER_SECOND, "requests");
    }

    /**
     * Count a request that starts a run.
     *
     * @throws dev.chargehand.server.internal.route.ProblemException if the caller starts too many
     */
    public void requireStart(Principal caller) {
        require(of(caller).starts(), ServerLimit.STARTS_PER_SECOND, "starts of runs");
    }

    private void require(Bucket bucket, ServerLimit rate, String what) {
        ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(1);
        if (!probe.isConsumed()) {
            long seconds = Duration.ofNanos(probe.getNanosToWaitForRefill()).toSeconds() + 1;
            throw Problem.RATE_LIMITED
                    .of("The caller may send " + limits.applyAsLong(rate) + " " + what
                            + " in a second for longer, which is the limit '" + rate.key()
                            + "'. Send them more slowly.")
                    .header("Retry-After", Long.toString(seconds));
        }
    }

    private Buckets of(Principal caller) {
        if (callers.size() > CALLERS) {
            long requests = limits.applyAsLong(ServerLimit.REQUEST_BURST);
            long starts = limits.applyAsLong(ServerLimit.START_BURST);
            callers.values().removeIf(buckets -> buckets.areFull(requests, starts)); // a new one would be as full
        }
        return callers.computeIfAbsent(
                key(caller),
                key -> new Buckets(
                        bucket(ServerLimit.REQUESTS_PER_SECOND, ServerLimit.REQUEST_BURST),
                        bucket(ServerLimit.STARTS_PER_SECOND, ServerLimit.START_BURST)));
    }

    private Bucket bucket(ServerLimit rate, ServerLimit burst) {
        return Bucket.builder()
                .addLimit(limit -> limit.capacity(limits.applyAsLong(burst))
                        .refillGreedy(limits.applyAsLong(rate), Duration.ofSeconds(1)))
                .withCustomTimePrecision(time)
                .build();
    }
}
