package dev.chargehand.verify.server;

import java.io.IOException;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;

/** A request that starts a run with an idempotency key, sent until it is answered, and again whenever one likes. Thread-safe. */
final class KeyedStart {

    private static final long BETWEEN_TRIES = TimeUnit.MILLISECONDS.toNanos(20);

    private final Servers servers;
    private final String task;
    private final BiConsumer<String, String> fault;
    private volatile String run = "";

    /**
     * Make it.
     *
     * @param task its input, unique on its store; it is the key too
     * @param fault counts a fault, by its kind
     */
    KeyedStart(Servers servers, String task, BiConsumer<String, String> fault) {
        this.servers = servers;
        this.task = task;
        this.fault = fault;
    }

    /** Send it until it is answered; returns the id of the run. */
    String start(SplittableRandom random) {
        while (run.isEmpty()) {
            try {
                Http.Answer answer = send(random);
                if (answer.isDone()) {
                    run = answer.at("/runId");
                } else if (!answer.isForNow()) {
                    fault.accept("lost", task + " was not started: " + answer);
                    return "";
                }
            } catch (IOException e) {
                LockSupport.parkNanos(BETWEEN_TRIES); // whether it was started is not known
            }
        }
        return run;
    }

    /** Send it again, if it has been answered: the answer must be the same run. */
    void repeat(SplittableRandom random) {
        if (run.isEmpty()) {
            return;
        }
        try {
            Http.Answer answer = send(random);
            if (!answer.isForNow() && !answer.at("/runId").equals(run)) {
                fault.accept("doubled", task + " is " + run + ", and again " + answer);
            }
        } catch (IOException e) {
            // its server is being replaced
        }
    }

    private Http.Answer send(SplittableRandom random) throws IOException {
        return Http.post(
                servers.any(random),
                "/api/v1/agents/" + ServerCrew.LEAD + "/runs",
                Map.of("input", task),
                Map.of("Idempotency-Key", task));
    }
}
