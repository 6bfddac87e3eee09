package dev.chargehand.internal.scope;

import dev.chargehand.internal.fact.ChildEnd;
import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.internal.state.State;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.step.DelegationOutcome;
import dev.chargehand.step.ToolOutcome;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The end of a delegation; what only its own run holds is read from the store when it is first asked for. */
final class StoredDelegation implements DelegationOutcome {

    private final ChildEnd end;
    private final String agentName;
    private final StepResults results;
    private volatile @Nullable Read read;

    StoredDelegation(ChildEnd end, String agentName, StepResults results) {
        this.end = end;
        this.agentName = agentName;
        this.results = results;
    }

    /** What the delegation's own run holds. */
    private record Read(Optional<String> threadId, List<ToolOutcome> toolResults) {}

    @Override
    public RunId runId() {
        return end.runId();
    }

    @Override
    public String agentId() {
        return end.agentId();
    }

    @Override
    public String agentName() {
        return agentName;
    }

    @Override
    public StopReason stopReason() {
        return end.stop();
    }

    @Override
    public String text() {
        return end.text();
    }

    @Override
    public Usage usage() {
        return end.spent().totalUsage();
    }

    @Override
    public Optional<String> threadId() {
        return read().threadId();
    }

    @Override
    public List<ToolOutcome> toolResults() {
        return read().toolResults();
    }

    private Read read() {
        Read known = read;
        if (known == null) {
            Optional<State> run = results.runs().apply(end.runId());
            known = new Read(
                    run.flatMap(state -> Optional.ofNullable(state.started().thread()))
                            .map(ThreadLink::id),
                    run.map(results::toolResults).orElse(List.of()));
            read = known;
        }
        return known;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StoredDelegation that && end.equals(that.end) && agentName.equals(that.agentName);
    }

    @Override
    public int hashCode() {
        return Objects.hash(end, agentName);
    }

    @Override
    public String toString() {
        return "DelegationOutcome[runId=" + end.runId() + ", agentId=" + end.agentId() + ", stopReason=" + end.stop()
                + ", text=" + end.text() + "]";
    }
}
