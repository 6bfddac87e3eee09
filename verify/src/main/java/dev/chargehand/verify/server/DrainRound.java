package dev.chargehand.verify.server;

import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.verify.harness.OutsideLedger;
import dev.chargehand.verify.harness.Tally;
import dev.chargehand.verify.server.client.Http;
import dev.chargehand.verify.server.client.Received;
import dev.chargehand.verify.server.client.WholeStream;
import dev.chargehand.verify.stores.StorePlace;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * A server is terminated while each of its runs has a call in flight and readers, and another one on the same store
 * finishes the runs. Then the streams are compared with the stored events, and the bookings with the ledger.
 */
final class DrainRound {

    private static final Duration HUNG = Duration.ofMinutes(2);
    private static final long BETWEEN_LOOKS = TimeUnit.MILLISECONDS.toNanos(50);

    /** The last events of streams after which a reader knows that it can continue. */
    private static final Set<String> CONTINUABLE = Set.of("server-draining", "run-released", "run-finish");

    private final StorePlace place;
    private final OutsideLedger ledger;
    private final ServerWork held;
    private final int runs;
    private final Tally tally;
    private final String again;
    private final List<String> started = new ArrayList<>();
    private final Map<String, List<WholeStream>> readers = new LinkedHashMap<>();

    DrainRound(StorePlace place, Path ledger, ServerWork held, int runs, Tally tally, String again) {
        this.place = place;
        this.ledger = new OutsideLedger(ledger);
        this.held = held;
        this.runs = runs;
        this.tally = tally;
        this.again = again;
    }

    /**
     * What the terminated server left.
     *
     * @param inFlight how many calls were in flight when it got SIGTERM
     * @param released how many runs it has not ended
     */
    record Left(int inFlight, int released) {}

    /** Play it. */
    Left play() throws IOException, InterruptedException {
        Left left;
        try (Servers first = Servers.start(place, ledger.file(), held, 1)) {
            start(first.first());
            awaitHeld();
            try (Servers second = Servers.start(place, ledger.file(), ServerWork.FREE, 1)) {
                List<Thread> threads = read(first.first(), second.first());
                int inFlight = inFlight();
                first.terminateFirst();
                left = new Left(inFlight, open());
                for (Thread thread : threads) {
                    thread.join();
                }
                started.forEach(run -> checkResult(second.first(), run));
            }
        }
        checkStore();
        checkBookings();
        return left;
    }

    private void start(URI server) throws IOException {
        for (int number = 0; number < runs; number++) {
            Http.Answer answer = Http.post(
                    server, "/api/v1/agents/" + HeldCrew.LEAD + "/runs", Map.of("input", task(number)), Map.of());
            if (answer.isDone()) {
                started.add(answer.at("/runId"));
            } else {
                fault("lost", task(number) + " was not started: " + answer);
            }
        }
    }

    private static String task(int number) {
        return "task-" + number;
    }

    /** Wait until each run has a call that is held. */
    private void awaitHeld() {
        long since = System.nanoTime();
        while (tasksHeld() < runs) {
            if (System.nanoTime() - since > HUNG.toNanos()) {
                fault("hung", tasksHeld() + " of " + runs + " runs have a call in flight");
                return;
            }
            LockSupport.parkNanos(BETWEEN_LOOKS);
        }
    }

    private long tasksHeld() {
        return ledger.bySubject().entrySet().stream()
                .filter(entry -> has(entry.getValue(), HeldCrew.HELD))
                .map(entry -> entry.getKey().substring(0, entry.getKey().indexOf('/')))
                .distinct()
                .count();
    }

    private int inFlight() {
        return (int) ledger.bySubject().values().stream()
                .filter(entries -> !has(entries, HeldCrew.DONE))
                .count();
    }

    private static boolean has(List<OutsideLedger.Effect> entries, String what) {
        return entries.stream().anyMatch(entry -> entry.tool().equals(what));
    }

    /** Open two streams of each run: one at the server that is terminated, and one at the other. */
    private List<Thread> read(URI first, URI second) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (String run : started) {
            List<WholeStream> streams = List.of(
                    new WholeStream(inTurn(first, second), run, this::fault),
                    new WholeStream(() -> second, run, this::fault));
            streams.forEach(stream -> threads.add(Thread.ofVirtual().start(stream)));
            readers.put(run, streams);
        }
        for (List<WholeStream> streams : readers.values()) {
            for (WholeStream stream : streams) {
                stream.awaitOpen();
            }
        }
        return threads;
    }

    private static Supplier<URI> inTurn(URI first, URI second) {
        AtomicInteger asked = new AtomicInteger();
        return () -> asked.getAndIncrement() % 2 == 0 ? first : second;
    }

    /** Return how many runs have not ended. */
    private int open() {
        try (AgentRuntime runtime = observer()) {
            return (int) roots(runtime).stream()
                    .filter(run -> !run.status().isEnded())
                    .count();
        }
    }

    private AgentRuntime observer() {
        return AgentRuntime.builder()
                .store(place.open())
                .providers()
                .wakeups(Wakeups.off())
                .build();
    }

    private List<RunRecord> roots(AgentRuntime runtime) {
        return runtime.runs(RunFilter.ROOTS.limit(10 + 2 * runs));
    }

    /** A call whose outcome is unknown would be in the answer. */
    private void checkResult(URI server, String run) {
        try {
            Http.Answer result = Http.get(server, "/api/v1/runs/" + run + "/result");
            if (!result.at("/text").equals(HeldCrew.ANSWER)) {
                fault("lost", run + " has the result " + result);
            }
        } catch (IOException e) {
            fault("lost", run + " has no result: " + e);
        }
    }

    private void checkStore() {
        try (AgentRuntime runtime = observer()) {
            int stored = roots(runtime).size();
            if (stored != runs) {
                fault(stored < runs ? "lost" : "doubled", stored + " runs are stored of " + runs);
            }
            readers.forEach((run, streams) -> {
                List<String> events = Received.stored(runtime, run);
                for (WholeStream stream : streams) {
                    tally.addCase();
                    stream.check(events);
                    if (!CONTINUABLE.containsAll(stream.ends())) {
                        fault("lost", "streams of " + run + " ended with " + stream.ends());
                    }
                }
            });
        }
    }

    /** Each booking has started once and is done once. */
    private void checkBookings() {
        Map<String, List<OutsideLedger.Effect>> entries = ledger.bySubject();
        for (int number = 0; number < runs; number++) {
            for (String slot : HeldCrew.SLOTS) {
                String subject = HeldCrew.subject(task(number), slot);
                List<OutsideLedger.Effect> own = entries.getOrDefault(subject, List.of());
                if (!has(own, HeldCrew.DONE)) {
                    fault("lost", subject + " was not booked");
                } else if (own.size() != 2) {
                    fault("doubled", subject + " has the entries " + own);
                }
            }
        }
    }

    private void fault(String kind, String what) {
        tally.addFault(kind, again + ": " + what);
    }
}
