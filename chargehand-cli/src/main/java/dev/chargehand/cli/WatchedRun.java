package dev.chargehand.cli;

import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.cli.output.RunOutput;
import dev.chargehand.event.RunEvent;
import java.util.Optional;
import java.util.function.Supplier;

/** Watches a run while it is at work, which a signal may stop. */
final class WatchedRun {

    private final Signals signals;
    private final RunOutput output;

    WatchedRun(Signals signals, RunOutput output) {
        this.signals = signals;
        this.output = output;
    }

    /** Begins a run and watches it until it ends or waits; nothing if it failed, which was shown then. */
    Optional<RunResult> watch(Supplier<RunStream> begin) {
        signals.hold();
        try (RunStream stream = begin.get()) {
            signals.cancels(stream::cancel);
            for (RunEvent event : stream) {
                if (!output.event(event)) {
                    stream.cancel();
                }
            }
            return Optional.of(stream.result());
        } catch (RunFailedException e) {
            output.failed(e);
            return Optional.empty();
        } finally {
            signals.release();
        }
    }
}
