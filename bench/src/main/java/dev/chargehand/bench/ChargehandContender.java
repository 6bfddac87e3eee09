package dev.chargehand.bench;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.models.OpenAiCompatibleProvider;
import dev.chargehand.tool.Tool;

/** Makes the runs with Chargehand, on its in-memory store. */
final class ChargehandContender implements Contender {

    record Look(String query) {}

    private final AgentRuntime runtime;
    private final Agent supervisor;

    ChargehandContender(String baseUrl) {
        Agent worker = Agent.builder("worker")
                .description("Looks things up.")
                .instructions("You look things up with your tool and say what you found.")
                .model("bench/worker")
                .tools(Tool.of("look", "Looks something up.", Look.class, (in, context) -> "seen " + in.query()))
                .build();
        Agent boss = Agent.builder("supervisor")
                .instructions("You delegate to the worker and then say what it found.")
                .model("bench/supervisor")
                .agents(worker)
                .build();
        this.runtime = AgentRuntime.builder()
                .providers(OpenAiCompatibleProvider.builder()
                        .provider("bench", baseUrl, "no-key")
                        .build())
                .agents(boss)
                .build();
        this.supervisor = runtime.agent("supervisor");
    }

    @Override
    public String run(String marker) {
        return supervisor.generate("please work on " + marker).text();
    }

    @Override
    public void close() {
        runtime.close();
    }
}
