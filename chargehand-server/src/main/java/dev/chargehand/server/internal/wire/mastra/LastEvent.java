package dev.chargehand.server.internal.wire.mastra;

import dev.chargehand.event.RunEvent;
import dev.chargehand.event.WorkflowEvent;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.server.internal.wire.Encoder;
import dev.chargehand.server.internal.wire.Frame;
import dev.chargehand.server.internal.wire.Outcome;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps what is needed of the run of a workflow for an answer that is sent as a whole. */
final class LastEvent implements Encoder {

    private final RunId root;
    private @Nullable RunEvent last;
    private @Nullable Json input;
    private @Nullable Json output;

    LastEvent(RunId root) {
        this.root = root;
    }

    @Override
    public List<Frame> encode(RunEvent event) {
        if (event.runId().equals(root)) {
            switch (event) {
                case WorkflowEvent.WorkflowStart start -> input = start.input();
                case WorkflowEvent.WorkflowFinish finish -> output = finish.output();
                default -> last = Outcome.isLast(event) ? event : last;
            }
        }
        return List.of();
    }

    @Override
    public boolean isDone() {
        return last != null;
    }

    @Override
    public List<Frame> released() {
        return List.of();
    }

    RunEvent last() {
        if (last == null) {
            throw Outcome.released(root);
        }
        return last;
    }

    Optional<Json> input() {
        return Optional.ofNullable(input);
    }

    Optional<Json> output() {
        return Optional.ofNullable(output);
    }
}
