package dev.chargehand.examples;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.event.RunEvent;
import java.io.PrintStream;

/** A run that is watched: every agent's work in one stream, as it happens. */
public final class WatchingARun {

    private WatchingARun() {}

    static RunResult watch(Agent supervisor, PrintStream out) {
        try (RunStream run = supervisor.stream("Research AI in education", o -> o.maxSteps(20))) {
            for (RunEvent event : run) {
                switch (event) {
                    case RunEvent.TextDelta d -> out.print(d.text());
                    case RunEvent.DelegationStart d ->
                        out.println(d.path() + " asks " + d.agentId() + ": " + d.prompt());
                    case RunEvent.ToolResult r -> out.println(r.path() + " used " + r.toolName());
                    default -> {}
                }
            }
            return run.result();
        }
    }
}
