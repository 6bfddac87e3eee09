package dev.chargehand.cli.runs;

import dev.chargehand.RunFailedException;
import dev.chargehand.RunHandle;
import dev.chargehand.RunOptions;
import dev.chargehand.RunReleasedException;
import dev.chargehand.RunResult;
import dev.chargehand.cli.output.RunOutput;
import dev.chargehand.cli.shell.Signals;
import dev.chargehand.event.RunEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

/** Shows a run while it executes; a signal may stop it. */
final class WatchedRun {

    private final Signals signals;
    private final RunOutput output;
    private final Runnable release;
    private final AtomicInteger watches = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final List<RunEvent> held = new ArrayList<>();
    private boolean holding;

    /** Prepare to watch runs; {@code release} has a live run left as it is stored. */
    WatchedRun(Signals signals, RunOutput output, Runnable release) {
        this.signals = signals;
        this.output = output;
        this.release = release;
    }

    /**
     * Start, resume or answer a run and show it until it ends or waits; empty if it failed, after showing the failure.
     *
     * @param begin starts the run with the options that show it
     * @throws RunReleasedException if the process was asked to terminate before that
     */
    Optional<RunResult> watch(Function<Consumer<RunOptions.Builder>, RunHandle> begin) {
        int watch = watches.incrementAndGet(); // a run that is answered here still has its listeners of before
        return watch(watch, begin);
    }

    /**
     * Wait for a run that continues without being started here; the listeners of before show what of it happens in this
     * process.
     */
    Optional<RunResult> follow(RunHandle handle) {
        return watch(watches.get(), options -> handle);
    }

    private Optional<RunResult> watch(int watch, Function<Consumer<RunOptions.Builder>, RunHandle> begin) {
        signals.hold();
        try {
            CompletableFuture<RunHandle> run = new CompletableFuture<>();
            RunHandle handle = begin.apply(options -> options.addListener(event -> {
                if (watch == watches.get() && !show(event)) {
                    CompletableFuture<Void> ignored = run.thenAccept(RunHandle::cancel);
                }
            }));
            signals.stops(handle::cancel, release);
            run.complete(handle);
            return Optional.of(handle.result());
        } catch (RunFailedException e) {
            output.failed(e);
            return Optional.empty();
        } catch (RunReleasedException e) {
            output.close();
            throw e;
        } finally {
            signals.release();
        }
    }

    private boolean show(RunEvent event) {
        lock.lock();
        try {
            return holding ? held.add(event) : output.event(event);
        } finally {
            lock.unlock();
        }
    }

    /** Show no events from now on, since they would be painted over a question. */
    void hold() {
        lock.lock();
        try {
            holding = true;
        } finally {
            lock.unlock();
        }
    }

    /** Show the events since {@link #hold}, and the next ones as they come. */
    void showHeld() {
        lock.lock();
        try {
            holding = false;
            held.forEach(output::event);
            held.clear();
        } finally {
            lock.unlock();
        }
    }
}
