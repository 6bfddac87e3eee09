package dev.chargehand.testkit.replay;

import dev.chargehand.approval.WaitKind;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.journal.FactCodec;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.StepState;
import dev.chargehand.run.RunId;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A run as its facts report it: where it stood before each answer, and in the end.
 *
 * @param record its record
 * @param facts its facts
 * @param beforeAnswers the states in which its models were called, by step
 * @param end the state after its last fact
 */
record Track(RunRecord record, List<Fact> facts, List<ConversationState> beforeAnswers, ConversationState end) {

    /** Where a call stands: in which step, from 1, and at which place, from 0. */
    record Place(int step, int index) {
        @Override
        public String toString() {
            return "step " + step + ", call " + (index + 1);
        }
    }

    static Track of(RunRecord record, List<FactEntry> entries) {
        List<Fact> facts = entries.stream().map(FactCodec::read).toList();
        List<ConversationState> before = new ArrayList<>();
        ConversationState state =
                State.of(record.runId(), Collecting.started(entries), List.of()).conversation();
        for (Fact fact : facts.subList(1, facts.size())) {
            if (fact instanceof Fact.Answered) {
                before.add(state);
            }
            state = state.after(fact);
        }
        return new Track(record, facts, List.copyOf(before), state);
    }

    RunId runId() {
        return record.runId();
    }

    /** Return the answer of a step, if the run got as far. */
    Optional<Fact.Answered> answer(int step) {
        return step(step).map(StepState::answered);
    }

    private Optional<StepState> step(int number) {
        return steps().stream().filter(step -> step.number() == number).findFirst();
    }

    List<StepState> steps() {
        List<StepState> steps = new ArrayList<>(end.steps());
        if (end.open() != null) {
            steps.add(end.open());
        }
        return steps;
    }

    Optional<CallState> call(Place place) {
        return step(place.step())
                .map(StepState::calls)
                .filter(calls -> place.index() < calls.size())
                .map(calls -> calls.get(place.index()));
    }

    /** Return where a call stands. */
    Optional<Place> place(String callId) {
        for (StepState step : steps()) {
            List<CallState> calls = step.calls();
            for (int i = 0; i < calls.size(); i++) {
                if (calls.get(i).callId().equals(callId)) {
                    return Optional.of(new Place(step.number(), i));
                }
            }
        }
        return Optional.empty();
    }

    /** Return the places of the calls of a step that were over before another, if that mattered: if one bailed. */
    List<Place> overBefore(Place place) {
        StepState step = step(place.step()).orElse(null);
        if (step == null || step.bails() == 0) {
            return List.of();
        }
        List<String> order = facts.stream()
                .filter(Fact.CallClosed.class::isInstance)
                .map(fact -> ((Fact.CallClosed) fact).callId())
                .toList();
        int own = order.indexOf(step.calls().get(place.index()).callId());
        return IntStream.range(0, step.calls().size())
                .filter(i -> own >= 0)
                .filter(i -> order.indexOf(step.calls().get(i).callId()) >= 0)
                .filter(i -> order.indexOf(step.calls().get(i).callId()) < own)
                .mapToObj(i -> new Place(place.step(), i))
                .toList();
    }

    /** Return what a call asked the application for, time after time. */
    List<Fact.CallParked> questions(String callId) {
        return facts.stream()
                .filter(Fact.CallParked.class::isInstance)
                .map(Fact.CallParked.class::cast)
                .filter(parked -> parked.callId().equals(callId))
                .filter(parked -> parked.kind() == WaitKind.DATA)
                .toList();
    }

    /** Return what was answered to a call, time after time, and by whom. */
    List<String> answersTo(String callId) {
        return facts.stream()
                .filter(Fact.CallDecided.class::isInstance)
                .map(Fact.CallDecided.class::cast)
                .filter(decided -> decided.callId().equals(callId))
                .map(decided -> decided.answer() + " by " + decided.approver())
                .toList();
    }

    /** Return the answer to a call that waited for the nth time, if there was one. */
    Optional<Fact.CallDecided> decided(String callId, int waitNumber) {
        return facts.stream()
                .filter(Fact.CallDecided.class::isInstance)
                .map(Fact.CallDecided.class::cast)
                .filter(decided -> decided.callId().equals(callId) && decided.waitNumber() == waitNumber)
                .findFirst();
    }
}
