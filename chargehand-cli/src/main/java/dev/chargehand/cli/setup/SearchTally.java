package dev.chargehand.cli.setup;

import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunListener;

/** Notes whether the searches of a run, those of its sub-agents included, found anything in the documents. */
public final class SearchTally implements RunListener {

    private volatile boolean searched;
    private volatile boolean found;

    @Override
    public void onEvent(RunEvent event) {
        if (event instanceof RunEvent.ToolResult result) {
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

    /** Return whether there was a search, and none found a passage, and no file was read. */
    public boolean foundNothing() {
        return searched && !found;
    }
}
