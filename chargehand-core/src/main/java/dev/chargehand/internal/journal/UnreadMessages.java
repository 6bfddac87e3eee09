package dev.chargehand.internal.journal;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.StopReasons;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Delivery;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The messages to a run that did not become part of its conversation, of which the fact that ends the run keeps the ids. */
final class UnreadMessages {

    private UnreadMessages() {}

    /** Return the ids of the messages to a run among deliveries, without those that it has read. */
    static List<String> to(RunId runId, List<Delivery> undrained, List<String> read) {
        return undrained.stream()
                .filter(delivery -> delivery.to().equals(runId) && delivery.kind() == Delivery.Kind.MESSAGE)
                .map(Delivery::id)
                .filter(id -> !read.contains(id))
                .toList();
    }

    /** Return a fact with more ids of unread messages; nothing unless it ends a run otherwise than by itself. */
    static Optional<Fact> addTo(Fact fact, List<String> ids) {
        if (fact instanceof Fact.Stopped stopped) {
            return Optional.of(new Fact.Stopped(
                    stopped.reason(),
                    stopped.partialText(),
                    stopped.spent(),
                    both(stopped.unread(), ids),
                    stopped.at()));
        }
        if (fact instanceof Fact.StepClosed closed && closed.stop() != null && !StopReasons.isByItself(closed.stop())) {
            return Optional.of(new Fact.StepClosed(
                    closed.step(),
                    closed.stop(),
                    closed.lastStop(),
                    closed.hook(),
                    closed.feedback(),
                    closed.completion(),
                    closed.scoresKept(),
                    closed.judged(),
                    closed.object(),
                    closed.answer(),
                    both(closed.unread(), ids),
                    closed.at()));
        }
        return Optional.empty();
    }

    private static List<String> both(List<String> before, List<String> more) {
        return Stream.concat(before.stream(), more.stream()).toList();
    }
}
