package dev.chargehand.verify.server;

import dev.chargehand.verify.harness.LineProcess;
import dev.chargehand.verify.stores.StorePlace;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Processes that serve one store. They are killed, terminated and replaced by one thread; any thread may ask where they listen. */
final class Servers implements AutoCloseable {

    private static final long LONGEST_START_SECONDS = 120;

    private final StorePlace place;
    private final Path ledger;
    private final ServerWork work;
    private final List<Served> all = new CopyOnWriteArrayList<>();

    private record Served(LineProcess process, CompletableFuture<URI> address) {}

    private Servers(StorePlace place, Path ledger, ServerWork work) {
        this.place = place;
        this.ledger = ledger;
        this.work = work;
    }

    /** Start so many, and wait until all listen. */
    static Servers start(StorePlace place, Path ledger, ServerWork work, int count)
            throws IOException, InterruptedException {
        Servers servers = new Servers(place, ledger, work);
        for (int i = 0; i < count; i++) {
            servers.all.add(servers.launch());
        }
        servers.awaitAll();
        return servers;
    }

    /** Return where the first one listens, or has listened before it ended. */
    URI first() {
        return all.getFirst().address().join();
    }

    /** Send SIGTERM to the first one, and wait until its process is gone. */
    void terminateFirst() throws InterruptedException {
        all.getFirst().process().terminate();
    }

    /** Return where one of them listens, or has listened before it was killed. */
    URI any(SplittableRandom random) {
        List<URI> known = all.stream()
                .filter(each -> each.address().isDone())
                .map(each -> each.address().getNow(URI.create("")))
                .toList();
        // while both of them start, the caller gets an address that nobody listens on
        return known.isEmpty() ? URI.create("http://127.0.0.1:9") : known.get(random.nextInt(known.size()));
    }

    /** Kill one, or both, with SIGKILL, start others, and wait until they listen; returns how many were killed. */
    int killAndReplace(SplittableRandom random) throws IOException, InterruptedException {
        int count = all.size();
        int first = random.nextInt(count);
        int kills = random.nextInt(4) == 0 ? count : 1;
        for (int i = 0; i < kills; i++) {
            all.get((first + i) % count).process().kill();
        }
        for (int i = 0; i < kills; i++) {
            all.set((first + i) % count, launch());
        }
        awaitAll();
        return kills;
    }

    private Served launch() throws IOException {
        CompletableFuture<URI> address = new CompletableFuture<>();
        LineProcess process = LineProcess.start(
                ServerChild.class,
                line -> address.complete(URI.create(line)),
                place.address(),
                ledger.toString(),
                work.name());
        return new Served(process, address);
    }

    private void awaitAll() throws InterruptedException {
        for (Served each : all) {
            try {
                each.address().get(LONGEST_START_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                throw new IllegalStateException("A server does not start.", e);
            }
        }
    }

    @Override
    public void close() {
        all.forEach(each -> each.process().close());
    }
}
