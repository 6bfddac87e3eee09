package dev.chargehand.internal.state;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RoundFact;
import dev.chargehand.internal.state.value.SharedList;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The fold of the calls of a step, of which one can be changed without copying or looking at the others: a model may make thousands
 * at once, and each of them goes through several states. Which call is where never changes. Immutable.
 */
final class StepCalls extends AbstractList<CallState> implements RandomAccess {

    static final StepCalls NONE = of(List.of());

    /** Up to as many calls are found by looking at all of them. */
    private static final int FEW = 64;

    private final SharedList<CallState> calls;

    /** Where each call is; empty if there are few. */
    private final Map<String, Integer> places;

    private final Counts counts;

    private StepCalls(SharedList<CallState> calls, Map<String, Integer> places, Counts counts) {
        this.calls = calls;
        this.places = places;
        this.counts = counts;
    }

    /**
     * How many calls are where they are.
     *
     * @param pending those that are not over
     * @param unopened those about which nothing has been decided
     * @param runnable those that may be executed
     * @param bails those that have bailed
     * @param failures those that have failed
     */
    private record Counts(int pending, int unopened, int runnable, int bails, int failures) {

        static final Counts NONE = new Counts(0, 0, 0, 0, 0);

        /** Return the counts with a call more, or less. */
        Counts plus(CallState call, int one) {
            boolean failed = call.closed() != null && call.closed().hasFailed();
            boolean bailed = call.closed() != null && call.closed().hasBailed();
            return new Counts(
                    pending + (call.isClosed() ? 0 : one),
                    unopened + (call.isUnopened() ? one : 0),
                    runnable + (call.isRunnable() ? one : 0),
                    bails + (bailed ? one : 0),
                    failures + (failed ? one : 0));
        }
    }

    static StepCalls of(List<CallState> calls) {
        Counts counts = Counts.NONE;
        Map<String, Integer> places = calls.size() <= FEW ? Map.of() : HashMap.newHashMap(calls.size());
        int place = 0;
        for (CallState call : calls) {
            counts = counts.plus(call, 1);
            if (calls.size() > FEW) {
                places.putIfAbsent(call.callId(), place++);
            }
        }
        return new StepCalls(SharedList.of(calls), places, counts);
    }

    /** Return where a call is, or -1. */
    int place(String callId) {
        if (size() > FEW) {
            return places.getOrDefault(callId, -1);
        }
        for (int i = 0; i < size(); i++) {
            if (get(i).callId().equals(callId)) {
                return i;
            }
        }
        return -1;
    }

    StepCalls after(Fact.CallOpened fact) {
        return with(fact.callId(), call -> call.after(fact));
    }

    StepCalls after(Fact.CallParked fact) {
        return with(fact.callId(), call -> call.after(fact));
    }

    StepCalls after(Fact.CallDecided fact) {
        return with(fact.callId(), call -> call.after(fact));
    }

    /**
     * Fold the end of a call.
     *
     * @param reference the id under which later delegations may name the result, or null if it has none
     */
    StepCalls after(Fact.CallClosed fact, @Nullable String reference) {
        return with(fact.callId(), call -> call.after(fact, reference));
    }

    StepCalls after(RoundFact.CallRetried fact) {
        return with(fact.callId(), call -> call.after(fact));
    }

    private StepCalls with(String callId, UnaryOperator<CallState> change) {
        int place = place(callId);
        if (place < 0) {
            return this;
        }
        CallState before = get(place);
        CallState after = change.apply(before);
        return new StepCalls(
                calls.with(place, after), places, counts.plus(before, -1).plus(after, 1));
    }

    /** Return whether every call is over. */
    boolean areOver() {
        return counts.pending() == 0;
    }

    /** Return how many calls have bailed. */
    int bails() {
        return counts.bails();
    }

    /** Return how many calls have failed. */
    int failures() {
        return counts.failures();
    }

    int countOfRunnable() {
        return counts.runnable();
    }

    /** Return whether nothing is left to be decided about any call. */
    boolean areDecided() {
        return counts.unopened() == 0;
    }

    /** Return the calls that are not over, in order. */
    List<CallState> pending() {
        return those(CallState::isPending, counts.pending());
    }

    /** Return the calls about which nothing has been decided, in order. */
    List<CallState> unopened() {
        return those(CallState::isUnopened, counts.unopened());
    }

    /** Return the calls that may be executed, in order. */
    List<CallState> runnable() {
        return those(CallState::isRunnable, counts.runnable());
    }

    /** Return the calls of a kind; as there are no more of them than counted, the rest need not be looked at. */
    private List<CallState> those(Predicate<CallState> are, int count) {
        List<CallState> found = new ArrayList<>(count);
        for (int i = 0; found.size() < count; i++) {
            if (are.test(get(i))) {
                found.add(get(i));
            }
        }
        return found;
    }

    @Override
    public CallState get(int index) {
        return calls.get(index);
    }

    @Override
    public int size() {
        return calls.size();
    }
}
