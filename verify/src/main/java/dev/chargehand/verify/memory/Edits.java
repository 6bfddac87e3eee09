package dev.chargehand.verify.memory;

import dev.chargehand.AgentRuntime;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.thread.ThreadOwner;
import java.util.List;
import java.util.function.UnaryOperator;

/** The edits that two processes make of two working memories, as their application. */
final class Edits {

    private static final ThreadOwner ANN = ThreadOwner.of("ann");

    static final String THREAD = "edited";

    /** The text of a resource and the text of a thread. */
    static final List<ScopeRef> SCOPES = List.of(new ScopeRef(ANN, null), ScopeRef.thread(ANN, THREAD));

    /** After so many notes of a process it folds the text, which would grow too long. */
    private static final int FOLDED_AFTER = 200;

    private Edits() {}

    /** Make the thread. */
    static void prepare(AgentRuntime runtime) {
        runtime.threads().create(ANN, THREAD, values -> {});
    }

    /** Add a note to both texts, and fold them at times. */
    static void make(AgentRuntime runtime, int process, int number) {
        for (ScopeRef scope : SCOPES) {
            edit(runtime, scope, text -> text + Notes.note(process, number), process + "-" + number);
            if (isFolded(number)) {
                edit(runtime, scope, Notes::fold, process + "-" + number + "-fold");
            }
        }
    }

    /** Return the revision of a text with so many notes of each process. */
    static long revisions(int ofEach) {
        long each = ofEach;
        for (int number = 0; number < ofEach; number++) {
            each += isFolded(number) ? 1 : 0;
        }
        return Pair.PROCESSES * each;
    }

    private static boolean isFolded(int number) {
        return number % FOLDED_AFTER == FOLDED_AFTER - 1;
    }

    private static void edit(AgentRuntime runtime, ScopeRef scope, UnaryOperator<String> edit, String key) {
        while (true) {
            try {
                var ignored = runtime.memory().editWorkingMemory(scope, edit, key);
                return;
            } catch (ChargehandException e) {
                if (!e.retryable()) {
                    throw e;
                }
                // The other process was faster, again and again.
            }
        }
    }
}
