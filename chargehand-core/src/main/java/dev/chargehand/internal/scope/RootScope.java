package dev.chargehand.internal.scope;

import dev.chargehand.internal.call.BoundedCalls;
import dev.chargehand.internal.call.Ledger;
import dev.chargehand.internal.log.Redactor;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.run.RunId;
import dev.chargehand.spi.IdSource;
import dev.chargehand.spi.TimeSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.DoubleSupplier;
import java.util.function.Function;

/**
 * What a root run shares with all its descendants.
 *
 * @param runId the root run
 * @param time the clock of every limit
 * @param ids mints ids
 * @param jitter spreads retries, 0 to 1
 * @param callouts calls code that is not ours
 * @param ledger counts what the tree spends
 * @param redactor takes secrets out of what leaves
 * @param models makes the models of a choice
 * @param delegations runs children
 * @param tasks starts background tasks
 * @param memories the memory of runs
 * @param deliveries the deliveries to the runs of the tree
 * @param lease makes sure before a call that the tree is still this process's
 * @param textIsFinal whether a reader receives the text as it arrives and cannot take it back
 * @param outage whether the store has failed
 */
public record RootScope(
        RunId runId,
        TimeSource time,
        IdSource ids,
        DoubleSupplier jitter,
        BoundedCalls callouts,
        Ledger ledger,
        Redactor redactor,
        Function<ModelChoice, List<Model>> models,
        ChildRuns delegations,
        Tasks tasks,
        Memories memories,
        Deliveries deliveries,
        Lease lease,
        AtomicBoolean textIsFinal,
        Outage outage) {}
