package dev.chargehand.internal.memory.observation;

import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.internal.fact.ObservedHistory;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.memory.history.Recent;
import dev.chargehand.internal.memory.side.SideModels;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.StepState;
import dev.chargehand.internal.state.Transcript;
import dev.chargehand.memory.Observations;
import dev.chargehand.memory.Scope;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.memory.ObservationLog;
import dev.chargehand.thread.ThreadOwner;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides which part of its conversation a run sees through observations, and has more of it observed if that is needed.
 * Thread-safe.
 */
public record ObservedHistories(Store store, SideModels models) {

    private static final Log LOG = Log.of(ObservedHistories.class);

    /** The observations of how many other threads of its resource a run sees. */
    private static final int MOST_OTHERS = 50;

    private static final int PAGE = 100;

    /**
     * What was found.
     *
     * @param recent messages of the thread that were read for that, or null
     * @param problem why messages that were to be observed were not, or null
     * @param spent what observing them has used
     */
    public record Found(
            ObservedHistory history,
            @Nullable Recent recent,
            @Nullable String problem,
            Spending spent) {}

    /** Return what a run sees from its start on; before that, messages are observed if there are too many. */
    public Found start(RunScope run, ConversationState state, ThreadLink link, Observations settings) {
        ObservedThread thread = new ObservedThread(store, link.owner(), link.id(), settings);
        RunObserver observer = new RunObserver(run, state.stepNumber(), link.id(), models);
        long end = link.position();
        ObservationLog log = thread.log();
        String problem = null;
        long most = most(settings);
        Recent recent = thread.unobserved(log, end);
        if (recent.tokens(most) > most && !run.options().get(Options.MEMORY).isReadOnly()) {
            problem = observer.observe(thread, recent.startOfLast(thread.tokensLeft()));
            log = thread.log();
            recent = thread.unobserved(log, end);
        }
        long tokens = recent.tokens(most);
        long from = tokens > most ? recent.startOfLast(settings.messageTokens()) : log.end();
        if (tokens > most && problem == null) {
            problem = "observation-failed: Messages " + log.end() + " to " + from
                    + " were not observed, and are left out.";
        }
        if (problem != null) {
            LOG.warn("run {}: not all that is to be observed has been: {}", state.runId(), problem);
        }
        ObservedHistory history =
                new ObservedHistory(seen(thread, log, settings.scope()), from, tokens, 0, problem != null, false);
        return new Found(history, recent, problem, observer.spent());
    }

    private List<ObservedHistory.Seen> seen(ObservedThread thread, ObservationLog own, Scope scope) {
        List<ObservedHistory.Seen> seen = new ArrayList<>();
        seen.add(new ObservedHistory.Seen(thread.threadId(), own.newest(), own.end()));
        if (scope == Scope.RESOURCE) {
            thread.memory().observedThreads(thread.owner(), MOST_OTHERS + 1).stream()
                    .filter(id -> !id.equals(thread.threadId()))
                    .limit(MOST_OTHERS)
                    .map(id -> other(thread, id))
                    .filter(other -> other.number() > 0)
                    .forEach(seen::add);
        }
        return seen;
    }

    private static ObservedHistory.Seen other(ObservedThread thread, String id) {
        ObservationLog log;
        try {
            log = thread.memory().observations(thread.owner(), id);
        } catch (ThreadOwnershipException e) { // another owner has made a thread with its id
            log = ObservationLog.EMPTY;
        }
        return new ObservedHistory.Seen(id, log.newest(), log.end());
    }

    /** A run may have a fifth more than what is observed after it. */
    private static long most(Observations settings) {
        return (long) settings.messageTokens() + settings.messageTokens() / 5;
    }

    /**
     * Return what a run sees from its next step on, if its own steps have made its conversation too long; the last one it sees as
     * it is.
     *
     * @return empty if nothing changes
     */
    public Optional<Found> later(RunScope run, ConversationState state, ThreadLink link, Observations settings) {
        ObservedHistory before = state.remembered().observed();
        if (before == null) { // it had no observations when it recalled, and its agent has them now
            Found found = start(run, state, link, settings);
            return Optional.of(new Found(found.history().asUpdate(), found.recent(), found.problem(), found.spent()));
        }
        if (before.hasFailed() || run.options().get(Options.MEMORY).isReadOnly()) {
            return Optional.empty();
        }
        List<StepState> steps =
                state.steps().subList(before.steps(), state.steps().size());
        if (steps.size() < 2 || Transcript.tokens(state) <= most(settings)) {
            return Optional.empty();
        }
        ObservedThread thread = new ObservedThread(store, link.owner(), link.id(), settings);
        int kept = firstKept(state, steps, thread.tokensLeft());
        long until = positionOf(state, link, kept);
        if (kept <= before.steps() + 1 || until < 0) {
            return Optional.empty();
        }
        RunObserver observer = new RunObserver(run, state.stepNumber(), link.id(), models);
        String problem = observer.observe(thread, until);
        ObservationLog log = thread.log();
        if (problem == null && log.end() < until) {
            problem = "observation-failed: Not all steps of the run were observed.";
        }
        if (problem != null) {
            LOG.warn("run {}: its first steps were not observed: {}", state.runId(), problem);
            return Optional.of(new Found(before.failed(), null, problem, observer.spent()));
        }
        List<ObservedHistory.Seen> seen = new ArrayList<>(before.seen());
        seen.set(0, new ObservedHistory.Seen(link.id(), log.newest(), log.end()));
        return Optional.of(
                new Found(new ObservedHistory(seen, until, 0, kept - 1, false, true), null, null, observer.spent()));
    }

    /** Return the number of the first of the last steps that have at most so many tokens; the last one, if it has more. */
    private static int firstKept(ConversationState state, List<StepState> steps, long most) {
        int first = steps.getLast().number();
        long tokens = 0;
        for (StepState step : steps.reversed()) {
            tokens += Transcript.tokens(Transcript.ofStep(state, step));
            if (tokens > most) {
                return first;
            }
            first = step.number();
        }
        return first;
    }

    /** Return the position of the first message of one of the run's own steps in its thread; -1 if it is missing. */
    private long positionOf(ConversationState state, ThreadLink link, int step) {
        String prefix = state.runId() + "." + step + ".";
        long next = link.position();
        while (true) {
            List<ThreadEntry> page = store.readThreadFrom(link.id(), link.owner(), next, PAGE);
            for (ThreadEntry entry : page) {
                if (entry.messageId().startsWith(prefix)) {
                    return entry.position();
                }
            }
            if (page.size() < PAGE) {
                return -1;
            }
            next = page.getLast().position() + 1;
        }
    }

    /** Return what a run sees that had seen something which was deleted since. */
    public ObservedHistory left(ObservedHistory before, ThreadLink link, Observations settings) {
        ObservationLog log = log(link.owner(), before.own());
        boolean isWhole = ObservedTexts.isWhole(before.own(), log);
        if (!isWhole && !before.own().threadId().equals(link.id())) {
            log = ObservationLog.EMPTY; // a fork has messages at other places than the thread whose observations it saw
        }
        List<ObservedHistory.Seen> seen = new ArrayList<>();
        seen.add(isWhole ? before.own() : new ObservedHistory.Seen(link.id(), log.newest(), log.end()));
        for (ObservedHistory.Seen other : before.others()) {
            ObservationLog left = log(link.owner(), other);
            if (left.newest() > 0) {
                seen.add(new ObservedHistory.Seen(other.threadId(), left.newest(), left.end()));
            }
        }
        if (isWhole) {
            return new ObservedHistory(seen, before.from(), before.tokens(), before.steps(), before.hasFailed(), false);
        }
        ObservedThread thread = new ObservedThread(store, link.owner(), link.id(), settings);
        Recent recent = thread.unobserved(log, link.position());
        long tokens = recent.tokens(most(settings));
        long from = tokens > most(settings) ? recent.startOfLast(settings.messageTokens()) : log.end();
        return new ObservedHistory(seen, from, tokens, 0, before.hasFailed(), false);
    }

    private ObservationLog log(ThreadOwner owner, ObservedHistory.Seen seen) {
        return ObservedTexts.log(store, owner, seen);
    }
}
