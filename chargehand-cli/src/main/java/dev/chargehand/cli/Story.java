package dev.chargehand.cli;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.cli.output.Timeline;
import dev.chargehand.event.RunEvent;
import java.util.ArrayList;
import java.util.List;

/** Tells what happened in a run, and what it waits for. */
final class Story {

    private Story() {}

    /** Returns the lines: what happened, the answer, a summary, and how to answer what is pending. */
    static List<String> lines(List<RunEvent> history, List<PendingApproval> pending, Hints hints) {
        Timeline timeline = new Timeline(history);
        List<String> lines = new ArrayList<>(timeline.lines());
        timeline.answer().ifPresent(answer -> {
            lines.add("");
            lines.add(answer);
        });
        lines.add("");
        lines.addAll(timeline.summary());
        lines.addAll(hints.waiting(pending));
        return lines;
    }
}
