package dev.chargehand.verify.kill;

import dev.chargehand.json.Json;
import dev.chargehand.verify.workflows.RandomWorkflow;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * Compares the end of a killed run of a workflow with what an interpreter of its definition says.
 *
 * @param result what the last process said of it
 * @param fault hears the kind of a fault and what it is
 */
record WorkflowEnd(
        RandomWorkflow workflow,
        Line result,
        Ledger ledger,
        Interruptions interruptions,
        BiConsumer<String, String> fault) {

    /** Check its output, its state and its effects. */
    void check() {
        Set<String> unknown = interruptions.unknown();
        unknown.stream()
                .filter(call -> !interruptions.mayHaveHit(call))
                .forEach(call -> fault.accept("different", call + " is unknown, and nothing had interrupted it"));
        unknown.stream()
                .flatMap(call -> ledger.of(call).stream())
                .filter(entry -> workflow.isRepeatable(entry.tool()))
                .forEach(entry -> fault.accept("different", entry + " is unknown, and may be executed again"));
        RandomWorkflow.Expected expected = workflow.expected(unknown);
        String text = Json.parse(result.part(1)).string().orElse("");
        if (!text.equals(expected.text())) {
            fault.accept("different", "it is <" + text + "> instead of <" + expected.text() + "> of " + workflow);
        }
        Set<String> done = ledger.entries().stream().map(Ledger.Entry::slot).collect(Collectors.toSet());
        Set<String> lost = without(without(expected.calls(), done), unknown);
        if (!lost.isEmpty()) {
            fault.accept("lost", lost + " were never done");
        }
        Set<String> more = without(done, expected.calls());
        if (!more.isEmpty()) {
            fault.accept("doubled", more + " were done, and should not have been");
        }
    }

    private static Set<String> without(Set<String> all, Set<String> these) {
        Set<String> rest = new TreeSet<>(all);
        rest.removeAll(these);
        return rest;
    }
}
