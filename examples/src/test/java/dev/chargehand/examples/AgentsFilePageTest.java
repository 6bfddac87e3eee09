package dev.chargehand.examples;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.config.AgentsFile;
import dev.chargehand.config.AgentsFileReader;
import dev.chargehand.config.Crew;
import dev.chargehand.json.Json;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agents of a file in a Java program; see docs/chargehand-yaml.md. */
class AgentsFilePageTest {

    private static final String FILE = """
            model: offline
            docs: .
            agents:
              supervisor:
                instructions: Answer from the documents.
                agents: [librarian]
              librarian: { description: Finds passages., tools: [search-files] }
            workflows:
              letters:
                input: { type: object, properties: { name: { type: string } }, required: [name] }
                steps: [{ map: { letter: "Dear {/input/name}" } }]
            """;

    @TempDir
    Path folder;

    @Test
    void aProgramExecutesTheAgentsOfAFile() throws IOException {
        Files.writeString(folder.resolve("rent.md"), "# Rent\n\nThe rent of the boat is 40 euros a day.\n");
        Path path = Files.writeString(folder.resolve("chargehand.yaml"), FILE);

        RunResult result = answer(path, "How much is the rent of the boat?");

        assertThat(result).finished();
        assertThat(result.text()).contains("40 euros a day");
    }

    private static RunResult answer(Path path, String question) {
        AgentsFile file = AgentsFileReader.read(path, path.toString(), Crew.TOOLS);
        try (Crew crew = Crew.builder(file).build()) {
            Agent supervisor = crew.agent(file.agents().get("supervisor"));
            Workflow<Json, Json> letters = crew.workflow(file.workflows().get("letters"));
            try (AgentRuntime runtime = crew.runtime(InMemoryStore.create(), List.of(supervisor))
                    .workflows(letters)
                    .build()) {
                Json letter = runtime.run(letters, Json.of(Map.of("name", "Ann")), crew::setOptions)
                        .output();
                System.out.println(letter);
                return runtime.agent("supervisor").generate(question);
            }
        }
    }
}
