package dev.chargehand.internal.engine.resume;

import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.StoreException;
import dev.chargehand.event.Cursor;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunWatch;
import dev.chargehand.internal.engine.AccessGate;
import dev.chargehand.internal.engine.Engine;
import dev.chargehand.internal.engine.LocalRun;
import dev.chargehand.internal.engine.history.DerivedValues;
import dev.chargehand.internal.engine.history.ForgottenTrees;
import dev.chargehand.internal.engine.history.TreeNarrator;
import dev.chargehand.internal.engine.tree.RunOutcome;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.internal.engine.tree.SuspendedRuns;
import dev.chargehand.internal.engine.version.VersionUsages;
import dev.chargehand.internal.engine.watch.TreeWatch;
import dev.chargehand.internal.fact.CallAnswer;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.journal.DeliveryCodec;
import dev.chargehand.internal.journal.Journal;
import dev.chargehand.internal.journal.RunOpening;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.WaitingCalls;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.version.VersionUsage;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads root runs as they are stored. Thread-safe. */
public final class StoredRuns {

    private final Store store;
    private final Engine engine;
    private final DerivedValues derived;
    private final AccessGate access;
    private final ForgottenTrees forgotten;

    /** Make it for a tenant. */
    public StoredRuns(RuntimeEnvironment environment, Engine engine, AccessGate access) {
        this.access = access;
        this.store = environment.store();
        this.engine = engine;
        this.derived = new DerivedValues(store);
        this.forgotten = environment.forgotten();
    }

    /** Have a run that is about to start here read after its end too, if its store forgets it then. */
    void expectReader(LocalRun run) {
        expectReader(run.runId(), run.path());
    }

    /** Do the same for a run of an agent. */
    void expectReader(RunId runId, AgentPath path) {
        if (engine.environment().forgetsEndedRuns()) {
            forgotten.expect(runId, path);
        }
    }

    /**
     * Return a root run that the caller may open.
     *
     * @param changes whether the caller changes it
     * @throws StoreException {@code NOT_FOUND} if it is not in the store, or may not be opened
     * @throws ConfigurationException if it is a nested run
     */
    RunRecord open(RunId runId, boolean changes) {
        return root(runId, run -> access.mayOpen(run, changes));
    }

    /** Return a root run that was opened before. */
    RunRecord root(RunId runId) {
        return root(runId, run -> true);
    }

    private RunRecord root(RunId runId, Predicate<RunRecord> mayOpen) {
        engine.releases().tryNow(runId); // before it is read: a release changes what is there to claim
        RunRecord found =
                store.find(runId).filter(mayOpen).orElseThrow(() -> AccessGate.missing(engine.environment(), runId));
        if (!found.isRoot()) {
            throw new ConfigurationException("Run " + runId + " is a delegation; its root run is " + found.rootRunId()
                    + ", use that one instead.");
        }
        return found;
    }

    /** Return where a run stands as it is stored, with those of its waiting calls that have not been answered. */
    RunOutcome outcome(RunRecord run) {
        boolean ended = run.status().isEnded();
        List<Delivery> answered = ended ? List.of() : store.undrained(run.runId()); // before the facts, see below
        State state = SuspendedRuns.look(store, run);
        summarize(run);
        return new RunOutcome(state, null, ended ? WaitingCalls.Below.NOTHING : below(state, answered));
    }

    /** Let lists show how a run of an earlier version stands, once it was read. */
    private void summarize(RunRecord run) {
        if (run.summary().isEmpty()) {
            derived.update(run);
        }
    }

    /** Return what a root run and its descendants wait for. */
    List<PendingApproval> pending(RunRecord run) {
        if (run.status().isEnded()) {
            return List.of();
        }
        List<Delivery> answered = store.undrained(run.runId());
        return below(SuspendedRuns.look(store, run), answered).calls();
    }

    /**
     * Return what a run and its descendants wait for, and what these descendants have used.
     *
     * @param answered the answers that are unread, read before the facts: an answer that the run reads in between is in
     *     the facts, and would else be in neither
     */
    private WaitingCalls.Below below(State state, List<Delivery> answered) {
        WaitingCalls.Below all = SuspendedRuns.below(store, state);
        List<PendingApproval> unanswered = all.calls().stream()
                .filter(call -> answered.stream()
                        .noneMatch(answer -> answer.to().equals(call.runId())
                                && answer.id().equals(Delivery.idOf(call.callId(), call.waitNumber()))))
                .toList();
        return new WaitingCalls.Below(unanswered, all.spent());
    }

    /**
     * Read the events of a root run and its descendants as they are stored.
     *
     * @param after where to continue, or null for the first event
     * @throws IllegalArgumentException if the cursor is of another run
     */
    public RunWatch watch(RunId runId, @Nullable Cursor after) {
        if (after != null && !after.root().equals(runId)) {
            throw new IllegalArgumentException("The cursor '" + after + "' is of another run than " + runId
                    + "; use one of a reader of that run.");
        }
        boolean mayBeForgotten = after == null && engine.environment().forgetsEndedRuns() && !access.isGuarded();
        Optional<AgentPath> expected = mayBeForgotten ? forgotten.path(runId) : Optional.empty();
        AgentPath path =
                expected.orElseGet(() -> AgentPath.parse(open(runId, false).path()));
        if (!mayBeForgotten) {
            return new TreeWatch(engine, runId, path, after);
        }
        forgotten.expect(runId, path); // this reader may find the run ended at its next look
        return TreeWatch.fromStart(engine, runId, path);
    }

    /** Return a reader of a run that was started or resumed here, and that may not be stored yet. */
    RunWatch watch(LocalRun run) {
        return TreeWatch.fromStart(engine, run.runId(), run.path());
    }

    /** Return the metadata with which a root run was started. */
    public Map<String, String> metadata(RunId runId) {
        RunId root = open(runId, false).runId();
        try {
            return RunOpening.first(store, root).settings().get(Options.METADATA);
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.UNREADABLE && store.find(root).isEmpty()) {
                throw AccessGate.missing(engine.environment(), root); // it was deleted since it was found
            }
            throw e;
        }
    }

    /**
     * Return how a wait of a call was answered: also if the answer is not carried out yet.
     *
     * @throws ApprovalException {@code EXPIRED} if the wait was over before an answer came
     */
    public Optional<ApprovalAnswer> answerTo(RunId runId, String callId, int waitNumber) {
        RunRecord run = store.find(runId).orElseThrow(() -> AccessGate.missing(engine.environment(), runId));
        RunRecord root = open(run.rootRunId(), false);
        String id = Delivery.idOf(callId, waitNumber);
        Stream<Fact.CallDecided> unread = store.undrained(root.runId()).stream() // before the facts, as for what waits
                .filter(delivery -> delivery.to().equals(runId) && delivery.id().equals(id))
                .map(delivery -> DeliveryCodec.decision(delivery.body()));
        return Stream.concat(unread, decisions(runId))
                .filter(decided -> decided.callId().equals(callId) && decided.waitNumber() == waitNumber)
                .findFirst()
                .flatMap(StoredRuns::answer);
    }

    private Stream<Fact.CallDecided> decisions(RunId runId) {
        return Journal.read(store, runId).stream()
                .map(Journal.Stored::fact)
                .filter(Fact.CallDecided.class::isInstance)
                .map(Fact.CallDecided.class::cast);
    }

    private static Optional<ApprovalAnswer> answer(Fact.CallDecided decided) {
        if (decided.approver() == null) {
            if (decided.answer() == CallAnswer.EXPIRED) {
                throw new ApprovalException(
                        ApprovalException.Kind.EXPIRED,
                        "Call " + decided.callId()
                                + " waited until no answer could come any more, and counts as declined.");
            }
            return Optional.empty();
        }
        Approver by = new Approver(decided.approver(), decided.tenant());
        return Optional.of(
                switch (decided.answer()) {
                    case APPROVED -> new ApprovalAnswer.Approve(by, decided.reason());
                    case DECLINED -> ApprovalAnswer.decline(by, Objects.requireNonNullElse(decided.reason(), ""));
                    case DATA -> ApprovalAnswer.data(by, decided.given().orElseThrow());
                    case EXPIRED, DUE -> throw new IllegalStateException("Only an answer has an approver.");
                });
    }

    /** Return what the versions of agents have used in the tree of a root run. */
    public List<VersionUsage> usageByVersion(RunId runId) {
        return VersionUsages.of(store, open(runId, false).runId());
    }

    /** Return the events of a root run and its descendants. */
    public List<RunEvent> history(RunId runId) {
        RunRecord root = open(runId, false);
        List<RunEvent> events =
                TreeNarrator.all(store, engine.environment().tenantId(), runId, engine.definitions()::find);
        summarize(root);
        return events;
    }
}
