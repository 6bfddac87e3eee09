package dev.chargehand.internal.event;

import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.internal.thread.ForeignThreads;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The stream of a run. */
public final class LiveRunStream implements RunStream {

    private final ForeignThreads threads;
    private final RunId runId;
    private final Source source;
    private final Consumer<String> cancel;
    private final Supplier<RunResult> result;
    private final Runnable awaitEnd;
    private final AtomicBoolean textIsFinal;
    private final OnClose onClose;
    /** Why there is no further view; null before the first one. */
    private final AtomicReference<@Nullable String> viewed = new AtomicReference<>();

    private final AtomicBoolean left = new AtomicBoolean();
    private volatile @Nullable EventPublisher publisher;

    /** Where a stream takes its events. */
    public interface Source {

        /**
         * Take the next event, waiting for it. One thread at a time takes.
         *
         * @return nothing once there are no more, or events are discarded
         * @throws InterruptedException if the thread was interrupted, and the run is to be cancelled for that
         */
        Optional<RunEvent> take() throws InterruptedException;

        /** Discard all events that were not taken; a thread that waits gets none. */
        void discard();
    }

    /**
     * Make the stream of a run.
     *
     * @param threads where a subscriber is handed events
     * @param cancel cancels the run, given who did
     * @param result waits for the result, or throws for a run that failed
     * @param awaitEnd waits for the end of the run, however it ends
     * @param textIsFinal to be set when the reader of the text cannot take anything back
     * @param onClose how closing the stream affects the run
     */
    public LiveRunStream(
            ForeignThreads threads,
            RunId runId,
            Source source,
            Consumer<String> cancel,
            Supplier<RunResult> result,
            Runnable awaitEnd,
            AtomicBoolean textIsFinal,
            OnClose onClose) {
        this.threads = threads;
        this.runId = runId;
        this.source = source;
        this.cancel = cancel;
        this.result = result;
        this.awaitEnd = awaitEnd;
        this.textIsFinal = textIsFinal;
        this.onClose = onClose;
    }

    @Override
    public RunId runId() {
        return runId;
    }

    @Override
    public Iterator<RunEvent> iterator() {
        takeView();
        return new Events();
    }

    @Override
    public Iterable<String> textStream() {
        takeView();
        textIsFinal.set(true);
        Iterator<RunEvent> events = new Events();
        return () -> new View<>(events, this::textOf);
    }

    @Override
    public Iterable<Json> objectStream() {
        takeView();
        Iterator<RunEvent> events = new Events();
        return () -> new View<>(events, this::objectOf);
    }

    /** Throw what {@link #result()} throws, since texts and objects do not show that the run failed or was released. */
    private void requireWhole() {
        if (!left.get()) {
            RunResult ignored = result.get();
        }
    }

    private Optional<Json> objectOf(RunEvent event) {
        if (!event.runId().equals(runId)) {
            return Optional.empty();
        }
        return switch (event) {
            case RunEvent.PartialObject partial -> Optional.of(partial.object());
            case RunEvent.ObjectResult end -> Optional.ofNullable(end.object());
            default -> Optional.empty();
        };
    }

    private Optional<String> textOf(RunEvent event) {
        return event instanceof RunEvent.TextDelta delta && delta.runId().equals(runId)
                ? Optional.of(delta.text())
                : Optional.empty();
    }

    @Override
    public Flow.Publisher<RunEvent> publisher() {
        takeView();
        EventPublisher made = new EventPublisher(threads, new Events(), () -> leave("subscription-cancelled"));
        publisher = made;
        return made;
    }

    @Override
    public RunResult result() {
        viewed.compareAndSet(
                null, ": result() has discarded the events that were not read; read them before result() is called.");
        EventPublisher reader = publisher;
        if (reader == null || !reader.isSubscribed()) {
            left.set(true);
            source.discard();
        }
        return result.get();
    }

    @Override
    public void cancel() {
        cancel.accept("caller");
    }

    @Override
    public void close() {
        viewed.compareAndSet(
                null, " is closed; read it before, or read the events of the run with runtime.watch(runId, null).");
        leave("stream-closed");
        if (onClose == OnClose.CANCEL) {
            awaitEnd.run();
        }
    }

    /** Read nothing more; the run waits for the reader no longer. */
    private void leave(String by) {
        left.set(true);
        source.discard();
        if (onClose == OnClose.CANCEL) {
            cancel.accept(by);
        }
    }

    private void takeView() {
        String why = viewed.compareAndExchange(
                null, " has its one consumer already; add a listener in the options for another.");
        if (why != null) {
            throw new ConfigurationException("The stream of run " + runId + why);
        }
    }

    private final class Events implements Iterator<RunEvent> {

        private @Nullable RunEvent next;

        @Override
        public boolean hasNext() {
            if (next == null) {
                next = take().orElse(null);
            }
            return next != null;
        }

        @Override
        public RunEvent next() {
            if (!hasNext()) {
                throw new NoSuchElementException("The run has ended.");
            }
            RunEvent event = next;
            next = null;
            if (event == null) {
                throw new NoSuchElementException("The run has ended.");
            }
            return event;
        }

        private Optional<RunEvent> take() {
            boolean interrupted = false;
            try {
                while (true) {
                    try {
                        return source.take();
                    } catch (InterruptedException e) {
                        interrupted = true;
                        cancel.accept("interrupt");
                    }
                }
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    /** What is of interest to a reader among all events. */
    private final class View<T> implements Iterator<T> {

        private final Iterator<RunEvent> events;
        private final Function<RunEvent, Optional<T>> part;
        private Optional<T> next = Optional.empty();

        private View(Iterator<RunEvent> events, Function<RunEvent, Optional<T>> part) {
            this.events = events;
            this.part = part;
        }

        @Override
        public boolean hasNext() {
            while (next.isEmpty() && events.hasNext()) {
                next = part.apply(events.next());
            }
            if (next.isEmpty()) {
                requireWhole();
            }
            return next.isPresent();
        }

        @Override
        public T next() {
            if (!hasNext()) {
                throw new NoSuchElementException("The run has ended.");
            }
            T taken = next.orElseThrow();
            next = Optional.empty();
            return taken;
        }
    }
}
