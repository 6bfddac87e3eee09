package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code chargehand run} does with its options, offline. */
class RunCommandTest {

    @TempDir
    Path folder;

    @BeforeEach
    void agentsAndDocuments() throws IOException {
        file("chargehand.yaml", """
                model: ${MODEL:-offline}
                default: boss
                agents:
                  boss: { instructions: Delegate., agents: [finder] }
                  finder: { description: Finds passages., tools: [search-files] }
                  hasty: { agents: [finder], maxSteps: 1 }
                """);
        file("docs/boats.md", "# Boats\n\nA boat floats because it is lighter than the water it displaces.\n");
    }

    private void file(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    @Test
    void theFilesDefaultAgentRunsAndItsAnswerIsAllOfStandardOutput() {
        Ran ran = Ran.in(folder, "run", "Why does a boat float?");

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out()).contains("lighter than the water it displaces").contains("docs/boats.md:3");
        assertThat(ran.out()).doesNotContain("delegates");
    }

    @Test
    void anotherAgentCanBeAskedFor() {
        Ran ran = Ran.in(folder, "run", "Why does a boat float?", "--agent", "finder");

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.err()).doesNotContain("delegates").contains("calls search-files");
    }

    @Test
    void aPromptIsTakenAsItIs() {
        Ran ran = Ran.in(folder, "run", "@boats float lighter water displaces ${HOME}", "--agent", "finder");

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out()).contains("docs/boats.md:3");
    }

    @Test
    void anotherFolderCanBeSearched() throws IOException {
        file("more/planes.md", "A plane flies because its wings push air down.\n");

        Ran ran = Ran.in(folder, "run", "Why does a plane fly?", "--docs", "more");

        assertThat(ran.out()).contains("wings push air down").contains("more/planes.md:1");
    }

    @Test
    void aFileElsewhereBringsItsOwnDocuments() {
        Ran ran = Ran.in(folder.getRoot(), "run", "Why does a boat float?", "--config", folder + "/chargehand.yaml");

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out()).contains("docs/boats.md:3");
    }

    @Test
    void eventsAreJsonLinesWithGrowingIdsThatEndWithTheRootsFinish() {
        Ran ran = Ran.in(folder, "run", "Why does a boat float?", "--events");

        assertThat(ran.exitCode()).isZero();
        List<Json> events = ran.out().lines().map(Json::parse).toList();
        List<String> ids = events.stream()
                .flatMap(event -> event.at("/id").flatMap(Json::string).stream())
                .toList();
        assertThat(ids)
                .hasSizeGreaterThan(5)
                .doesNotHaveDuplicates()
                .isSortedAccordingTo(
                        Comparator.comparing((String id) -> Long.parseLong(id.substring(0, id.indexOf('.'))))
                                .thenComparing(id -> Integer.parseInt(id.substring(id.indexOf('.') + 1))));
        assertThat(types(events))
                .startsWith("run-start")
                .contains("iteration-start", "delegation-start", "tool-call", "tool-result", "text-delta")
                .endsWith("run-finish");
        Json last = events.getLast();
        assertThat(last.at("/path").flatMap(Json::string)).contains("boss");
        assertThat(last.at("/status").flatMap(Json::string)).contains("completed");
        assertThat(last.at("/text").flatMap(Json::string).orElseThrow()).contains("docs/boats.md:3");
        assertThat(ran.err()).contains("completed in ").doesNotContain("delegates");
    }

    private static List<String> types(List<Json> events) {
        return events.stream()
                .map(event -> event.at("/type").flatMap(Json::string).orElseThrow())
                .toList();
    }

    @Test
    void aRunThatUsesUpItsStepsIsIncompleteAndSaysWhatToDo() {
        Ran ran = Ran.in(folder, "run", "Why does a boat float?", "--agent", "hasty");

        assertThat(ran.exitCode()).isEqualTo(3);
        assertThat(ran.err())
                .contains("chargehand: The run made its only step without an answer that ends it; raise maxSteps")
                .contains("incomplete in ");
    }

    @Test
    void aDocumentCannotMakeTheTerminalDoAnything() throws IOException {
        file("docs/evil.md", "A boat \u001b]0;owned\u0007 \u009b31m floats in red \u202e.\n");

        Ran plain = Ran.in(folder, "run", "Why does a boat float in red?");
        Ran events = Ran.in(folder, "run", "Why does a boat float in red?", "--events");

        assertThat(plain.out() + plain.err()).contains("\\u001b]0;owned\\u0007");
        for (Ran ran : List.of(plain, events)) {
            assertThat(ran.out() + ran.err()).doesNotContain("\u001b", "\u0007", "\u009b", "\u202e");
        }
        assertThat(events.out()).contains("\\u009b31m");
    }

    @Test
    void theMissingFolderOfTheDocumentsIsNamed() {
        Ran ran = Ran.in(folder, "run", "Why?", "--docs", "doks");

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err())
                .startsWith("chargehand: --docs: There is no folder '")
                .contains("doks' to search")
                .contains("The tool 'search-files' (chargehand.yaml:5:")
                .endsWith(") searches it. --docs names another folder." + System.lineSeparator())
                .hasLineCount(1);
    }

    @Test
    void mistakesOfTheFileAreOneLineEach() throws IOException {
        file("chargehand.yaml", "agents:\n  boss:\n    instruktions: Hello\n");

        Ran ran = Ran.in(folder, "run", "Hi");

        assertThat(ran)
                .isEqualTo(new Ran(
                        2,
                        "",
                        "chargehand: chargehand.yaml:3:5: unknown key 'instruktions' in agent 'boss'. Allowed: description, instructions, model, agents, workflows, tools, maxSteps, retries, toolCallConcurrency, memory, modelSettings, requireToolApproval, completion, inputProcessors, outputProcessors, maxProcessorRetries, structuredOutput, subAgentContext, bailStrategy, cancelSiblings, includeSubAgentToolResultsInModelContext, enableResultReferences, delegationMemory, background, version, versions. Did you mean 'instructions'?"
                                + System.lineSeparator()));
    }
}
