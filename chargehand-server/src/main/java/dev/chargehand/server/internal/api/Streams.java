package dev.chargehand.server.internal.api;

import dev.chargehand.run.RunId;
import dev.chargehand.server.Principal;
import dev.chargehand.server.ServerLimit;
import dev.chargehand.server.ServerTimeLimit;
import dev.chargehand.server.internal.http.FrameLoop;
import dev.chargehand.server.internal.limit.CallerLimits;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Held;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.SignedIn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The streams of events that are open, or whose requests have a place for them: counts them, ends them, also when their callers are signed in no
 * longer, and closes those whose reader takes too long. A request takes its place before it changes anything, so that no run starts which cannot be read. Thread-safe.
 */
public final class Streams {

    /** The place of a run that has no id yet, and so no stream. */
    public static final String NEW_RUN = "";

    private static final Logger LOG = LoggerFactory.getLogger(Streams.class);

    private static final Duration LOOK = Duration.ofMillis(500);

    /** Why a stream ends before its last event. Its run continues, and a client reads on with its cursor. */
    private enum End {
        DRAINING("server-draining"),
        SIGN_IN("sign-in-ended");

        private final String frame;

        End(String type) {
            this.frame = "event: " + type + "\ndata: {\"type\":\"" + type + "\"}\n\n";
        }
    }

    /** A stream that is open, or will be: its request holds it. The thread of the request writes it. */
    public final class Open implements AutoCloseable, FrameLoop.Watched, Held.Releasable {

        private final SignedIn caller;
        private final Thread writer = Thread.currentThread();
        private final ReentrantLock turn = new ReentrantLock();
        private String place; // guarded by the lock of all
        private boolean owns; // guarded by the lock of all
        private long writingSince;
        private boolean waits;
        private @Nullable End ended;

        private Open(SignedIn caller, String place) {
            this.caller = caller;
            this.place = place;
        }

        /** Note that its run is cancelled when its client leaves. */
        public void own() {
            lock.lock();
            try {
                owns = true;
            } finally {
                lock.unlock();
            }
        }

        /** A writer that was to stop waiting, and no longer waits, writes in peace: an interrupt would close its socket. */
        @Override
        public void startWrite() {
            turn.lock();
            try {
                writingSince = System.nanoTime() | 1;
                waits = false;
                boolean ignored = Thread.interrupted();
            } finally {
                turn.unlock();
            }
        }

        @Override
        public void endWrite() {
            turn.lock();
            try {
                writingSince = 0;
                waits = true;
            } finally {
                turn.unlock();
            }
        }

        @Override
        public boolean isEnded() {
            turn.lock();
            try {
                return ended != null;
            } finally {
                turn.unlock();
            }
        }

        /** Return whether it has ended because the server is being stopped. */
        public boolean isStopped() {
            turn.lock();
            try {
                return ended == End.DRAINING;
            } finally {
                turn.unlock();
            }
        }

        /** Return the event that reports an early end of the stream; empty if there was none. */
        public String lastFrame() {
            turn.lock();
            try {
                return ended == null ? "" : ended.frame;
            } finally {
                turn.unlock();
            }
        }

        /** End it, once; what opens or writes it looks for this itself, and only a wait is interrupted. */
        private void end(End why) {
            turn.lock();
            try {
                if (ended == null) {
                    ended = why;
                    if (waits) {
                        writer.interrupt();
                    }
                }
            } finally {
                turn.unlock();
            }
        }

        private void look(Duration most) {
            if (caller.hasExpired()) {
                end(End.SIGN_IN);
            }
            turn.lock();
            try {
                if (writingSince != 0 && System.nanoTime() - writingSince > most.toNanos()) {
                    writer.interrupt(); // closes the socket, as the thread is a virtual one
                }
            } finally {
                turn.unlock();
            }
        }

        private Principal principal() {
            return caller.principal();
        }

        @Override
        public void close() {
            turn.lock();
            try {
                waits = false; // what its thread does next is not this stream's
            } finally {
                turn.unlock();
            }
            lock.lock();
            try {
                open.remove(this);
                closed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void release() {
            close();
        }
    }

    private final ServerState state;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition closed = lock.newCondition();
    private final Set<Open> open = new LinkedHashSet<>();
    private boolean looking;

    Streams(ServerState state) {
        this.state = state;
    }

    /**
     * Take the place of a request's stream: before a run starts, or continues, only to be read, and before a response starts. A request that has one
     * keeps it, and only says of which run it is. It is free again when the stream is closed, or when the request was answered without it.
     *
     * @param place the id of the run, or what stands for one, of which so many streams may be open; {@link #NEW_RUN} for a run that has no id yet
     * @throws dev.chargehand.server.internal.route.ProblemException if too many are open, or the server is being stopped
     */
    public void reserve(Call call, String place) {
        var unused = open(call, place);
    }

    /**
     * Take the place of a request that reads a run which has ended, or waits. It is free also while the server is being stopped, since such a
     * stream ends by itself.
     */
    public void reserveAtRest(Call call) {
        lock.lock();
        try {
            requireFew(call.principal(), NEW_RUN);
            var unused = add(call, NEW_RUN);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Open the stream of a request, in the place that it has or in one that it takes, on the calling thread, which writes it.
     *
     * @param place as for {@link #reserve}
     * @throws dev.chargehand.server.internal.route.ProblemException if too many are open
     */
    public Open open(Call call, String place) {
        lock.lock();
        try {
            Optional<Open> taken = call.held().find(Open.class).filter(open::contains);
            if (taken.isPresent()) {
                taken.get().place = named(taken.get(), place);
                return taken.get();
            }
            state.requireStarts();
            requireFew(call.principal(), place);
            return add(call, place);
        } finally {
            lock.unlock();
        }
    }

    private Open add(Call call, String place) {
        Open stream = new Open(call.signedIn(), place);
        open.add(stream);
        call.held().add(stream);
        if (!looking) {
            looking = true;
            Thread.ofVirtual().name("chargehand-server-streams").start(this::watch);
        }
        return stream;
    }

    private String named(Open stream, String place) {
        if (!stream.place.equals(place)) {
            requireOfRun(place);
        }
        return place;
    }

    private void requireFew(Principal caller, String place) {
        require(open.size(), ServerLimit.STREAMS, "of this server");
        require(
                open.stream()
                        .filter(each -> each.principal().tenantId().equals(caller.tenantId()))
                        .count(),
                ServerLimit.STREAMS_OF_TENANT,
                "of this tenant");
        require(
                open.stream()
                        .filter(each -> CallerLimits.key(each.principal()).equals(CallerLimits.key(caller)))
                        .count(),
                ServerLimit.STREAMS_OF_CALLER,
                "of this caller");
        requireOfRun(place);
    }

    private void requireOfRun(String place) {
        if (!place.equals(NEW_RUN)) {
            require(
                    open.stream().filter(each -> each.place.equals(place)).count(),
                    ServerLimit.STREAMS_OF_RUN,
                    "of this run");
        }
    }

    private void require(long count, ServerLimit limit, String where) {
        if (count >= state.limit(limit)) {
            throw Problem.TOO_MANY_STREAMS.of(state.limit(limit) + " streams " + where
                    + " are open, which is its limit. Close one, or try again later.");
        }
    }

    /** Return whether a stream of a run is open. */
    boolean hasReaders(RunId root) {
        return isAnyOpen(each -> each.place.equals(root.value()));
    }

    /** Return whether a stream of a run is open whose run is cancelled when its client leaves. */
    public boolean hasOwners(RunId root) {
        return isAnyOpen(each -> each.owns && each.place.equals(root.value()));
    }

    private boolean isAnyOpen(Predicate<Open> of) {
        lock.lock();
        try {
            return open.stream().anyMatch(of);
        } finally {
            lock.unlock();
        }
    }

    /** End all streams, and wait until they have ended. */
    void end(Duration most) {
        all().forEach(stream -> stream.end(End.DRAINING));
        long left = most.toNanos();
        lock.lock();
        try {
            while (!open.isEmpty() && left > 0) {
                left = closed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    private List<Open> all() {
        lock.lock();
        try {
            return new ArrayList<>(open);
        } finally {
            lock.unlock();
        }
    }

    private void watch() {
        Duration most = state.limit(ServerTimeLimit.WRITE);
        long pause = state.limit(ServerTimeLimit.HEARTBEAT).toNanos();
        long asked = System.nanoTime();
        Thread asking = Thread.ofVirtual().unstarted(() -> {});
        while (stays()) {
            try {
                Thread.sleep(LOOK);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
            all().forEach(stream -> stream.look(most));
            if (System.nanoTime() - asked >= pause && !asking.isAlive()) {
                asked = System.nanoTime();
                asking = Thread.ofVirtual().name("chargehand-server-sign-ins").start(this::endRevoked);
            }
        }
    }

    /** End the streams of callers whose sign-ins were withdrawn. A resolver may take its time, so this has a thread of its own. */
    private void endRevoked() {
        List<RuntimeException> failures = new ArrayList<>();
        for (Open stream : all()) {
            try {
                if (stream.caller.revocation().getAsBoolean()) {
                    stream.end(End.SIGN_IN);
                }
            } catch (RuntimeException e) {
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            LOG.warn(
                    "Of {} streams it is not known whether their callers are still signed in, so they stay open: {}",
                    failures.size(),
                    failures.getFirst().toString());
        }
    }

    private boolean stays() {
        lock.lock();
        try {
            looking = !open.isEmpty();
            return looking;
        } finally {
            lock.unlock();
        }
    }
}
