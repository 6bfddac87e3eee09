package dev.chargehand.verify.server;

import dev.chargehand.AgentRuntime;
import dev.chargehand.server.ChargehandServer;
import dev.chargehand.server.HttpBinding;
import dev.chargehand.store.Store;
import dev.chargehand.verify.harness.LoadSample;
import dev.chargehand.verify.harness.Tally;
import dev.chargehand.verify.harness.Unlimited;
import dev.chargehand.verify.server.client.Http;
import dev.chargehand.verify.server.client.Received;
import dev.chargehand.verify.server.client.WholeStream;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/**
 * Clients that start a run, read its stream to the end and start the next one, each with one stream at a time. After each
 * minute they let their runs end, and the process, which has the server and its clients, is looked at.
 */
final class LoadRound {

    private final TalkingCrew crew;
    private final int streams;
    private final Duration minute;
    private final HttpBinding binding;
    private final Tally tally;

    /**
     * Make it.
     *
     * @param streams how many clients there are
     * @param minute for how long they start runs before the process is looked at
     */
    LoadRound(TalkingCrew crew, int streams, Duration minute, HttpBinding binding, Tally tally) {
        this.crew = crew;
        this.streams = streams;
        this.minute = minute;
        this.binding = binding;
        this.tally = tally;
    }

    /** Play it for so many minutes, and a first one in which code is compiled; returns a sample of each. */
    List<LoadSample> play(Store store, int minutes) throws IOException {
        List<LoadSample> samples = new ArrayList<>();
        try (AgentRuntime runtime = crew.runtime(store, new Semaphore(Integer.MAX_VALUE));
                ChargehandServer server = Unlimited.all(
                                ChargehandServer.builder(runtime).port(0))
                        .binding(binding)
                        .start()) {
            LoadSample last = LoadSample.take(0, tally.cases(), Duration.ZERO);
            for (int number = 0; number <= minutes; number++) {
                long since = System.nanoTime();
                drive(runtime, server.uri());
                Duration time = Duration.ofNanos(System.nanoTime() - since);
                LoadSample sample = LoadSample.take(number, tally.cases(), time);
                System.out.println(sample.after(last));
                samples.add(sample);
                last = sample;
            }
        }
        return samples;
    }

    private void drive(AgentRuntime runtime, URI server) {
        long end = System.nanoTime() + minute.toNanos();
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < streams; i++) {
                clients.execute(() -> {
                    do {
                        one(runtime, server);
                    } while (System.nanoTime() < end);
                });
            }
        }
    }

    private void one(AgentRuntime runtime, URI server) {
        try {
            Http.Answer started = Http.post(
                    server, "/api/v1/agents/" + TalkingCrew.AGENT + "/runs", Map.of("input", "Talk."), Map.of());
            String run = started.at("/runId");
            if (run.isEmpty()) {
                fault("lost", "a start was answered with " + started);
                return;
            }
            WholeStream stream = new WholeStream(() -> server, run, this::fault);
            stream.run();
            stream.check(Received.stored(runtime.forTenant(Store.LOCAL), run));
            if (!stream.ends().equals(List.of("run-finish"))) {
                fault("lost", "streams of " + run + " ended with " + stream.ends());
            }
            tally.addCase();
        } catch (IOException e) {
            fault("lost", "a start has no answer: " + e);
        }
    }

    private void fault(String kind, String what) {
        tally.addFault(kind, what);
    }
}
