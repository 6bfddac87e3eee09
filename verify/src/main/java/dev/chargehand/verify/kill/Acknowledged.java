package dev.chargehand.verify.kill;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.journal.FactCodec;
import dev.chargehand.store.Append;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import java.util.ArrayList;
import java.util.List;

/**
 * Says what a store has acknowledged, in lines: each fact by its place and a hash of its text, each message by its id;
 * and which calls this process has started.
 */
final class Acknowledged {

    private Acknowledged() {}

    static List<Line> of(Append append) {
        List<Line> lines = new ArrayList<>();
        long place = append.expectedLength();
        for (FactEntry fact : append.facts()) {
            lines.add(Line.of(Line.STORED, "fact", append.runId(), place, hash(fact)));
            if (FactCodec.read(fact) instanceof Fact.CallOpened opened) {
                lines.add(Line.of(
                        Line.BEGUN, opened.callId(), ProcessHandle.current().pid()));
            }
            place++;
        }
        for (ThreadAppend thread : append.threads()) {
            for (ThreadEntry entry : thread.entries()) {
                lines.add(Line.of(Line.STORED, "message", thread.threadId(), entry.messageId()));
            }
        }
        return lines;
    }

    static String hash(FactEntry fact) {
        return fact.type() + "-" + Integer.toHexString(fact.text().hashCode());
    }
}
