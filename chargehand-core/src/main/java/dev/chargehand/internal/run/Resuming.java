package dev.chargehand.internal.run;

import dev.chargehand.Agent;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunHooks;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.ApproverCheck;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.State;
import dev.chargehand.internal.limit.Cancellation;
import dev.chargehand.internal.loop.Outage;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Takes stored root runs up: after a crash, because of an answer, or to end them. Whoever claims a run first carries it
 * on; nobody else can write to it then. Thread-safe.
 */
public final class Resuming {

    private final Environment environment;
    private final Ownership ownership;
    private final Engine engine;
    private final Answering answering;
    private final Answered answered = new Answered();
    private final Set<RunId> taking = ConcurrentHashMap.newKeySet();

    /** Makes it for a runtime. */
    public Resuming(Environment environment, Ownership ownership, Engine engine, @Nullable ApproverCheck check) {
        this.environment = environment;
        this.ownership = ownership;
        this.engine = engine;
        this.answering = new Answering(environment, check);
    }

    /**
     * With what a run is taken up.
     *
     * @param agent its agent
     * @param options makes the options out of those that hold without the caller's
     */
    public record With(Agent agent, Function<RunOptions, RunOptions> options) {}

    /** Takes a run up and waits for its result; one that has ended, or only waits, gives the result it has. */
    public RunResult resume(RunId runId, Function<RunRecord, With> with) {
        RunRecord found = root(runId);
        return found.status().isEnded() || isWaiting(found)
                ? standing(found)
                : begin(found, with.apply(found), false, null).run().result();
    }

    /** Takes a run up and lets it be watched. */
    public RunStream resumeStream(RunId runId, Function<RunRecord, With> with) {
        RunRecord found = root(runId);
        if (found.status().isEnded()) {
            throw new ConfigurationException("Run " + runId + " has ended; resume(runId) gives its result.");
        }
        if (isWaiting(found)) {
            throw new ConfigurationException("Run " + runId
                    + " waits for answers; resume(runId) says for which, and answering one lets it go on.");
        }
        return begin(found, with.apply(found), true, null).stream();
    }

    /** Answers what a run waits for and waits for what comes of it. */
    public RunResult answer(PendingApproval approval, ApprovalAnswer answer, Function<RunRecord, With> with) {
        Taken taken = answered(approval, answer, with, false);
        RunResult result = taken.begun().run().result();
        if (!taken.answer().recorded().get()) {
            throw over(approval);
        }
        return result;
    }

    /** Answers what a run waits for and lets it be watched. */
    public RunStream answerStream(PendingApproval approval, ApprovalAnswer answer, Function<RunRecord, With> with) {
        return answered(approval, answer, with, true).begun().stream();
    }

    /** A run that was taken up, and the answer because of which it was. */
    private record Taken(Engine.Begun begun, Answer answer) {}

    private Taken answered(
            PendingApproval approval, ApprovalAnswer answer, Function<RunRecord, With> with, boolean streamed) {
        engine.releases().tryNow(approval.rootRunId());
        Pauses pauses = new Pauses(environment.time(), new Cancellation());
        while (true) {
            Optional<RunRecord> asking = environment.store().find(approval.runId());
            RunRecord root = environment
                    .store()
                    .find(approval.rootRunId())
                    .filter(RunRecord::isRoot)
                    .orElseThrow(() -> gone(approval));
            Answer accepted = answering.accepted(approval, answer);
            if (root.status().isEnded()) {
                throw over(approval);
            }
            With how = with.apply(root);
            Optional<Engine.Begun> begun = tryToBegin(root, how, streamed, accepted);
            if (begun.isPresent()) {
                answered.add(approval);
                return new Taken(begun.get(), accepted);
            }
            awaitChange(root.runId(), asking, pauses);
        }
    }

    private static ApprovalException over(PendingApproval approval) {
        return new ApprovalException(
                ApprovalException.Kind.ALREADY_DECIDED,
                "Run " + approval.rootRunId() + " has ended before; call " + approval.callId()
                        + " does not wait any more.");
    }

    private ApprovalException gone(PendingApproval approval) {
        return answered.has(approval)
                ? new ApprovalException(
                        ApprovalException.Kind.ALREADY_DECIDED,
                        "Call " + approval.callId() + " of run " + approval.runId() + " has been answered already.")
                : new ApprovalException(
                        ApprovalException.Kind.UNKNOWN,
                        "Run " + approval.rootRunId() + " is not in the store; what it waited for is over.");
    }

    /**
     * Takes up every run whose owner is dead, and those that wait for something that has expired; ends what was left below
     * a run that has ended.
     *
     * @param with says how a run is taken up; nothing if its agent is not here
     */
    public Recovered recover(Function<RunRecord, Optional<With>> with) {
        Map<RunId, RunStream> taken = new LinkedHashMap<>();
        List<RunId> withoutAgent = new ArrayList<>();
        List<RunId> withoutHooks = new ArrayList<>();
        engine.releases().tryNow();
        endLeftBelow();
        List<RunRecord> runs = new ArrayList<>(ownership.orphans());
        runs.addAll(ownership.expired());
        for (RunRecord run : runs) {
            if (engine.isAtWork(run.runId()) || !isAsSeen(run)) {
                continue;
            }
            Optional<With> how = with.apply(run);
            if (how.isEmpty()) {
                withoutAgent.add(run.runId());
            } else if (!missingHooks(run, how.get()).isEmpty()) {
                withoutHooks.add(run.runId());
            } else {
                tryToBegin(run, how.get(), true, null).ifPresent(begun -> taken.put(run.runId(), begun.stream()));
            }
        }
        return new Recovered(taken, withoutAgent, withoutHooks);
    }

    /** Ends what a process would have ended next, had it not died when it had ended the run above. */
    private void endLeftBelow() {
        Suspensions suspensions = engine.suspensions();
        for (RunRecord run : ownership.leftBelow()) {
            if (!engine.isAtWork(run.rootRunId())) {
                suspensions.endLikeAbove(run);
            }
        }
    }

    /** Tells whether nobody has gone on with a run, or ended it, since it was listed. */
    private boolean isAsSeen(RunRecord seen) {
        return environment.store().find(seen.runId()).equals(Optional.of(seen));
    }

    /** What {@link #recover} took up, and what it left alone. */
    public record Recovered(Map<RunId, RunStream> taken, List<RunId> withoutAgent, List<RunId> withoutHooks) {}

    /**
     * Cancels a run: one that is live here, by telling it; any other by ending it in the store, which refuses whatever its
     * owner writes from then on. Tells whether it did.
     *
     * @param agents finds the agent of a run, whose hooks hear of it
     */
    public boolean cancel(RunId runId, String by, Function<RunRecord, Optional<Agent>> agents) {
        engine.releases().tryNow(runId);
        Pauses pauses = new Pauses(environment.time(), new Cancellation());
        while (true) {
            Optional<RootRun> live = engine.live(runId);
            if (live.isPresent()) {
                live.get().cancelEvenSuspended(by);
                return true;
            }
            Optional<RunRecord> found = environment
                    .store()
                    .find(runId)
                    .filter(run -> run.isRoot() && !run.status().isEnded());
            if (found.isEmpty()) {
                return false;
            }
            if (end(found.get(), new StopReason.Cancelled(by), agents)) {
                return true;
            }
            pause(pauses, runId);
        }
    }

    /** Ends a run as it was seen; tells whether it did, and not another took it up or went on with it. */
    private boolean end(RunRecord seen, StopReason reason, Function<RunRecord, Optional<Agent>> agents) {
        if (!taking.add(seen.runId())) {
            return false;
        }
        try {
            if (engine.isAtWork(seen.runId())) {
                return false;
            }
            Agent agent = agents.apply(seen).orElse(null);
            RunHooks hooks = agent == null
                    ? RunHooks.NONE
                    : engine.optionsFor(agent, seen.runId()).hooks();
            engine.suspensions().end(seen, reason, agent, Suspensions.heardBy(seen, hooks));
            engine.forget(seen.runId());
            return true;
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.FENCED) {
                return false;
            }
            throw e;
        } finally {
            taking.remove(seen.runId());
        }
    }

    /** Returns what a root run, with all below it, waits for. */
    public List<PendingApproval> pending(RunId runId) {
        RunRecord found = root(runId);
        return found.status().isEnded()
                ? List.of()
                : Suspensions.pending(environment.store(), Suspensions.look(environment.store(), found));
    }

    /** Tells again what happened in a root run and all below it. */
    public List<RunEvent> history(RunId runId, Function<AgentPath, Optional<Agent>> agents) {
        return History.of(environment.store(), root(runId).runId(), agents);
    }

    private RunRecord root(RunId runId) {
        engine.releases().tryNow(runId); // before it is read: a release changes what is there to claim
        RunRecord found = environment
                .store()
                .find(runId)
                .orElseThrow(() -> new StoreException(
                        StoreException.Kind.NOT_FOUND, "There is no run " + runId + " in the store.", null));
        if (!found.isRoot()) {
            throw new ConfigurationException("Run " + runId + " is a delegation; its root run is " + found.rootRunId()
                    + ", use that one instead.");
        }
        return found;
    }

    private boolean isWaiting(RunRecord run) {
        Instant expiresAt = run.expiresAt();
        return run.status() == RunStatus.SUSPENDED
                && (expiresAt == null || expiresAt.isAfter(environment.time().now()));
    }

    /**
     * Returns the result of a run as it stands in the store.
     *
     * @throws RunFailedException if it failed
     */
    private RunResult standing(RunRecord record) {
        Store store = environment.store();
        State state = Suspensions.look(store, record);
        return new Outcome(state, null, Suspensions.pending(store, state)).resultOrThrow();
    }

    private Engine.Begun begin(RunRecord found, With with, boolean streamed, @Nullable Answer answer) {
        ownership.keep();
        if (engine.isAtWork(found.runId())) {
            throw new StoreException(
                    StoreException.Kind.FENCED, "Run " + found.runId() + " is being worked on in this process.", null);
        }
        return tryToBegin(found, with, streamed, answer)
                .orElseThrow(() -> new StoreException(
                        StoreException.Kind.FENCED,
                        "Run " + found.runId()
                                + " is being worked on by another process, which is not known to be dead; "
                                + "wait until it ends, or until its owner's time is over.",
                        null));
    }

    /** Takes a run up as it was seen; nothing if another is at work on it, or was faster. */
    private Optional<Engine.Begun> tryToBegin(RunRecord seen, With with, boolean streamed, @Nullable Answer answer) {
        ownership.keep();
        RunOptions options = requireHooks(seen, with);
        if (!taking.add(seen.runId())) {
            return Optional.empty();
        }
        try {
            if (engine.isAtWork(seen.runId())) {
                return Optional.empty();
            }
            boolean givenUp = engine.releases().forget(seen.runId());
            Optional<Engine.Begun> begun = ownership
                    .claimIfFree(seen)
                    .map(claimed -> engine.resume(with.agent(), claimed, options, streamed, answer));
            if (begun.isEmpty() && givenUp) {
                engine.releases().addIfOwned(seen.runId());
            }
            return begun;
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.FENCED) {
                return Optional.empty(); // claimed once more before its first word: nothing was recorded
            }
            if (Outage.isCause(e)) {
                engine.releases().addIfOwned(seen.runId()); // it may be claimed, and nobody advances it
            }
            throw e;
        } catch (ThreadBusyException e) {
            if (answer == null) {
                throw e;
            }
            return Optional.empty();
        } finally {
            taking.remove(seen.runId());
        }
    }

    private RunOptions requireHooks(RunRecord run, With with) {
        Fact.Started started = Suspensions.look(environment.store(), run).started();
        RunOptions options = options(run, started, with);
        List<String> missing = GivenAgain.missing(started.hooks(), options, with.agent());
        if (!missing.isEmpty()) {
            throw GivenAgain.refusal(
                    run.runId().value(),
                    missing,
                    "Give them again to the call that takes it up, in a program that has them.");
        }
        return options;
    }

    /** What is stored with the run is over what its agent begins with, and below what is given now. */
    private RunOptions options(RunRecord run, Fact.Started started, With with) {
        RunOptions base = engine.optionsFor(with.agent(), run.runId());
        RequestContext stored = RequestContext.restore(started.requestContext());
        return with.options().apply(GivenAgain.restored(base, stored));
    }

    /** A run that was given hooks which decide is not advanced without them. */
    private List<String> missingHooks(RunRecord run, With with) {
        Fact.Started started = Suspensions.look(environment.store(), run).started();
        return GivenAgain.missing(started.hooks(), options(run, started, with), with.agent());
    }

    /**
     * Waits until a run that is live here has ended or waits, or until one that another process has may be free, or the run
     * below it that asks has changed.
     */
    private void awaitChange(RunId runId, Optional<RunRecord> asking, Pauses pauses) {
        Optional<RootRun> live = engine.live(runId);
        if (live.isPresent()) {
            try {
                live.get().awaitQuietly();
            } catch (InterruptedException e) {
                throw interrupted(runId, e);
            }
            return;
        }
        int look = 1;
        do {
            pause(pauses, runId);
        } while (!engine.isAtWork(runId)
                && ownership.isRunning(runId, look++)
                && asking.flatMap(run -> environment.store().find(run.runId())).equals(asking));
    }

    private static void pause(Pauses pauses, RunId runId) {
        try {
            pauses.await();
        } catch (InterruptedException e) {
            throw interrupted(runId, e);
        }
    }

    private static ChargehandException interrupted(RunId runId, InterruptedException e) {
        Thread.currentThread().interrupt();
        return new ChargehandException(
                "interrupted",
                true,
                "The thread was interrupted while it waited for run " + runId + "; nothing was done.",
                e);
    }
}
