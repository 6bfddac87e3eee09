package dev.chargehand.cli.output;

import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunStatus;
import java.io.PrintWriter;
import java.util.List;

/**
 * Shows progress on the one stream and the answer on the other, as plain lines; an object as JSON.
 *
 * <p>Only the answer goes to the answer's stream, and an answer only if there is one: of a run
 * that failed or was cancelled there is none.
 */
public final class PlainOutput implements RunOutput {

    private static final List<String> NOTHING = List.of("");

    private final PrintWriter answer;
    private final PrintWriter progress;
    private final ProgressLines lines;
    private final Summary summary;

    /**
     * Make the output of one run.
     *
     * @param widest how many characters the longest agent path has
     */
    public PlainOutput(PrintWriter answer, PrintWriter progress, int widest, Summary summary) {
        this.summary = summary;
        this.answer = answer;
        this.progress = progress;
        this.lines = new ProgressLines(widest);
    }

    @Override
    public boolean event(RunEvent event) {
        lines.of(event).ifPresent(progress::println);
        progress.flush();
        return true;
    }

    @Override
    public void note(String line) {
        progress.println(line);
        progress.flush();
    }

    @Override
    public void ended(RunResult result) {
        boolean answered = result.status() == RunStatus.COMPLETED || result.status() == RunStatus.INCOMPLETE;
        List<String> said = result.object()
                .map(PrettyJson::lines)
                .orElseGet(() -> List.of(Visible.text(result.text().strip())));
        if (answered && !said.equals(NOTHING)) {
            progress.println();
            progress.flush();
            said.forEach(answer::println);
            answer.flush();
            progress.println();
        }
        summary.print(progress, result, lines.working(), lines.waited());
    }

    @Override
    public void failed(RunFailedException failure) {
        summary.print(progress, failure.result(), lines.working(), lines.waited());
    }
}
