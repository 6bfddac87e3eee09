package dev.chargehand.server.internal.wire;

import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the calls through which nested runs were delegated. Used by one thread. */
public final class RootCalls {

    /**
     * A call that delegates.
     *
     * @param run the run that makes it
     */
    public record Caller(RunId run, String callId) {}

    private final RunId root;
    private final Map<RunId, Caller> callers = new HashMap<>();

    /** Make it for the tree of a root run. */
    public RootCalls(RunId root) {
        this.root = root;
    }

    /** Note which run an event starts. */
    public void note(RunEvent event) {
        if (event instanceof RunEvent.DelegationStart start) {
            callers.put(
                    start.call().childRunId(),
                    new Caller(start.runId(), start.call().callId()));
        }
    }

    /** Return the call of the root run; empty for the root run, and for a run whose start was not seen. */
    public Optional<String> of(RunId run) {
        List<Caller> chain = chain(run);
        return chain.isEmpty() || !chain.getFirst().run().equals(root)
                ? Optional.empty()
                : Optional.of(chain.getFirst().callId());
    }

    /** Return the calls that lead to a run, that of the root run first. */
    public List<Caller> chain(RunId run) {
        List<Caller> chain = new ArrayList<>();
        for (Caller caller = callers.get(run); caller != null; caller = callers.get(caller.run())) {
            chain.addFirst(caller); // few levels
        }
        return chain;
    }
}
