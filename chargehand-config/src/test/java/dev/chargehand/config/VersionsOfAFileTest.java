package dev.chargehand.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.document.DocumentException;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.run.RequestContext;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.version.AgentVersion;
import dev.chargehand.version.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Agents of a file have versions, and versions of them are saved. */
class VersionsOfAFileTest {

    private static final String CREW = """
            model: ${MODEL:-offline}
            default: boss
            tools:
              note: { description: Notes., command: [cat] }
              send: { description: Sends., command: [cat], approval: true }
            agents:
              boss:
                instructions: Delegate.
                agents: [writer]
              writer:
                version: "2026-11"
                description: Writes.
                instructions: Write.
                tools: [note, send]
                maxSteps: 4
                versions:
                  brief:
                    description: Writes briefly.
                    instructions: Write a line.
                  long:
                    description: Writes at length.
                    tools: [note]
                    maxSteps: 9
            """;

    @TempDir
    private Path folder;

    private AgentsFile file(String text) throws IOException {
        return AgentsFileReader.read(Files.writeString(folder.resolve("crew.yaml"), text), "crew.yaml", Crew.TOOLS);
    }

    private static Crew crew(AgentsFile file) {
        return Crew.builder(file)
                .environment(Map.of("MODEL", "offline", "SECRET", "sk-123")::get)
                .build();
    }

    private static AgentRuntime runtime(Crew crew, AgentsFile file) {
        return crew.runtime(
                        InMemoryStore.keepingEndedRuns(),
                        crew.agents(file.usual().orElseThrow()))
                .build();
    }

    private static String instructions(Agent agent) {
        return agent.instructionsFor(RequestContext.empty());
    }

    @Test
    void theVersionsOfAFileAreAgentsOfTheRuntime() throws IOException {
        AgentsFile file = file(CREW);
        AgentEntry writer = file.agents().get("writer");
        assertThat(writer.version()).contains("2026-11");
        assertThat(writer.versions()).containsExactly("brief", "long");
        try (Crew crew = crew(file);
                AgentRuntime runtime = runtime(crew, file)) {
            assertThat(crew.versions(writer))
                    .extracting(Agent::id, each -> each.version().orElseThrow(), VersionsOfAFileTest::instructions)
                    .containsExactly(tuple("writer", "brief", "Write a line."), tuple("writer", "long", ""));
            assertThat(runtime.agent("writer").version()).contains("2026-11");
            assertThat(runtime.agent("writer")
                            .generate("Go", o -> o.version("writer", Version.id("brief")))
                            .status()
                            .isEnded())
                    .isTrue();
        }
    }

    private void assertMistake(String text, String... words) {
        assertThatExceptionOfType(DocumentException.class)
                .isThrownBy(() -> file(text))
                .satisfies(e -> assertThat(e.getMessage()).contains(words));
    }

    @Test
    void mistakesInVersionsAreFound() {
        assertMistake("agents: { a: { version: \"\" } }", "version");
        assertMistake("agents: { a: { version: \"" + "x".repeat(65) + "\" } }", "crew.yaml:1", "64");
        assertMistake("agents: { a: { versions: { b: { instructions: B } } } }", "needs 'version' too");
        assertMistake("agents: { a: { version: b, versions: { b: { instructions: B } } } }", "'b' twice");
        assertMistake("agents: { a: { version: x, versions: { b: { instrctions: B } } } }", "instructions");
        assertMistake("agents: { a: { version: x, versions: { b: { version: c } } } }", "version");
        assertMistake("agents: { a: { version: x, versions: { b: { tools: [nothing] } } } }", "nothing");
        assertMistake("agents: { a: { version: x, versions: { b: { agents: [c] } } } }", "unknown agent 'c'");
        assertMistake(
                "agents: { a: { description: A, version: x, versions: { b: { agents: [c] } } }, c: { description: C, agents: [a] } }",
                "in a circle");
    }

    @Test
    void aSavedVersionHasTheKeysOfAnAgent() throws IOException {
        AgentsFile file = file(CREW);
        try (Crew crew = crew(file);
                AgentRuntime runtime = runtime(crew, file)) {
            AgentVersion yaml = runtime.versions().save("writer", "instructions: Write well.\ntools: [send]\n");
            Agent read = crew.version("writer", yaml.id(), yaml.document());
            assertThat(read.version()).contains("stored-1");
            assertThat(instructions(read)).isEqualTo("Write well.");
            assertThat(read.toolsFor(RequestContext.empty()))
                    .extracting(tool -> tool.name() + " " + tool.approval().isPresent())
                    .containsExactly("send true");
            AgentVersion json =
                    runtime.versions().save("writer", "{\"instructions\": \"Costs ${5}.\", \"maxSteps\": 4}");
            assertThat(instructions(crew.version("writer", json.id(), json.document())))
                    .isEqualTo("Costs ${5}.");
            AgentVersion ignored = runtime.versions().publish("writer", json.id());
            assertThat(runtime.agent("writer")
                            .generate("Go", o -> o.version("writer", Version.published()))
                            .status()
                            .isEnded())
                    .isTrue();
            assertThat(runtime.versions().find("writer", Version.published()).map(AgentVersion::id))
                    .isEqualTo(Optional.of("stored-2"));
        }
    }

    @Test
    void aDocumentWithMistakesIsNotSaved() throws IOException {
        AgentsFile file = file(CREW);
        try (Crew crew = crew(file);
                AgentRuntime runtime = runtime(crew, file)) {
            for (List<String> each : List.of(
                    List.of("instrctions: Write.", "instructions"),
                    List.of("tools: [delete]", "unknown tool 'delete'"),
                    List.of("agents: [boss]", "in a circle"),
                    List.of("version: mine", "version"),
                    List.of("versions: { a: { instructions: A } }", "versions"),
                    List.of("- a", "keys and values"),
                    List.of("a: [", "YAML"),
                    List.of("", "empty"),
                    List.of("maxSteps: 5", "maxSteps is 5, but at most 4"),
                    List.of("model: openai/${SECRET}", "environment variables"),
                    List.of("memory: { semanticRecall: { model: \"${SECRET}\" } }", "environment variables"))) {
                assertThatExceptionOfType(ChargehandException.class)
                        .as(each.getFirst())
                        .isThrownBy(() -> runtime.versions().save("writer", each.getFirst()))
                        .satisfies(e -> assertThat(e.getMessage())
                                .contains(each.getLast())
                                .doesNotContain("sk-123"));
            }
            assertThat(runtime.versions().list("writer", null, 10)).isEmpty();
            assertThatExceptionOfType(ConfigurationException.class)
                    .isThrownBy(() -> crew.version("wirter", "1", "instructions: A"))
                    .withMessageContaining("no agent 'wirter'");
        }
    }
}
