package dev.chargehand.cli;

import dev.chargehand.Agent;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.cli.output.RunOutput;
import dev.chargehand.event.RunEvent;
import java.util.function.Consumer;

/** Runs an agent while somebody watches, and may stop it with a signal. */
final class WatchedRun {

    private final Signals signals;
    private final RunOutput output;

    WatchedRun(Signals signals, RunOutput output) {
        this.signals = signals;
        this.output = output;
    }

    /** Runs the agent to its end and returns the exit code. */
    int of(Agent agent, String prompt, Consumer<RunOptions.Builder> options) {
        signals.hold();
        try (RunStream stream = agent.stream(prompt, options)) {
            signals.cancels(stream::cancel);
            for (RunEvent event : stream) {
                if (!output.event(event)) {
                    stream.cancel();
                }
            }
            RunResult result = stream.result();
            output.ended(result);
            return ExitCode.of(result.status());
        } catch (RunFailedException e) {
            output.failed(e);
            return ExitCode.FAILED;
        }
    }
}
