package dev.chargehand.examples.version;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.version.Version;

/** Two versions of one agent side by side: the runtime selects one, a call the other. */
public final class TwoVersions {

    private TwoVersions() {}

    static RunResult november(Agent supervisor, Agent researcher1, Agent researcher2, String question) {
        AgentRuntime runtime = AgentRuntime.builder()
                .agents(supervisor, researcher1, researcher2)
                .versions(v -> v.agent("research-agent", Version.id("2026-10")))
                .build();
        RunResult result =
                runtime.agent("supervisor").generate(question, o -> o.version("research-agent", Version.id("2026-11")));
        runtime.close();
        return result;
    }
}
