package dev.chargehand.server.internal.wire;

import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Finds the call of the root run through which a nested run was delegated. Used by one thread. */
public final class RootCalls {

    private record Parent(RunId run, String call) {}

    private final RunId root;
    private final Map<RunId, Parent> parents = new HashMap<>();

    /** Make it for the tree of a root run. */
    public RootCalls(RunId root) {
        this.root = root;
    }

    /** Note which run an event starts. */
    public void note(RunEvent event) {
        if (event instanceof RunEvent.DelegationStart start) {
            parents.put(
                    start.call().childRunId(),
                    new Parent(start.runId(), start.call().callId()));
        }
    }

    /** Return the call; empty for the root run, and for a run whose start was not seen. */
    public Optional<String> of(RunId run) {
        Parent parent = parents.get(run);
        while (parent != null && !parent.run().equals(root)) {
            parent = parents.get(parent.run());
        }
        return Optional.ofNullable(parent).map(Parent::call);
    }
}
