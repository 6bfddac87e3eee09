package dev.chargehand.examples.version;

import dev.chargehand.Agent;
import dev.chargehand.AgentCatalog;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.store.Store;
import dev.chargehand.version.AgentVersion;
import dev.chargehand.version.Version;

/** A version of an agent is saved, tried as a draft, and published. */
public final class SavedVersions {

    private SavedVersions() {}

    /** A document of this program is the instructions, and nothing else. */
    private static Agent read(String agentId, String version, String document) {
        return Agent.builder(agentId)
                .version(version)
                .description("Writes reports.")
                .instructions(document)
                .model("openai/gpt-5-mini")
                .build();
    }

    static RunResult publish(Store store, Agent writer, String document, String task) {
        AgentRuntime runtime = AgentRuntime.builder()
                .store(store)
                .agents(writer)
                .catalog(AgentCatalog.stored(SavedVersions::read))
                .build();
        AgentVersion draft = runtime.versions().save("writer", document);
        RunResult tried = runtime.agent("writer").generate(task, o -> o.version("writer", Version.id(draft.id())));
        AgentVersion published = runtime.versions().publish("writer", draft.id());
        runtime.close();
        if (!published.published()) {
            throw new IllegalStateException("It was not published: " + published);
        }
        return tried;
    }
}
