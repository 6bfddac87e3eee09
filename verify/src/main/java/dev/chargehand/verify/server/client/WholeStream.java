package dev.chargehand.verify.server.client;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * A reader of one run that cuts no connection by itself, and continues with its cursor when one ends before the run.
 * Used by one thread, and by another one when that has ended.
 */
public final class WholeStream implements Runnable {

    private static final long BETWEEN_TRIES = TimeUnit.MILLISECONDS.toNanos(20);
    private static final Duration HUNG = Duration.ofMinutes(2);

    private final Supplier<URI> servers;
    private final String run;
    private final Map<String, String> headers;
    private final CountDownLatch reads;
    private final BiConsumer<String, String> fault;
    private final CountDownLatch opened = new CountDownLatch(1);
    private final Received received = new Received();
    private final List<String> ends = new ArrayList<>();
    private boolean over;
    private long lastEvent = System.nanoTime();

    /**
     * Make it.
     *
     * @param servers asked for each connection
     * @param fault counts a fault, by its kind
     */
    public WholeStream(Supplier<URI> servers, String run, BiConsumer<String, String> fault) {
        this(servers, run, Map.of(), new CountDownLatch(0), fault);
    }

    /**
     * Make one that stops reading.
     *
     * @param headers of its requests
     * @param reads it opens its first connection and reads nothing of it until this opens
     */
    public WholeStream(
            Supplier<URI> servers,
            String run,
            Map<String, String> headers,
            CountDownLatch reads,
            BiConsumer<String, String> fault) {
        this.servers = servers;
        this.run = run;
        this.headers = headers;
        this.reads = reads;
        this.fault = fault;
    }

    /** Wait until its first connection is open. */
    public void awaitOpen() throws InterruptedException {
        if (!opened.await(HUNG.toSeconds(), TimeUnit.SECONDS)) {
            fault.accept("hung", "no stream of " + run + " opens");
        }
    }

    @Override
    public void run() {
        while (!over) {
            try {
                connect(servers.get());
            } catch (IOException e) {
                LockSupport.parkNanos(BETWEEN_TRIES); // a server that ends, or has ended
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
            if (!over && System.nanoTime() - lastEvent > HUNG.toNanos()) {
                fault.accept("hung", run + " after " + received.count() + " events");
                return;
            }
        }
    }

    private void connect(URI server) throws IOException, InterruptedException {
        Map<String, String> all = new HashMap<>(headers);
        all.putAll(received.header());
        HttpURLConnection connection = Http.open(server, "/api/v1/runs/" + run + "/events?until=end", all);
        try {
            int status = connection.getResponseCode();
            if (status == 200) {
                opened.countDown();
                reads.await();
                read(connection);
            } else if (status == 204) {
                over = true; // the event that ends the run was received, or is missing, which the check finds
            } else if (status == 503 || status == 429) {
                LockSupport.parkNanos(BETWEEN_TRIES);
            } else {
                fault.accept("lost", "a reader of " + run + " got status " + status);
                over = true;
            }
        } finally {
            connection.disconnect();
        }
    }

    private void read(HttpURLConnection connection) throws IOException {
        String last = "nothing";
        try (Frames frames = new Frames(connection.getInputStream())) {
            for (Optional<Frames.Frame> next = frames.next(); next.isPresent() && !over; next = frames.next()) {
                Frames.Frame frame = next.get();
                if (!frame.isComment()) {
                    last = frame.type();
                    receive(frame);
                }
            }
        } finally {
            ends.add(last);
        }
    }

    private void receive(Frames.Frame frame) {
        if (!frame.id().isEmpty()) {
            lastEvent = System.nanoTime();
            over = !received.add(frame.id()); // which the check reports; it may come again for ever
        }
        over |= frame.ends(run);
    }

    /** Return the type of the last event of each connection. */
    public List<String> ends() {
        return ends;
    }

    /** Compare what was received with what is stored. */
    public void check(List<String> stored) {
        received.check(run, stored, fault);
    }
}
