package dev.chargehand.cli.chat;

import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.cli.output.RunOutput;
import dev.chargehand.cli.setup.SearchTally;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.ForkOrigin;
import org.jspecify.annotations.Nullable;

/** Shows of a turn what it did itself: a fork also reports the steps that it has copied. Notes its searches. */
final class OwnWork implements RunOutput {

    private final RunOutput shown;
    private final SearchTally searches;
    private RunEvent.@Nullable RunStart fork;

    OwnWork(RunOutput shown, SearchTally searches) {
        this.shown = shown;
        this.searches = searches;
    }

    @Override
    public boolean event(RunEvent event) {
        if (event instanceof RunEvent.RunStart start && start.forkedFrom() != null) {
            fork = start;
        } else if (isCopied(event)) {
            return true;
        }
        searches.onEvent(event);
        return shown.event(event);
    }

    /** The steps up to that after which a run is forked are those of another run. */
    private boolean isCopied(RunEvent event) {
        RunEvent.RunStart start = fork;
        ForkOrigin origin = start == null ? null : start.forkedFrom();
        return start != null && origin != null && event.runId().equals(start.runId()) && event.step() <= origin.step();
    }

    @Override
    public void note(String line) {
        shown.note(line);
    }

    @Override
    public void ended(RunResult result) {
        shown.ended(result);
    }

    @Override
    public void failed(RunFailedException failure) {
        shown.failed(failure);
    }

    @Override
    public void close() {
        shown.close();
    }
}
