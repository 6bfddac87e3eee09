package dev.chargehand.cli.setup;

import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.config.choice.StandIn;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunListener;
import java.util.List;
import java.util.function.Consumer;

/** Notes whether the searches of a run, those of its sub-agents included, found anything in the documents. */
public final class SearchTally implements RunListener {

    private volatile boolean searched;
    private volatile boolean found;
    private volatile boolean quotedNothing;

    /** Return the tally of a run's history. */
    public static SearchTally of(List<RunEvent> history) {
        SearchTally tally = new SearchTally();
        history.forEach(tally::onEvent);
        return tally;
    }

    @Override
    public void onEvent(RunEvent event) {
        if (event instanceof RunEvent.RunFinish finish) {
            quotedNothing = StandIn.foundNothing(finish.text()); // the run that was started finishes last
        } else if (event instanceof RunEvent.ToolResult result) {
            switch (result.toolName()) {
                case "search-files" -> {
                    searched = true;
                    if (result.output().at("/passages/0").isPresent()) {
                        found = true;
                    }
                }
                case "read-file" -> found = true;
                default -> {}
            }
        }
    }

    /** Return the exit code of a run that has ended with an answer, and report an answer for which nothing was found. */
    public int code(Consumer<String> notes) {
        if (foundNothing()) {
            notes.accept("chargehand: the searches of the documents found nothing.");
            return ExitCode.NOTHING_FOUND;
        }
        return ExitCode.COMPLETED;
    }

    /**
     * Return whether there was a search, and none found a passage, and no file was read; or whether the stand-in found
     * none that has enough of the question.
     */
    private boolean foundNothing() {
        return searched && (!found || quotedNothing);
    }
}
