package dev.chargehand.version;

import dev.chargehand.annotation.Experimental;
import dev.chargehand.run.Usage;
import java.math.BigDecimal;
import java.util.Objects;
import java.util.Optional;

/**
 * What the runs of one version of an agent or workflow have used in a tree of runs. Immutable.
 *
 * @param agentId the agent or workflow
 * @param version its version; empty if it has none
 * @param runs how many runs there are
 * @param usage the tokens of these runs, without those of their nested runs
 * @param cost their cost by the prices of the runs; 0 without prices
 */
@Experimental
public record VersionUsage(String agentId, Optional<String> version, int runs, Usage usage, BigDecimal cost) {

    public VersionUsage {
        Objects.requireNonNull(agentId, "agentId");
        Objects.requireNonNull(version, "version");
        Objects.requireNonNull(usage, "usage");
        Objects.requireNonNull(cost, "cost");
    }
}
