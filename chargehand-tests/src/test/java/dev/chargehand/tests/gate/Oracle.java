package dev.chargehand.tests.gate;

import dev.chargehand.tests.gate.Combination.Finish;
import dev.chargehand.tests.gate.Combination.Parked;
import dev.chargehand.tests.gate.Combination.Predicate;
import dev.chargehand.tests.gate.Combination.Says;
import dev.chargehand.tests.gate.Combination.Scorers;
import dev.chargehand.tests.gate.Combination.Spent;
import java.util.Set;
import java.util.TreeSet;

/** The gate as the contract has it, line by line; it knows nothing of the product. */
final class Oracle {

    private final Combination c;
    private final Set<String> asked = new TreeSet<>();
    private final Set<String> feedback = new TreeSet<>();

    private Oracle(Combination c) {
        this.c = c;
    }

    static Verdict of(Combination c) {
        return new Oracle(c).verdict();
    }

    private Verdict verdict() {
        // an answer that was cut: the run ends at once, and nobody is asked
        if (c.finish() == Finish.LENGTH) {
            return ends("output-truncated");
        }
        if (c.finish() == Finish.CONTENT_FILTER) {
            return ends("content-filtered");
        }
        if (c.finish() == Finish.MISSING) {
            return ends("answer-incomplete");
        }
        if (c.hook() != Says.NO_HOOK) {
            asked.add(Verdict.HOOK);
        }
        if (c.cancelInHook()) {
            return ends("cancelled");
        }
        // a bail bypasses scoring, and whatever the hook decides is ignored
        if (c.bail()) {
            return new Verdict(false, "bailed", Verdict.CHILD_TEXT, c.step(), asked, Set.of(), Set.of(), false);
        }
        if (c.hook() == Says.STOP) {
            return ends("stopped-by-hook");
        }
        if (c.hook() == Says.STOP_WITH_FEEDBACK) {
            return onceMore();
        }
        if (c.hook() == Says.PROCEED_WITH_FEEDBACK) {
            feedback.add(Verdict.HOOK);
        }
        boolean failed = false;
        if (c.scorers() != Scorers.NONE && (c.isAnswer() || c.everyStep())) {
            asked.add(Verdict.SCORER);
            if (c.scorers() == Scorers.PASS) {
                return ends("task-complete");
            }
            if (c.scorers() == Scorers.FAIL_AND_END) {
                return ends("task-incomplete");
            }
            failed = true;
            if (c.scorers() != Scorers.FAIL_AND_GO_ON_WITHOUT_FEEDBACK) {
                feedback.add(Verdict.SCORER);
            }
        }
        if (c.stopWhen() != Predicate.NONE) {
            asked.add(Verdict.STOP_WHEN);
        }
        if (c.stopWhen() == Predicate.TRUE) {
            return ends("stop-condition-met");
        }
        // a failed score keeps the run going even if the model is told nothing of it
        if (!c.hasCalls() && feedback.isEmpty() && !failed) {
            return ends("finished");
        }
        return switch (c.limit()) {
            case MAX_STEPS -> ends("max-steps-reached");
            case TOKENS -> ends("budget-exhausted");
            case IDENTICAL_CALLS -> ends("limit-reached");
            case NOTHING -> goesOn();
        };
    }

    /** The one answer after a stop with feedback: outside of maxSteps, inside budgets, without anything else. */
    private Verdict onceMore() {
        return c.limit() == Spent.TOKENS
                ? ends("budget-exhausted")
                : new Verdict(
                        waits(),
                        "stopped-by-hook",
                        Verdict.TEXT_AFTER,
                        c.step() + 1,
                        asked,
                        Set.of(),
                        Set.of(Verdict.HOOK),
                        false);
    }

    /** The next step is a plain answer, which the hook lets through, the scorers pass, and the predicate does not stop. */
    private Verdict goesOn() {
        Set<String> after = new TreeSet<>();
        if (c.hook() != Says.NO_HOOK) {
            after.add(Verdict.HOOK);
        }
        if (c.scorers() != Scorers.NONE) {
            after.add(Verdict.SCORER);
        } else if (c.stopWhen() != Predicate.NONE) {
            after.add(Verdict.STOP_WHEN);
        }
        String stop = c.scorers() == Scorers.NONE ? "finished" : "task-complete";
        return new Verdict(waits(), stop, Verdict.TEXT_AFTER, c.step() + 1, asked, after, feedback, true);
    }

    /** The gate waits for what is parked, unless a sibling bails, which closes it as superseded. */
    private boolean waits() {
        return c.parked() != Parked.NOTHING && !c.bail();
    }

    private Verdict ends(String stop) {
        return new Verdict(waits(), stop, Verdict.STEP_TEXT, c.step(), asked, Set.of(), Set.of(), false);
    }
}
