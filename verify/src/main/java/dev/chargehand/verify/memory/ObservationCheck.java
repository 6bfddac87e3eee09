package dev.chargehand.verify.memory;

import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.store.memory.Observation;
import dev.chargehand.store.memory.ObservationLog;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.verify.harness.Tally;
import dev.chargehand.verify.stores.StorePlace;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Looks whether each turn is seen once: as it was said, or through observations, which follow each other without a gap.
 *
 * @param ofEach how many turns each process has made
 */
record ObservationCheck(StorePlace place, Rows rows, int ofEach, Tally tally) {

    void check() throws SQLException {
        try (AgentRuntime runtime =
                new ObservedTalk(what -> tally.addFault("lost", what)).runtime(place.open(), Wakeups.off())) {
            Settling.await(runtime, rows, tally);
            ObservationLog log = runtime.memory().observations(ObservedTalk.OWNER, ObservedTalk.THREAD);
            long end = 0;
            List<String> words = new ArrayList<>();
            for (Observation each : log.observations()) {
                if (each.from() != end) {
                    tally.addFault(
                            each.from() < end ? "doubled" : "lost",
                            "observation " + each.number() + " starts at " + each.from() + " instead of " + end);
                }
                end = each.to();
                words.addAll(ObservedTalk.words(each.text()));
            }
            for (ThreadMessage message : Indexed.messages(runtime, ObservedTalk.OWNER, ObservedTalk.THREAD)) {
                if (message.position() >= end) {
                    words.addAll(ObservedTalk.words(message.message().text()));
                }
            }
            for (int process = 0; process < Pair.PROCESSES; process++) {
                for (int number = 0; number < ofEach; number++) {
                    once(words, ObservedTalk.word(process, number));
                }
            }
            tally.figure("observations", log.newest());
        }
    }

    private void once(List<String> words, String word) {
        int times = Collections.frequency(words, word);
        tally.addCase();
        if (times != 1) {
            tally.addFault(times == 0 ? "lost" : "doubled", word + " is seen " + times + " times");
        }
    }
}
