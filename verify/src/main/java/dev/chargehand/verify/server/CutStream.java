package dev.chargehand.verify.server;

import dev.chargehand.json.Json;
import dev.chargehand.verify.harness.Tally;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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
    private final List<String> received = new ArrayList<>();
    private String cursor = "";
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
                tally.addFault("hung", again + ": " + run + " after " + received.size() + " events");
                return;
            }
        }
    }

    private void read(int events) throws IOException {
        HttpURLConnection connection = Http.open(
                servers.any(random),
                "/api/v1/runs/" + run + "/events?until=end",
                cursor.isEmpty() ? Map.of() : Map.of("Last-Event-ID", cursor));
        try {
            int status = connection.getResponseCode();
            if (status == 200) {
                tally.addCase();
                try (BufferedReader lines = new BufferedReader(
                        new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
                    read(lines, events);
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
    private void read(BufferedReader lines, int events) throws IOException {
        int more = random.nextInt(4);
        int left = events + more;
        String id = "";
        String type = "";
        String data = "";
        for (String line = lines.readLine(); line != null && left > 0 && !over; line = lines.readLine()) {
            if (line.startsWith("id: ")) {
                id = line.substring(4);
            } else if (line.startsWith("event: ")) {
                type = line.substring(7);
            } else if (line.startsWith("data: ")) {
                data = line.substring(6);
            } else if (line.isEmpty() && !type.isEmpty()) {
                receive(id, type, data);
                left -= id.isEmpty() && left > more ? 0 : 1;
                id = "";
                type = "";
            } else if (line.startsWith(":") && silence().compareTo(SILENT) > 0) {
                // a run whose servers were killed again and again without progress waits for an operator
                Http.post(servers.any(random), "/api/v1/runs/" + run + "/resume", Map.of(), Map.of());
            }
        }
    }

    private void receive(String id, String type, String data) {
        if (!id.isEmpty()) {
            lastEvent = System.nanoTime();
            over = received.contains(position(id)); // which the check reports; it may come again for ever
            received.add(position(id));
            cursor = id;
        }
        over |= type.equals("run-finish") && field(data, "runId").equals(run);
    }

    private Duration silence() {
        return Duration.ofNanos(System.nanoTime() - lastEvent);
    }

    private static String field(String json, String name) {
        return Json.parse(json).at("/" + name).flatMap(Json::string).orElse("");
    }

    /** Return the place of an event in the order of its run: the last two parts of a cursor. */
    private static String position(String cursor) {
        int dot = cursor.lastIndexOf('.', cursor.lastIndexOf('.') - 1);
        return cursor.substring(dot + 1);
    }

    /** Compare what was received with what is stored. */
    void check(List<String> stored) {
        List<String> lost = new ArrayList<>(stored);
        lost.removeAll(new HashSet<>(received));
        if (!lost.isEmpty()) {
            tally.addFault("lost", again + ": " + lost + " of " + run);
        }
        if (new HashSet<>(received).size() < received.size()) {
            tally.addFault("doubled", again + ": " + received + " of " + run);
        } else if (lost.isEmpty() && !received.equals(stored)) {
            tally.addFault("disordered", again + ": " + received + " instead of " + stored + " of " + run);
        }
    }
}
