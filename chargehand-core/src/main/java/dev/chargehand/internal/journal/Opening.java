package dev.chargehand.internal.journal;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.message.Message;
import dev.chargehand.store.ThreadAppend;
import java.util.List;

/**
 * What a run begins with, stored in one transaction.
 *
 * @param started its first fact
 * @param threadTail what its agent remembers of its thread
 * @param copied the facts that it has of another run, and what was said to it after them
 * @param threads the messages that it has of threads of another run
 */
public record Opening(Fact.Started started, List<Message> threadTail, List<Fact> copied, List<ThreadAppend> threads) {

    public Opening {
        threadTail = List.copyOf(threadTail);
        copied = List.copyOf(copied);
        threads = List.copyOf(threads);
    }

    /** Makes the opening of a run that has nothing of another. */
    public static Opening of(Fact.Started started, List<Message> threadTail) {
        return new Opening(started, threadTail, List.of(), List.of());
    }
}
