package dev.chargehand.cli.runs;

import dev.chargehand.RunFailedException;
import dev.chargehand.RunReleasedException;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.cli.output.RunOutput;
import dev.chargehand.cli.shell.Signals;
import dev.chargehand.event.RunEvent;
import java.util.Optional;
import java.util.function.Supplier;

/** Shows a run while it executes; a signal may stop it. */
final class WatchedRun {

    private final Signals signals;
    private final RunOutput output;
    private final Runnable release;

    /** Prepare to watch runs; {@code release} has a live run left as it is stored. */
    WatchedRun(Signals signals, RunOutput output, Runnable release) {
        this.signals = signals;
        this.output = output;
        this.release = release;
    }

    /**
     * Start a run and show it until it ends or waits; empty if it failed, after showing the failure.
     *
     * @throws RunReleasedException if the process was asked to terminate before that
     */
    Optional<RunResult> watch(Supplier<RunStream> begin) {
        signals.hold();
        try (RunStream stream = begin.get()) {
            signals.stops(stream::cancel, release);
            for (RunEvent event : stream) {
                if (!output.event(event)) {
                    stream.cancel();
                }
            }
            return Optional.of(stream.result());
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
}
