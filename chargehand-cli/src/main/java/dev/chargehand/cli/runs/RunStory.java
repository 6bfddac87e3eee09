package dev.chargehand.cli.runs;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.cli.output.Timeline;
import dev.chargehand.cli.setup.Hints;
import dev.chargehand.cli.workflow.view.WorkflowLines;
import dev.chargehand.event.RunEvent;
import dev.chargehand.workflow.view.WorkflowProgress;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Shows the history of a run, and the calls it waits for. */
public final class RunStory {

    private RunStory() {}

    /** Return the lines: what happened, the answer, a summary, and how to answer what is pending. */
    public static List<String> lines(List<RunEvent> history, List<PendingApproval> pending, Hints hints) {
        Timeline timeline = new Timeline(history);
        List<String> lines = new ArrayList<>(timeline.lines());
        List<String> steps = WorkflowLines.steps(WorkflowProgress.of(history));
        if (!steps.isEmpty()) {
            lines.add("");
            lines.add("steps:");
            steps.forEach(step -> lines.add("  " + step));
        }
        timeline.answer().ifPresent(answer -> {
            lines.add("");
            lines.add(answer);
        });
        lines.add("");
        lines.addAll(timeline.summary(InstantSource.system().instant()));
        lines.addAll(hints.waiting(pending));
        return lines;
    }
}
