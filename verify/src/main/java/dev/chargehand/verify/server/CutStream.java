package dev.chargehand.verify.server;

import dev.chargehand.verify.harness.Tally;
import dev.chargehand.verify.server.client.Frames;
import dev.chargehand.verify.server.client.Http;
import dev.chargehand.verify.server.client.Received;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A reader of one run whose connection is cut after some events, by itself or by a kill, and that continues with its
 * cursor at any server. Used by one thread, and by another one when that has ended.
 */
final class CutStream implements Runnable {

    private static final long BETWEEN_TRIES = TimeUnit.MILLISECONDS.toNanos(20);
    private static final Duration SILENT = Duration.ofSeconds(20);
    private static final Duration HUNG = Duration.ofMinutes(2);

    private final Servers servers;
    private final String run;
    private final int mostEvents;
    private final SplittableRandom random;
    private final Tally tally;
    private final String again;
    private final Received received = new Received();
    private boolean over;
    private long lastEvent = System.nanoTime();

    /**
     * Make it.
     *
     * @param mostEvents the most events with an id that it wants to read on one connection
     * @param again how to play the round again
     */
    CutStream(Servers servers, String run, int mostEvents, SplittableRandom random, Tally tally, String again) {
        this.servers = servers;
        this.run = run;
        this.mostEvents = mostEvents;
        this.random = random;
        this.tally = tally;
        this.again = again;
    }

    @Override
    public void run() {
        while (!over) {
            try {
                read(random.nextInt(1, mostEvents + 1));
            } catch (IOException e) {
                LockSupport.parkNanos(BETWEEN_TRIES); // a server was killed, or does not listen yet
            }
            if (silence().compareTo(HUNG) > 0) {
                tally.addFault("hung", again + ": " + run + " after " + received.count() + " events");
                return;
            }
        }
    }

    private void read(int events) throws IOException {
        HttpURLConnection connection =
                Http.open(servers.any(random), "/api/v1/runs/" + run + "/events?until=end", received.header());
        try {
            int status = connection.getResponseCode();
            if (status == 200) {
                tally.addCase();
                try (Frames frames = new Frames(connection.getInputStream())) {
                    read(frames, events);
                }
            } else if (status == 204) {
                over = true; // the event that ends the run was received, or is missing, which the check finds
            } else if (status != 503 && status != 429) {
                tally.addFault("lost", again + ": a reader of " + run + " got status " + status);
                over = true;
            }
        } finally {
            connection.disconnect();
        }
    }

    /** Read so many events with an id, without which a reader makes no progress, and up to three more of any kind. */
    private void read(Frames frames, int events) throws IOException {
        int more = random.nextInt(4);
        int left = events + more;
        while (left > 0 && !over) {
            Optional<Frames.Frame> next = frames.next();
            if (next.isEmpty()) {
                return;
            }
            Frames.Frame frame = next.get();
            if (!frame.isComment()) {
                receive(frame);
                left -= frame.id().isEmpty() && left > more ? 0 : 1;
            } else if (silence().compareTo(SILENT) > 0) {
                // a run whose servers were killed again and again without progress waits for an operator
                Http.post(servers.any(random), "/api/v1/runs/" + run + "/resume", Map.of(), Map.of());
            }
        }
    }

    private void receive(Frames.Frame frame) {
        if (!frame.id().isEmpty()) {
            lastEvent = System.nanoTime();
            over = !received.add(frame.id()); // which the check reports; it may come again for ever
        }
        over |= frame.ends(run);
    }

    private Duration silence() {
        return Duration.ofNanos(System.nanoTime() - lastEvent);
    }

    /** Compare what was received with what is stored. */
    void check(List<String> stored) {
        received.check(run, stored, (kind, what) -> tally.addFault(kind, again + ": " + what));
    }
}
