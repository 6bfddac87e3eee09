package dev.chargehand.internal.event;

import dev.chargehand.event.Origin;
import dev.chargehand.event.RunEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * What a run has emitted of a step whose answer is not stored yet, for readers that join in the middle of it. Used under
 * the lock of the sink.
 */
final class OpenStep {

    private final List<Emitted> emitted =
            new ArrayList<>(2); // mostly nothing but the start, while a model is waited for

    /** Something that was emitted of the step, to be emitted again. */
    private sealed interface Emitted {

        RunEvent again(Origin origin);
    }

    private record Event(Function<Origin, RunEvent> event) implements Emitted {

        @Override
        public RunEvent again(Origin origin) {
            return event.apply(origin);
        }
    }

    /** The text so far of deltas that belong together. */
    private record Text(String id, StringBuilder text, BiFunction<Origin, String, RunEvent> delta) implements Emitted {

        @Override
        public RunEvent again(Origin origin) {
            return delta.apply(origin, text.toString());
        }
    }

    /** Forget all: the step is only about to start, or is answered. */
    void clear() {
        emitted.clear();
    }

    boolean isEmpty() {
        return emitted.isEmpty();
    }

    void add(Function<Origin, RunEvent> event) {
        emitted.add(new Event(event));
    }

    /** Add a delta to the text with its id. */
    void add(String id, String more, BiFunction<Origin, String, RunEvent> delta) {
        if (!emitted.isEmpty()
                && emitted.getLast() instanceof Text last
                && last.id().equals(id)) {
            last.text().append(more);
        } else {
            emitted.add(new Text(id, new StringBuilder(more), delta));
        }
    }

    /** Return the events that a reader needs who has received nothing of the step: texts as one delta each. */
    List<RunEvent> again(Origin origin) {
        return emitted.stream().map(each -> each.again(origin)).toList();
    }
}
