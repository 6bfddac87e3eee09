package dev.chargehand.internal.agent.act;

import dev.chargehand.internal.agent.delegation.BailArbiter;
import dev.chargehand.internal.call.ParallelCalls;
import dev.chargehand.internal.call.Pause;
import dev.chargehand.internal.fact.CallAnswer;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RoundFact;
import dev.chargehand.internal.journal.Journal;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.Deliveries;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.Phase;
import dev.chargehand.internal.state.State;
import dev.chargehand.run.BailStrategy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Opens and executes the calls of a step: those that can be, and those that are decided while others are executed. Used
 * once, by the thread of the run.
 */
public final class StepExecutor implements ParallelCalls.Arrivals<CallState> {

    /** So long a call may wait for a time in this process; a longer wait is left to the store. */
    private static final Duration HELD = Duration.ofSeconds(10);

    private final RunScope run;
    private final Journal journal;
    private final CallOpener open;
    private final ActStage act;
    private final CallRules rules;
    private final Runnable record;
    private final Runnable leaveIfReleased;
    private final Deliveries deliveries;

    /** The intents of calls that wait for a place: they are not stored yet. */
    private final Deque<Fact.CallOpened> waiting = new ArrayDeque<>(1);

    /** The calls that are being executed, or are about to be, until their ends are added. */
    private final Set<String> executing = HashSet.newHashSet(1);

    /** Those of them that wait for a time, and what ends the wait early. */
    private final Map<String, CountDownLatch> pauses = new HashMap<>();

    /**
     * Make it for the open step of a run.
     *
     * @param rules how the calls depend on each other
     * @param record stores the added facts and emits them
     * @param leaveIfReleased leaves the run if it is released
     */
    public StepExecutor(
            RunScope run,
            Journal journal,
            CallOpener open,
            ActStage act,
            CallRules rules,
            Runnable record,
            Runnable leaveIfReleased) {
        this.run = run;
        this.journal = journal;
        this.open = open;
        this.act = act;
        this.rules = rules;
        this.record = record;
        this.leaveIfReleased = leaveIfReleased;
        this.deliveries = run.root().deliveries();
    }

    /** Execute calls until none is left that can be executed. */
    public void execute() {
        openDecided();
        record.run();
        List<CallState> pieces = new ArrayList<>(journal.state().runnable());
        pieces.addAll(held(journal.state()));
        if (!pieces.isEmpty()) {
            execute(pieces);
        }
        leaveIfReleased.run();
        if (!waiting.isEmpty() || !held(journal.state()).isEmpty() || canOpenMore()) {
            run.cancellation().check(); // it was cancelled before it was their turn
        }
    }

    private void execute(List<CallState> all) {
        State before = journal.state();
        boolean firstWins = run.options().get(Options.BAIL_STRATEGY) == BailStrategy.FIRST;
        boolean cancels = run.options().get(Options.CANCEL_SIBLINGS);
        boolean cancellable = rules.onFailure() == CallRules.OnFailure.CANCEL;
        try (BailArbiter siblings =
                new BailArbiter(run.cancellation(), before.bails(), cancels, firstWins, cancellable)) {
            cancelAfterFailure(siblings);
            Function<CallState, Supplier<Done>> begin = call -> begin(call, siblings);
            ParallelCalls.OnEnd<CallState, Done> onEnd = new ParallelCalls.OnEnd<>() {
                @Override
                public List<CallState> over(Done done, boolean place) {
                    return StepExecutor.this.over(done, place, siblings);
                }

                @Override
                public void allOver() {
                    if (journal.state().phase() != Phase.DECIDE) { // else what follows is stored with the last ends
                        record.run(); // the ends that were taken together, with the intents of what starts instead
                    }
                }
            };
            List<CallState> pieces = taken(all);
            boolean isAlone = before.pendingCalls().size() == 1;
            if (isAlone && before.runnable().size() == 1) {
                fan().each(pieces, CallState::callId, begin, onEnd);
            } else {
                fan().each(pieces, CallState::callId, begin, onEnd, this);
            }
        }
    }

    /**
     * A call that nothing executes any more.
     *
     * @param end its end, or that another attempt follows; nothing for a delegation that has suspended
     * @param waited whether its wait for a time is over, and nothing was executed
     */
    private record Done(String callId, Optional<Fact> end, boolean waited) {}

    private Supplier<Done> begin(CallState call, BailArbiter siblings) {
        if (call.isTimed()) {
            Fact.CallParked parked = Objects.requireNonNull(call.parked());
            CountDownLatch early = new CountDownLatch(1);
            pauses.put(call.callId(), early);
            return () -> {
                run.events().wakeReaders();
                Pause.between(run.root().time(), parked.at(), parked.expiresAt(), run.cancellation(), early);
                return new Done(call.callId(), Optional.empty(), true);
            };
        }
        Supplier<Optional<Fact>> work = act.begin(journal.state(), call, siblings);
        return () -> new Done(call.callId(), work.get(), false);
    }

    /** Take the end of a call, and return the calls that can be executed instead. */
    private List<CallState> over(Done done, boolean place, BailArbiter siblings) {
        executing.remove(done.callId());
        pauses.remove(done.callId());
        done.end().ifPresent(fact -> {
            if (fact instanceof Fact.CallClosed end) {
                siblings.over(end);
            }
            journal.add(fact);
            if (fact instanceof RoundFact.CallRetried retried) {
                CallState call = journal.state().openCall(done.callId());
                journal.add(ParkedCalls.until(run, call, retried.next(), retried.at()));
            }
        });
        cancelAfterFailure(siblings);
        List<CallState> next = again(done, siblings);
        if (next.isEmpty() && place) {
            next = rules.inOrder() ? following(done.callId(), siblings) : next(siblings);
        }
        if (done.end().isPresent() || done.waited()) {
            return taken(next);
        }
        List<CallState> more = new ArrayList<>(taken(next));
        more.addAll(arrived()); // a delegation that has suspended may have its decision already
        return more;
    }

    /** Return the call again if it waits for a time here, or if it continues after that, unless a bail has decided meanwhile. */
    private List<CallState> again(Done done, BailArbiter siblings) {
        CallState call = journal.state().openCall(done.callId());
        if (isOver()) {
            return List.of();
        }
        if (!done.waited()) {
            return isHeld(call) ? List.of(call) : List.of();
        }
        if (call.isTimed()) {
            if (siblings.areDecided()) {
                journal.add(act.supersede(call, siblings.areCancelledByFailure()));
            } else {
                journal.add(due(Objects.requireNonNull(call.parked())));
                journal.add(open.open(journal.state(), journal.state().openCall(call.callId())));
            }
        }
        CallState after = journal.state().openCall(call.callId());
        return after.isRunnable() ? List.of(after) : List.of();
    }

    private Fact due(Fact.CallParked parked) {
        return new Fact.CallDecided(
                parked.callId(), parked.waitNumber(), CallAnswer.DUE, null, null, null, null, null, run.now());
    }

    /** Return whether a call waits for a time that is near; a clock that was set back since the start of the wait does not prolong it. */
    private boolean isHeld(CallState call) {
        if (!call.isTimed()) {
            return false;
        }
        Fact.CallParked parked = Objects.requireNonNull(call.parked());
        Instant now = run.now();
        Instant from = now.isBefore(parked.at()) ? parked.at() : now;
        return !parked.expiresAt().isAfter(from.plus(HELD));
    }

    /** Cancel the calls if one has failed and that is what its failure means. */
    private void cancelAfterFailure(BailArbiter siblings) {
        if (rules.isCancelled(journal.state()) && !siblings.areCancelledByFailure()) {
            siblings.cancelAfterFailure();
            pauses.values().forEach(CountDownLatch::countDown);
        }
    }

    /**
     * Of calls that start in order, open those after one that is over, up to one that is executed or waits; none if it
     * waits itself.
     */
    private List<CallState> following(String callId, BailArbiter siblings) {
        CallState before = journal.state().openCall(callId);
        if (isOver() || !before.isClosed()) {
            return List.of(); // also not a call that waits: its wait would be over at once, again and again
        }
        Optional<CallState> next = Optional.of(before);
        while (next.isPresent() && next.get().isClosed() && !isOver()) {
            if (siblings.areDecided() || rules.startsNoMore(journal.state())) {
                boolean failed = journal.state().bails() == 0;
                journal.state().unopened().forEach(call -> journal.add(act.supersede(call, failed)));
                return List.of();
            }
            next = journal.state().callAfter(next.get().callId());
            if (next.isPresent() && next.get().isUnopened()) {
                if (open.callsForeignCode(List.of(next.get()))) {
                    record.run();
                }
                journal.add(open.open(journal.state(), next.get()));
                next = Optional.of(journal.state().openCall(next.get().callId()));
            }
        }
        return next.filter(call -> call.isRunnable() || isHeld(call)).stream().toList();
    }

    /**
     * Add the intent of the call that has waited longest for a place; none starts any more once a bail has decided, or a failure lets
     * none start.
     */
    private List<CallState> next(BailArbiter siblings) {
        if (siblings.areDecided() || rules.startsNoMore(journal.state())) {
            boolean failed = journal.state().bails() == 0;
            List<Fact.CallOpened> ending = waiting.stream()
                    .filter(intent -> siblings.areDecided() || isNew(call(intent)))
                    .toList();
            ending.forEach(intent -> journal.add(act.supersede(call(intent), failed)));
            waiting.removeAll(ending);
        }
        if (waiting.isEmpty() || isOver()) {
            return List.of();
        }
        Fact.CallOpened intent = waiting.removeFirst();
        journal.add(new Fact.CallOpened(intent.callId(), intent.kind(), intent.digest(), intent.child(), run.now()));
        return List.of(call(intent));
    }

    private boolean isOver() {
        return run.cancellation().isReleased() || run.cancellation().isCancelled();
    }

    private CallState call(Fact.CallOpened intent) {
        return journal.state().openCall(intent.callId());
    }

    private ParallelCalls fan() {
        return run.parallel(rules.concurrency());
    }

    @Override
    public Runnable listen(Runnable wake) {
        Deliveries.Listening listening = deliveries.listen(wake);
        return listening::close;
    }

    /** Open the calls that are decided, and return them with the delegations below which a call is decided. */
    @Override
    public List<CallState> arrived() {
        if (isOver()) {
            return List.of();
        }
        openDecided();
        record.run();
        pauses.forEach((callId, early) -> {
            if (!journal.state().openCall(callId).isTimed()) {
                early.countDown();
            }
        });
        return taken(journal.state().runnable().stream()
                .filter(call -> !call.isOpenDelegation()
                        || !run.root().delegations().hasStarted(call)
                        || deliveries.wakes(call.child().runId()))
                .toList());
    }

    /** Return those of some calls that nothing executes yet; they count as being executed from now on. */
    private List<CallState> taken(List<CallState> calls) {
        List<CallState> taken = new ArrayList<>();
        for (CallState call : calls) {
            if (executing.add(call.callId())) {
                taken.add(call);
            }
        }
        return taken;
    }

    /**
     * Add what was decided about the calls of the step: an intent says that its call starts, so those of the calls that
     * have to wait for a place are kept and not stored yet.
     */
    private void openDecided() {
        while (hasOpenedWhatIsOver()) {
            record.run();
        }
    }

    /** Open calls, and return whether others follow in order because one is over already. */
    private boolean hasOpenedWhatIsOver() {
        ReceivedDeliveries.addDecisions(journal, deliveries, run.now());
        if (rules.startsNoMore(journal.state())) {
            journal.state().unopened().stream()
                    .filter(StepExecutor::isNew)
                    .forEach(call -> journal.add(act.supersede(call, true)));
            waiting.removeIf(intent -> call(intent).isClosed());
        }
        List<Fact> opened = opened(journal.state());
        leaveIfReleased.run();
        State s = journal.state();
        int places = rules.concurrency() - s.countOfRunnable() - held(s).size();
        for (Fact fact : opened) {
            if (fact instanceof Fact.CallOpened intent && places-- <= 0) {
                waiting.add(intent);
            } else {
                journal.add(fact);
            }
        }
        return rules.inOrder() && opened.stream().anyMatch(Fact.CallClosed.class::isInstance);
    }

    private boolean canOpenMore() {
        return rules.inOrder() && !rules.unopened(journal.state()).isEmpty();
    }

    /** Return whether a call has never started. */
    private static boolean isNew(CallState call) {
        return call.parked() == null && call.retried() == null;
    }

    private List<CallState> held(State s) {
        List<CallState> held = new ArrayList<>();
        for (CallState call : s.pendingCalls()) {
            if (isHeld(call)) {
                held.add(call);
            }
        }
        return held;
    }

    /** Guards may take their time, so they are called concurrently. */
    private List<Fact> opened(State s) {
        List<CallState> unopened = new ArrayList<>(rules.unopened(s));
        for (Fact.CallOpened intent : waiting) {
            unopened.removeIf(call -> intent.callId().equals(call.callId()));
        }
        if (!open.callsForeignCode(unopened)) {
            List<Fact> opened = new ArrayList<>();
            for (CallState call : unopened) {
                opened.add(open.open(s, call));
            }
            return opened;
        }
        record.run();
        return fan().all(unopened, CallState::callId, call -> open.open(s, call));
    }
}
