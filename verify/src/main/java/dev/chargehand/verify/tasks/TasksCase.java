package dev.chargehand.verify.tasks;

import dev.chargehand.verify.harness.LineProcess;
import dev.chargehand.verify.harness.OutsideLedger;
import dev.chargehand.verify.stores.StorePlace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * One conversation, with what plays it.
 *
 * @param random what is random about it
 * @param place the store
 * @param ledger the file of the ledger
 * @param topics of the tasks
 * @param kills the most kills
 * @param starts the role of a process that starts the conversation
 * @param fault counts a fault, by its kind
 */
record TasksCase(
        SplittableRandom random,
        StorePlace place,
        Path ledger,
        List<Topic> topics,
        int kills,
        String starts,
        BiConsumer<String, String> fault) {

    /** A longer time without a line means that a process hangs. */
    static final long LONGEST_SECONDS = 120;

    /** Start a process of the conversation. */
    LineProcess start(String role, Consumer<String> lines) throws IOException {
        return LineProcess.start(
                TasksChild.class, lines, role, place.address(), ledger.toString(), String.valueOf(topics.size()));
    }

    /** Count what a process reports of itself. */
    void note(String line) {
        if (line.equals(TasksChild.OVER_BOUND)) {
            fault.accept("different", "a process worked on more than " + TasksCrew.PER_AGENT + " tasks at once");
        } else if (line.startsWith(TasksChild.FAILED)) {
            fault.accept("different", line);
        }
    }

    /** Compare the end with what must be. */
    void check() {
        new TasksCheck(topics, new OutsideLedger(ledger), fault).check(place);
    }
}
