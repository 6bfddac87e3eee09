package dev.chargehand.verify.server;

import dev.chargehand.verify.server.client.Http;
import java.io.IOException;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;

/** A request that starts a run with an idempotency key, sent until it is answered, and again whenever one likes. Thread-safe. */
final class KeyedStart {

    private static final long BETWEEN_TRIES = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long HUNG = TimeUnit.MINUTES.toNanos(3);

    private final Servers servers;
    private final String agent;
    private final String task;
    private final Map<String, String> request;
    private final BiConsumer<String, String> fault;
    private volatile String run = "";

    private KeyedStart(
            Servers servers, String agent, String task, Map<String, String> request, BiConsumer<String, String> fault) {
        this.servers = servers;
        this.agent = agent;
        this.task = task;
        this.request = request;
        this.fault = fault;
    }

    /**
     * Make the start of a run of {@link ServerCrew#LEAD}.
     *
     * @param task its input, unique on its store; it is the key too
     * @param fault counts a fault, by its kind
     */
    static KeyedStart of(Servers servers, String task, BiConsumer<String, String> fault) {
        return new KeyedStart(servers, ServerCrew.LEAD, task, Map.of("input", task), fault);
    }

    /** Make the start of a run on a thread; the rest is like {@link #of}. */
    static KeyedStart onThread(
            Servers servers, String agent, String task, String thread, BiConsumer<String, String> fault) {
        return new KeyedStart(servers, agent, task, Map.of("input", task, "thread", thread), fault);
    }

    /** Send it until it is answered; returns the id of the run, or an empty text after a fault. */
    String start(SplittableRandom random) {
        long since = System.nanoTime();
        while (run.isEmpty()) {
            if (System.nanoTime() - since > HUNG) {
                fault.accept("hung", task + " is not answered");
                return "";
            }
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
                servers.any(random), "/api/v1/agents/" + agent + "/runs", request, Map.of("Idempotency-Key", task));
    }
}
