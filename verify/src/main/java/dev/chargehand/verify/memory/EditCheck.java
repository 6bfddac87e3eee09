package dev.chargehand.verify.memory;

import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.store.memory.WorkingMemoryRevision;
import dev.chargehand.verify.harness.Tally;
import dev.chargehand.verify.stores.StorePlace;

/**
 * Looks whether each edit of two processes was made once.
 *
 * @param ofEach how many edits of each text each process has stored
 */
record EditCheck(StorePlace place, int ofEach, Tally tally) {

    /** Make what is edited. */
    void prepare() {
        try (AgentRuntime runtime = runtime()) {
            Edits.prepare(runtime);
        }
    }

    void check() {
        try (AgentRuntime runtime = runtime()) {
            for (ScopeRef scope : Edits.SCOPES) {
                String what = scope.threadId() == null ? "a resource" : "a thread";
                WorkingMemoryRevision newest = runtime.memory()
                        .workingMemory(scope)
                        .orElseThrow(() -> new IllegalStateException("There is no working memory of " + what));
                checkNotes(what, Notes.read(newest.text()));
                long revisions = Edits.revisions(ofEach);
                if (newest.revision() != revisions) {
                    tally.addFault(
                            newest.revision() < revisions ? "lost" : "doubled",
                            "the working memory of " + what + " has revision " + newest.revision() + " instead of "
                                    + revisions);
                }
            }
        }
    }

    private void checkNotes(String what, Notes notes) {
        for (int process = 0; process < Pair.PROCESSES; process++) {
            for (int number = 0; number < ofEach; number++) {
                long times = notes.times(process, number);
                tally.addCase();
                if (times != 1) {
                    tally.addFault(
                            times == 0 ? "lost" : "doubled",
                            "edit " + number + " of process " + process + " in the working memory of " + what + ": "
                                    + times + " times");
                }
            }
        }
    }

    private AgentRuntime runtime() {
        return new MemoryCrew(what -> {}).runtime(place.open(), Wakeups.off());
    }
}
