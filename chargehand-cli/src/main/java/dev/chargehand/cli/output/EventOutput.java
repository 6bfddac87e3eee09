package dev.chargehand.cli.output;

import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.event.RunEvent;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Writes every event as one line of JSON, and the summary to the other stream. */
public final class EventOutput implements RunOutput {

    private final PrintWriter events;
    private final PrintWriter notes;
    private final Summary summary;
    private @Nullable Instant startedAt;
    private Duration sinceStart = Duration.ZERO;

    /** Make the output of one run. */
    public EventOutput(PrintWriter events, PrintWriter notes, Summary summary) {
        this.summary = summary;
        this.events = events;
        this.notes = notes;
    }

    @Override
    public boolean event(RunEvent event) {
        if (startedAt == null) {
            startedAt = event.time();
        }
        sinceStart = Duration.between(startedAt, event.time());
        events.print(Visible.json(event.toJson().text()) + "\n");
        return !events.checkError(); // which also sends the line on its way
    }

    @Override
    public void note(String line) {
        notes.println(line);
        notes.flush();
    }

    @Override
    public void ended(RunResult result) {
        summary.print(notes, result, sinceStart, Duration.ZERO); // it asks nothing
    }

    @Override
    public void failed(RunFailedException failure) {
        summary.print(notes, failure.result(), sinceStart, Duration.ZERO);
    }
}
