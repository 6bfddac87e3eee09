package dev.chargehand.verify.server;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.server.ChargehandServer;
import dev.chargehand.server.HttpBinding;
import dev.chargehand.server.Principal;
import dev.chargehand.server.Scope;
import dev.chargehand.server.ServerLimit;
import dev.chargehand.server.ServerTimeLimit;
import dev.chargehand.store.Store;
import dev.chargehand.verify.harness.Holdings;
import dev.chargehand.verify.harness.RunCosts;
import dev.chargehand.verify.harness.Tally;
import dev.chargehand.verify.harness.Unlimited;
import dev.chargehand.verify.server.client.Http;
import dev.chargehand.verify.server.client.Received;
import dev.chargehand.verify.server.client.WholeStream;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads a run with many streams, with and without one more whose reader opens it and does not read. The server ends that
 * one, and its reader continues with its cursor. Each reader is a caller of its own, with one stream.
 */
final class StalledRound {

    private static final String STARTER = "starter";
    private static final String STALLED = "stalled";
    private static final Duration HUNG = Duration.ofMinutes(2);
    private static final long BETWEEN_LOOKS = TimeUnit.MILLISECONDS.toNanos(20);

    private final TalkingCrew crew;
    private final int readers;
    private final HttpBinding binding;
    private final Duration longestWrite;
    private final Tally tally;
    private final String again;
    private final Semaphore starts = new Semaphore(0);

    /**
     * Make it.
     *
     * @param crew whose run has more bytes than a connection holds for a reader that does not read
     * @param readers how many read
     * @param longestWrite after how long the server ends the stream of a reader that does not
     */
    StalledRound(TalkingCrew crew, int readers, HttpBinding binding, Duration longestWrite, Tally tally, String again) {
        this.crew = crew;
        this.readers = readers;
        this.binding = binding;
        this.longestWrite = longestWrite;
        this.tally = tally;
        this.again = again;
    }

    /** Play it: a run without the reader that stops, and one with it. */
    void play(Store store, RunCosts without, RunCosts with) throws IOException, InterruptedException {
        try (AgentRuntime runtime = crew.runtime(store, starts);
                ChargehandServer server = server(runtime)) {
            read(runtime, server.uri(), false, without);
            read(runtime, server.uri(), true, with);
        }
    }

    private ChargehandServer server(AgentRuntime runtime) {
        return Unlimited.all(ChargehandServer.builder(runtime).port(0))
                .binding(binding)
                .limit(ServerLimit.STREAMS_OF_CALLER, 1)
                .timeLimit(ServerTimeLimit.WRITE, longestWrite)
                .addPrincipals(token ->
                        Optional.of(new Principal(token, Store.LOCAL, Optional.empty(), EnumSet.allOf(Scope.class))))
                .start();
    }

    private void read(AgentRuntime runtime, URI server, boolean stalls, RunCosts costs)
            throws IOException, InterruptedException {
        String run = Http.post(
                        server, "/api/v1/agents/" + TalkingCrew.AGENT + "/runs", Map.of("input", "Talk."), as(STARTER))
                .at("/runId");
        List<WholeStream> streams = new ArrayList<>();
        for (int i = 0; i < readers; i++) {
            streams.add(new WholeStream(() -> server, run, as("reader-" + i), new CountDownLatch(0), this::fault));
        }
        List<Thread> threads = start(streams);
        CountDownLatch reads = new CountDownLatch(1);
        WholeStream stalled = new WholeStream(() -> server, run, as(STALLED), reads, this::fault);
        List<Thread> last = stalls ? start(List.of(stalled)) : List.of();
        long since = System.nanoTime();
        starts.release();
        RunResult result = runtime.handle(new RunId(run)).result();
        costs.times().add(System.nanoTime() - since);
        if (result.status() != RunStatus.COMPLETED) {
            fault("lost", run + " ended as " + result.stopReason());
        }
        join(threads);
        costs.heap().add(Holdings.liveBytes());
        if (stalls) {
            awaitEnded(server, run);
            reads.countDown();
            join(last);
        }
        List<String> stored = Received.stored(runtime.forTenant(Store.LOCAL), run);
        streams.forEach(stream -> check(stream, stored, false));
        if (stalls) {
            check(stalled, stored, true);
        }
    }

    private static Map<String, String> as(String caller) {
        return Map.of("Authorization", "Bearer " + caller);
    }

    private static List<Thread> start(List<WholeStream> streams) throws InterruptedException {
        List<Thread> threads = streams.stream().map(Thread.ofVirtual()::start).toList();
        for (WholeStream stream : streams) {
            stream.awaitOpen();
        }
        return threads;
    }

    private static void join(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Wait until the server has ended the stream of the reader that has stopped: then its caller may open another one. */
    private void awaitEnded(URI server, String run) throws IOException {
        long since = System.nanoTime();
        while (status(server, run) == 429) {
            if (System.nanoTime() - since > HUNG.toNanos()) {
                fault("hung", "the stream of a reader of " + run + " that does not read is still open");
                return;
            }
            LockSupport.parkNanos(BETWEEN_LOOKS);
        }
    }

    private static int status(URI server, String run) throws IOException {
        HttpURLConnection connection = Http.open(server, "/api/v1/runs/" + run + "/events", as(STALLED));
        try {
            return connection.getResponseCode();
        } finally {
            connection.disconnect();
        }
    }

    private void check(WholeStream stream, List<String> stored, boolean stopped) {
        tally.addCase();
        stream.check(stored);
        boolean patient = longestWrite.equals(ServerTimeLimit.WRITE.byDefault());
        boolean isWhole = stream.ends().equals(List.of("run-finish"));
        if (stopped && isWhole) {
            fault("hung", "the server has not ended the stream of a reader that does not read");
        } else if (!stopped && !isWhole && patient) {
            fault("lost", "streams of a reader that reads ended with " + stream.ends());
        }
    }

    private void fault(String kind, String what) {
        tally.addFault(kind, again + ": " + what);
    }
}
