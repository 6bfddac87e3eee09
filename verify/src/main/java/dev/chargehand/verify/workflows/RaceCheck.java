package dev.chargehand.verify.workflows;

import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.verify.workflows.RaceLedger.Effect;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * Compares the end of one run that two processes worked on with what an interpreter of its definition says, and with what its callers got.
 *
 * @param fault hears the kind of a fault and what it is
 */
record RaceCheck(RacedWorkflow workflow, RaceLedger ledger, Store store, BiConsumer<String, String> fault) {

    /** Return whether a cancel counted in the process that executed it, while it ended for another reason. */
    boolean isCancelledTooLate() {
        return !isCancelled() && ledger.said(RaceChild.CANCEL, workflow.name()).contains(RaceChild.HERE + " true");
    }

    private boolean isCancelled() {
        return store.list(RunFilter.ROOTS.agent(workflow.name())).stream()
                .anyMatch(run -> run.status() == RunStatus.ABORTED);
    }

    /** Check it, and return whether it was cancelled. */
    boolean check() {
        List<RunRecord> runs = store.list(RunFilter.ROOTS.agent(workflow.name()));
        if (runs.size() != 1) {
            fault.accept(runs.isEmpty() ? "lost" : "doubled", "there are " + runs.size() + " runs of it");
            return false;
        }
        boolean cancelled = isCancelled();
        TreeFacts facts = TreeFacts.read(store, runs.getFirst().runId());
        List<Effect> effects = ledger.effects(workflow.name());
        facts.doubled().forEach(what -> fault.accept("doubled", "there are two of " + what));
        keys(effects);
        repeated(effects);
        callers(cancelled);
        if (!cancelled) {
            unknown(facts.unknown(), effects);
        } else if (facts.hasBegunAfterCancel()) {
            fault.accept("doubled", "something has begun after the end: " + facts);
        }
        calls(facts, effects, cancelled);
        return cancelled;
    }

    private void keys(List<Effect> effects) {
        for (var of :
                effects.stream().collect(Collectors.groupingBy(Effect::slot)).entrySet()) {
            Set<String> keys = of.getValue().stream().map(Effect::key).collect(Collectors.toSet());
            if (keys.size() != 1) {
                fault.accept("doubled", of.getKey() + " was done under the keys " + keys);
            }
        }
        for (var of :
                effects.stream().collect(Collectors.groupingBy(Effect::key)).entrySet()) {
            if (of.getValue().stream().map(Effect::slot).distinct().count() != 1) {
                fault.accept("doubled", of.getValue() + " have one key");
            }
        }
    }

    /** An attempt is repeated only if its process was disturbed, and never if it may not be. */
    private void repeated(List<Effect> effects) {
        for (var of :
                effects.stream().collect(Collectors.groupingBy(Effect::what)).entrySet()) {
            List<Effect> same = of.getValue();
            int allowed = same.getFirst().once()
                    ? 1
                    : 1
                            + same.stream()
                                    .map(Effect::by)
                                    .distinct()
                                    .mapToInt(RaceProcess::disturbances)
                                    .sum();
            if (same.size() > allowed) {
                fault.accept("doubled", same.getFirst().slot() + " was done " + same.size() + " times: " + of.getKey());
            }
        }
    }

    private void unknown(Set<String> unknown, List<Effect> effects) {
        Map<String, List<Effect>> bySlot = effects.stream().collect(Collectors.groupingBy(Effect::slot));
        for (String call : unknown) {
            List<Effect> done = bySlot.getOrDefault(call, List.of());
            if (!done.stream().allMatch(Effect::once)) {
                fault.accept("different", call + " is unknown, and may be executed again");
            } else if (!done.isEmpty()
                    && done.stream().allMatch(effect -> effect.by().disturbances() == 0)) {
                fault.accept("different", call + " is unknown, and nothing had interrupted it");
            }
        }
    }

    private void callers(boolean cancelled) {
        List<String> reports = ledger.said(RaceChild.REPORT, workflow.name());
        List<String> others = new TreeSet<>(reports).stream().toList();
        if (others.size() != 1) {
            fault.accept("different", "the processes report " + others);
        }
        ledger.said(RaceChild.SAW, workflow.name()).stream()
                .filter(saw -> !reports.contains(saw))
                .forEach(saw -> fault.accept("different", "a caller got <" + saw + "> and not <" + reports + ">"));
        ledger.said(RaceChild.ODD, workflow.name()).forEach(odd -> fault.accept("different", odd));
        if (!cancelled && ledger.said(RaceChild.CANCEL, workflow.name()).contains("true")) {
            fault.accept("different", "a call has cancelled it, and it ended as " + reports);
        }
    }

    private void calls(TreeFacts facts, List<Effect> effects, boolean cancelled) {
        Set<String> unknown = facts.unknown();
        RandomWorkflow.Expected expected = workflow.expected(unknown);
        Set<String> done = effects.stream().map(Effect::slot).collect(Collectors.toCollection(TreeSet::new));
        more(done, facts.opened(), "were executed without an intent");
        // Items that are executed concurrently with one whose outcome is unknown have started before that was stored.
        Set<String> allowed = new HashSet<>(expected.calls());
        allowed.addAll(workflow.expected(Set.of()).calls());
        more(done, allowed, "were executed, and should not have been; unknown are " + unknown);
        if (cancelled) {
            return;
        }
        Set<String> lost = new HashSet<>(expected.calls());
        lost.removeAll(done);
        lost.removeAll(unknown);
        if (!lost.isEmpty()) {
            fault.accept("lost", lost + " were never done");
        }
        ledger.said(RaceChild.REPORT, workflow.name()).stream()
                .filter(text -> !text.equals(expected.text()))
                .forEach(
                        text -> fault.accept("different", "it is <" + text + "> instead of <" + expected.text() + ">"));
    }

    private void more(Set<String> done, Set<String> than, String what) {
        Set<String> more = new TreeSet<>(done);
        more.removeAll(than);
        if (!more.isEmpty()) {
            fault.accept("doubled", more + " " + what);
        }
    }
}
