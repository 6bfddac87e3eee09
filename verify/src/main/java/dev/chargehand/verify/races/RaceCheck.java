package dev.chargehand.verify.races;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.internal.fact.CallAnswer;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.verify.races.RaceCase.Trouble;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.IntUnaryOperator;

/** Compares the results of contenders, the stored facts, and the executed effects. */
final class RaceCheck {

    private final RaceCase race;
    private final List<PendingApproval> approvals;
    private final List<Outcome> outcomes;
    private final Recorded recorded;
    private final IntUnaryOperator effects;
    private final BiConsumer<String, String> fault;

    /**
     * Make the check of a case that is over.
     *
     * @param approvals one for each slot
     * @param outcomes of all, and of who answered what was left
     * @param effects how often what a slot stands for was carried out, in all processes
     * @param fault hears the kind of a fault and what it is
     */
    RaceCheck(
            RaceCase race,
            List<PendingApproval> approvals,
            List<Outcome> outcomes,
            Recorded recorded,
            IntUnaryOperator effects,
            BiConsumer<String, String> fault) {
        this.race = race;
        this.approvals = List.copyOf(approvals);
        this.outcomes = List.copyOf(outcomes);
        this.recorded = recorded;
        this.effects = effects;
        this.fault = fault;
    }

    void check() {
        outcomes.forEach(this::told);
        for (int slot = 0; slot < approvals.size(); slot++) {
            slot(slot);
        }
        if (race.shape().sleeps()) {
            sleep();
        }
        end();
    }

    /** What follows the sleep is carried out once, however often the sleep is ended. */
    private void sleep() {
        int effect = effects.applyAsInt(race.shape().slots().size());
        long due = recorded.decided().stream()
                .filter(fact -> fact.answer() == CallAnswer.DUE)
                .count();
        String what = "the sleep: ended " + due + ", carried out " + effect;
        if (effect > 1 || due > 1) {
            fault("doubled", what);
        } else if (effect > due && race.trouble() != Trouble.DUE) { // the time may have come before the sleep
            fault("wrong", "carried out in spite of it, " + what);
        } else if (effect == 0 && recorded.status() == RunStatus.COMPLETED) {
            fault("lost", what);
        }
    }

    private void told(Outcome outcome) {
        if (outcome.broke() != null) {
            fault("wrong", outcome.contender() + " got " + outcome.broke());
        }
        ApprovalException.Kind refused = outcome.refused();
        boolean expected = refused == null
                || refused == ApprovalException.Kind.ALREADY_DECIDED
                || (refused == ApprovalException.Kind.EXPIRED && race.trouble() == Trouble.EXPIRY);
        if (!expected) {
            fault("wrong", outcome.contender() + " was refused as " + refused);
        }
    }

    private void slot(int slot) {
        String callId = approvals.get(slot).callId();
        List<Outcome> taken = outcomes.stream()
                .filter(outcome ->
                        outcome.contender().answers() && outcome.contender().slot() == slot && outcome.taken())
                .toList();
        List<CallAnswer> answers = recorded.answers(callId);
        int effect = effects.applyAsInt(slot);
        String what = "slot " + slot + ": taken " + taken + ", on record " + answers + ", carried out " + effect;
        boolean one = taken.stream().allMatch(outcome -> outcome.contender()
                .decidesLike(taken.getFirst().contender()));
        if (!one || answers.size() > 1 || effect > 1 || recorded.ends(callId) > 1) {
            fault("doubled", what + ", ended " + recorded.ends(callId));
            return;
        }
        if (!taken.isEmpty()
                && (!answers.equals(List.of(answerOf(taken.getFirst())))
                        || !recorded.approvers(callId)
                                .equals(List.of(taken.getFirst().contender().approver()))
                        || !recorded.data(callId).equals(dataOf(taken.getFirst())))) {
            fault("lost", what + " in the name of " + recorded.approvers(callId) + ", " + recorded.data(callId));
        }
        if (taken.isEmpty() && answers.stream().anyMatch(answer -> answer != CallAnswer.EXPIRED)) {
            fault("wrong", "nobody was told: " + what);
        }
        if (answers.contains(CallAnswer.EXPIRED) && race.trouble() != Trouble.EXPIRY) {
            fault("wrong", "nothing can have expired: " + what);
        }
        boolean approved = answers.contains(
                Shape.wantsData(race.shape().slots().get(slot)) ? CallAnswer.DATA : CallAnswer.APPROVED);
        if (effect == 1 && !approved) {
            fault("wrong", "carried out without approval: " + what);
        }
        if (effect == 0 && approved && recorded.status() == RunStatus.COMPLETED) {
            fault("lost", "approved and not carried out: " + what);
        }
        if (answers.isEmpty() && recorded.status() == RunStatus.COMPLETED) {
            fault("lost", "completed without an answer: " + what);
        }
    }

    private static CallAnswer answerOf(Outcome taken) {
        return switch (taken.contender().deed()) {
            case APPROVE -> CallAnswer.APPROVED;
            case GIVE -> CallAnswer.DATA;
            default -> CallAnswer.DECLINED;
        };
    }

    /** Return the data that an answer gave. */
    private static List<Json> dataOf(Outcome taken) {
        return taken.contender().deed() == Contender.Deed.GIVE
                ? List.of(Json.of(taken.contender().data()))
                : List.of();
    }

    private void end() {
        boolean cancelled = outcomes.stream()
                .anyMatch(outcome -> outcome.contender().deed() == Contender.Deed.CANCEL && outcome.taken());
        RunStatus status = recorded.status();
        if (status != RunStatus.COMPLETED && !(cancelled && status == RunStatus.ABORTED)) {
            fault(status.isEnded() ? "wrong" : "lost", "the run is " + status + " at last");
        }
        if (status.isEnded() && !recorded.below().isEmpty()) {
            fault("lost", "the run is " + status + ", and below it are " + recorded.below());
        }
        String text = expectedText();
        for (Outcome outcome : outcomes) {
            if (RunStatus.COMPLETED.name().equals(outcome.status()) && !text.equals(outcome.text())) {
                fault("wrong", outcome + " should say " + text);
            }
        }
    }

    private String expectedText() {
        List<String> parts = new ArrayList<>();
        for (int slot = 0; slot < approvals.size(); slot++) {
            String callId = approvals.get(slot).callId();
            List<CallAnswer> answers = recorded.answers(callId);
            String became = answers.isEmpty()
                    ? "nothing"
                    : switch (answers.getFirst()) {
                        case APPROVED -> "ok";
                        case DECLINED -> "declined";
                        case EXPIRED -> "expired";
                        case DATA -> "ok" + recorded.data(callId).getFirst().text();
                        case DUE -> "due";
                    };
            parts.add(race.shape().slots().get(slot) + "=" + became);
        }
        if (race.shape().sleeps()) {
            parts.add(RaceWorkflows.NAP + "=ok");
        }
        return String.join(" ", parts);
    }

    private void fault(String kind, String what) {
        fault.accept(kind, what + " in " + race + " told " + outcomes);
    }
}
